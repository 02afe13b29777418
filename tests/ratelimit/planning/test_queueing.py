"""Queueing formulas against published tables, exact arithmetic and each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.planning.queueing import (
    md1_wait_s,
    md1c_loss,
    md1c_wait_s,
    mm1_wait_s,
    smallest_capacity,
)
from tests.ratelimit.queueing_oracles import erlang_b, erlang_c, mg1_wait_s, mm1k_loss, mmc_wait_s

loads = st.floats(0.01, 3)
places = st.integers(1, 60)


def brun_garcia(load: str, places: int) -> float:
    """M/D/1/C loss by the published alternating sum, with enough digits to survive its cancellation.

    Brun and Garcia 2000: loss = 1 - b(C-1) / (1 + rho b(C-1)),
    b(n) = sum over k of (-1)^k / k! ((n - k) rho)^k e^((n - k) rho).
    """
    with localcontext() as context:
        context.prec = 200
        rho, n = Decimal(load), places - 1
        b = sum(
            Decimal((-1) ** k) / math.factorial(k) * ((n - k) * rho) ** k * ((n - k) * rho).exp()
            for k in range(n)
        ) or Decimal(1)
        return float(1 - b / (1 + rho * b))


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (0.8, {1: 0.444444, 2: 0.199570, 5: 0.0352904, 10: 0.00363923, 20: 4.827e-5}),
        (0.9, {1: 0.473684, 2: 0.234637, 5: 0.0643619, 10: 0.0166317, 20: 0.00185318, 100: 1.2e-10}),
        (1.0, {1: 0.5, 2: 0.268941, 5: 0.103449, 10: 0.0508475, 20: 0.0252101, 100: 0.00500835}),
        (1.2, {1: 0.545455, 2: 0.333864, 5: 0.199147, 10: 0.170911, 20: 0.166763, 100: 0.166667}),
        (2.0, {1: 0.666667, 2: 0.531689, 5: 0.500253, 10: 0.5, 20: 0.5, 100: 0.5}),
    ],
)
def test_the_loss_of_a_token_bucket_under_poisson_traffic_is_that_of_the_table(
    load: float, expected: dict[int, float]
) -> None:
    for capacity, printed in expected.items():
        digits = len(f"{printed:.10g}".split("e")[0].replace("0.", "").lstrip("0").replace(".", ""))
        assert f"{printed:.{digits - 1}e}" == f"{md1c_loss(load, capacity):.{digits - 1}e}"


@pytest.mark.parametrize("load", ["0.05", "0.5", "0.8", "0.95", "0.99", "1", "1.01", "1.5", "4"])
@pytest.mark.parametrize("capacity", [1, 2, 3, 7, 20, 60])
def test_the_loss_agrees_with_the_published_alternating_sum_to_twelve_digits(
    load: str, capacity: int
) -> None:
    assert md1c_loss(float(load), capacity) == pytest.approx(brun_garcia(load, capacity), rel=1e-12)


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (0.5, (4, 6, 8)),
        (0.6, (5, 7, 10)),
        (0.7, (6, 10, 13)),
        (0.8, (8, 13, 19)),
        (0.9, (13, 23, 35)),
        (0.95, (19, 40, 62)),
    ],
)
def test_the_smallest_bucket_for_a_loss_is_that_of_the_table(load: float, expected: tuple[int, ...]) -> None:
    assert expected == tuple(smallest_capacity(load, loss) for loss in (0.01, 0.001, 0.0001))


@given(load=st.floats(0.05, 0.98), loss=st.floats(1e-7, 0.2))
def test_the_smallest_bucket_keeps_the_loss_and_one_token_less_does_not(load: float, loss: float) -> None:
    capacity = smallest_capacity(load, loss)

    assert capacity is not None
    assert md1c_loss(load, capacity) <= loss
    assert capacity == 1 or md1c_loss(load, capacity - 1) > loss


@pytest.mark.parametrize(
    ("load", "loss", "expected"),
    [
        (1.2, 0.01, None),
        (1.25, 0.2, None),
        (1.25, 0.21, 7),
        (0, 0.01, 1),
        (1, 1e-9, None),
        (1e6, 0.9999995, 1),
        (100, 0.99005, 2),
    ],
)
def test_above_the_refill_rate_no_bucket_rejects_less_than_the_excess(
    load: float, loss: float, expected: int | None
) -> None:
    assert expected == smallest_capacity(load, loss)


@given(load=loads, capacity=places)
def test_a_larger_bucket_rejects_less_and_more_load_is_rejected_more(load: float, capacity: int) -> None:
    here = md1c_loss(load, capacity)

    assert md1c_loss(load, capacity + 1) <= here * (1 + 1e-12)
    assert here <= md1c_loss(load * 1.01, capacity)
    assert max(0.0, 1 - 1 / load) - 1e-12 <= here < 1


def embedded_wait(load: float, places: int) -> float:
    """The mean wait in service times, from the stationary distribution of the embedded Markov chain.

    The chain is iterated as it is defined: a departure leaves n behind, then Poisson arrivals join as far
    as there are places.
    """
    arrivals = [math.exp(-load) * load**k / math.factorial(k) for k in range(60)]
    left = [1 / places] * places
    difference = 1.0
    while difference > 1e-15:
        after = [0.0] * places
        for n, probability in enumerate(left):
            for k, chance in enumerate(arrivals):
                after[min(max(n, 1) - 1 + k, places - 1)] += probability * chance
        difference = max(abs(new - old) for new, old in zip(after, left, strict=True))
        left = after
    lost = 1 - 1 / (left[0] + load)
    number = sum(n * probability for n, probability in enumerate(left)) * (1 - lost) + places * lost
    return number / (load * (1 - lost)) - 1


@pytest.mark.parametrize(("load", "capacity"), [(0.3, 2), (0.8, 5), (0.95, 10), (1, 6), (1.3, 4), (3, 5)])
def test_the_wait_of_a_finite_queue_agrees_with_its_markov_chain(load: float, capacity: int) -> None:
    assert md1c_wait_s(load * 4, 4, capacity) * 4 == pytest.approx(embedded_wait(load, capacity), rel=1e-9)


@given(load=st.floats(0.01, 0.9))
def test_the_wait_of_a_long_queue_is_that_of_an_endless_one(load: float) -> None:
    assert md1_wait_s(load, 1) == pytest.approx(md1c_wait_s(load, 1, 2000), rel=1e-9)


@pytest.mark.parametrize(
    ("load", "lost", "wait"),
    [
        (0.5, 0, 0.5),  # M/D/1: rho / (2 (1 - rho))
        (0.999999999, 0, None),
        (1, 0, 5e14),  # at full load all levels are equally frequent
        (2, 0.5, 1e15),
    ],
)
def test_a_queue_that_nobody_can_fill_is_worked_out_as_fast_as_a_long_one(
    load: float, lost: float, wait: float | None
) -> None:
    assert md1c_loss(load, 10**15) == pytest.approx(lost, abs=1e-6)
    assert md1c_wait_s(load, 1, 10**15) == pytest.approx(wait or md1_wait_s(load, 1), rel=1e-3)


@given(load=st.floats(0.01, 100), capacity=places)
def test_who_gets_in_waits_for_those_ahead_at_most(load: float, capacity: int) -> None:
    assert 0 <= md1c_wait_s(load, 1, capacity) <= capacity - 1 + 1e-9


@pytest.mark.parametrize(("load", "capacity", "expected"), [(0, 5, 0), (5, 2000, 1998.9), (1e6, 3, 2)])
def test_the_wait_of_a_flooded_queue_is_nearly_its_length(
    load: float, capacity: int, expected: float
) -> None:
    assert expected == pytest.approx(md1c_wait_s(load, 1, capacity), rel=1e-3)


@given(load=loads, capacity=places)
def test_constant_service_loses_less_than_random_service(load: float, capacity: int) -> None:
    assert md1c_loss(load, capacity) <= mm1k_loss(load, capacity) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("load", "capacity", "expected"),
    [
        (0, 3, 0),
        (1000, 1, 1000 / 1001),
        (1000, 3, 0.999),
        (1e6, 2, 1 - 1e-6),
        (39, 2, 38 / 39),
        (1e-9, 2, 5e-19),
        (0.85, 5000, 0),
        (3, 5000, 2 / 3),
    ],
)
def test_extreme_loads_and_buckets_neither_overflow_nor_cancel(
    load: float, capacity: int, expected: float
) -> None:
    assert expected == pytest.approx(md1c_loss(load, capacity), rel=1e-8)


def test_waits_are_those_of_the_table() -> None:
    # waits in service times at loads of 0.8, 0.9 and 0.95
    assert [2.0, 4.5, 9.5] == [pytest.approx(md1_wait_s(load, 1)) for load in (0.8, 0.9, 0.95)]
    assert 4.444444 == pytest.approx(mmc_wait_s(0.2, 10, 3), abs=5e-7)
    assert 0.444444 == pytest.approx(erlang_c(0.2 * 10, 3), abs=5e-7)


@pytest.mark.parametrize(("offered", "servers", "expected"), [(7, 10, 0.0787409), (90, 100, 0.0269574)])
def test_erlang_b_is_that_of_the_table(offered: float, servers: int, expected: float) -> None:
    assert expected == round(erlang_b(offered, servers), 7)


def test_erlang_c_is_that_of_the_table() -> None:
    assert 0.2217312 == round(erlang_c(7, 10), 7)


@given(offered=st.floats(0.01, 50), servers=st.integers(1, 60))
def test_erlang_b_is_the_last_term_of_the_truncated_poisson_sum(offered: float, servers: int) -> None:
    terms = [math.exp(k * math.log(offered) - math.lgamma(k + 1) - offered) for k in range(servers + 1)]

    assert erlang_b(offered, servers) == pytest.approx(terms[-1] / math.fsum(terms), rel=1e-9)


@pytest.mark.parametrize(("load", "capacity", "expected"), [(0.9, 10, 0.0508137), (0.9, 20, 0.0136514)])
def test_mm1k_is_that_of_the_table(load: float, capacity: int, expected: float) -> None:
    assert expected == round(mm1k_loss(load, capacity), 7)


@given(load=st.floats(0.05, 3).filter(lambda load: abs(load - 1) > 0.01), capacity=places)
def test_mm1k_agrees_with_its_closed_form(load: float, capacity: int) -> None:
    closed = (1 - load) * load**capacity / (1 - load ** (capacity + 1))

    assert mm1k_loss(load, capacity) == pytest.approx(closed, rel=1e-9)


def test_mm1k_at_full_load_rejects_one_of_all_places_and_the_arrival() -> None:
    assert 1 / 11 == pytest.approx(mm1k_loss(1, 10))


@given(rate=st.floats(0.1, 100), load=st.floats(0.01, 0.99))
def test_constant_service_waits_half_as_long_and_both_are_cases_of_pollaczek_khinchine(
    rate: float, load: float
) -> None:
    service = rate / load

    assert 2 * md1_wait_s(rate, service) == pytest.approx(mm1_wait_s(rate, service))
    assert md1_wait_s(rate, service) == pytest.approx(mg1_wait_s(rate, 1 / service, 0))
    assert mm1_wait_s(rate, service) == pytest.approx(mg1_wait_s(rate, 1 / service, 1 / service**2))
    assert mm1_wait_s(rate, service) == pytest.approx(mmc_wait_s(rate, 1 / service, 1))


def test_at_full_load_the_wait_has_no_end() -> None:
    assert [math.inf] * 4 == [md1_wait_s(1, 1), mm1_wait_s(2, 1), mg1_wait_s(1, 1, 0), mmc_wait_s(3, 1, 3)]


@pytest.mark.parametrize(
    ("call", "arguments", "problem"),
    [
        (md1_wait_s, (1, 0), "service_rate_per_s is 0; give a number above 0"),
        (md1c_loss, (float("inf"), 1), "load is inf"),
        (md1c_loss, ("1", 1), "load is '1'"),
        (md1c_loss, (1, 0), "places is 0; give a whole number of at least 1"),
        (md1c_loss, (1, 2.0), "places is 2.0"),
        (md1c_loss, (1, True), "places is True"),
        (md1_wait_s, (-1, 1), "rate_per_s is -1; give a finite number of at least 0"),
        (smallest_capacity, (0.5, 0), "loss is 0; give a share between 0 and 1"),
        (smallest_capacity, (0.5, float("nan")), "loss is nan"),
    ],
)
def test_a_number_that_cannot_be_is_rejected(
    call: Callable[..., Any], arguments: tuple[Any, ...], problem: str
) -> None:
    with pytest.raises(InvalidLimit, match=problem):
        call(*arguments)


@pytest.mark.parametrize("load", [1e7, 1e9, 7e15, 1e17, 1e300])
def test_under_any_overload_an_admitted_request_waits_for_all_places_but_its_own(load: float) -> None:
    """It takes the place that a departure leaves, at the begin of the next of C - 1 services."""
    assert 4 == pytest.approx(md1c_wait_s(load, 1, 5), rel=1e-6)
