"""A run as a data frame of the real pandas."""

from __future__ import annotations

from hook_widgets.ratelimit import LeakyBucket, PerClient, TokenBucket, simulate


def test_a_run_becomes_a_data_frame_with_a_row_for_each_request():
    run = simulate(TokenBucket(2, "1/s", name="per user"), [0, 0, 0.5, 1], [1, 1, 1, 1])

    frame = run.to_frame()

    assert ["time_s", "cost", "admitted", "wait_s", "limited_by"] == list(frame.columns)
    assert ["float64", "int64", "bool", "float64"] == [str(kind) for kind in frame.dtypes[:4]]
    assert [0, 0, 0.5, 1] == frame["time_s"].tolist()
    assert [True, True, False, True] == frame["admitted"].tolist()
    assert {"per user": 1} == frame["limited_by"].value_counts().to_dict()
    assert 0.75 == frame["admitted"].mean()


def test_rejected_requests_have_no_wait_in_the_data_frame():
    frame = simulate(LeakyBucket(2, "10/s"), [0, 0, 0]).to_frame()

    assert [False, False, True] == frame["wait_s"].isna().tolist()
    assert [0.1, 0.2] == frame["wait_s"].dropna().tolist()


def test_clients_have_columns_of_their_own():
    limits = PerClient("cost", TokenBucket(1, 1))
    frame = simulate(limits, [0, 0], clients={"cost": ["ann", "bob"]}).to_frame()

    assert [1, 1] == frame["cost"].tolist()
    assert ["ann", "bob"] == frame["client_cost"].tolist()
