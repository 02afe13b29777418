"""Test what a log says of its requests beside their times: clients and costs, in the order of the times."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from hook_widgets._access_logs import log_text
from hook_widgets._access_logs.log_clients import RecordFields, common_fields
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Chunk, PerClient, TokenBucket, simulate, simulate_chunks
from hook_widgets.ratelimit.traffic import access_log

COMBINED = """\
192.0.2.2 - ann lee [10/Oct/2026:13:00:02 +0000] "POST /b?c=1 HTTP/1.1" 201 5 "-" "curl/8"
192.0.2.1 - - [10/Oct/2026:13:00:01 +0000] "GET /a HTTP/1.1" 200 512 "-" "curl/8"
192.0.2.3 - bob [10/Oct/2026:13:00:03 +0000] "-" 400 0 "-" "-"
"""


@pytest.fixture
def log(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "access.log"
        path.write_text(text)
        return str(path)

    return write


def test_an_access_log_has_five_fields_in_the_order_of_the_times(log):
    chunk = Chunk.from_log(log(COMBINED), ["ip", "user", "method", "path", "status"], origin="first")

    assert (0, 10**9, 2 * 10**9) == chunk.arrivals.times_ns
    assert {
        "ip": ["192.0.2.1", "192.0.2.2", "192.0.2.3"],
        "user": ["", "ann lee", "bob"],
        "method": ["GET", "POST", "-"],
        "path": ["/a", "/b?c=1", ""],
        "status": ["200", "201", "400"],
    } == chunk.clients
    assert chunk.costs is None


# Of Docker ("JSON File logging driver"), Amazon Athena ("Querying Application Load Balancer logs"), Elastic
# (the Common Schema) and IIS.
OTHER_NAMES = {
    "a line inside": (
        '{"log":"192.0.2.%d - - [10/Oct/2026:13:00:0%d +0000] \\"GET / HTTP/1.1\\" 429 5\\n",'
        '"stream":"stdout","time":"2026-10-10T13:00:09.5Z"}'
    ),
    "a column": "request_creation_time,client_ip,elb_status_code\n2026-10-10T13:00:0%d.0Z,192.0.2.%d,429",
    "a path of keys": (
        '{"@timestamp":"2026-10-10T13:00:0%d.0Z","source":{"address":"192.0.2.%d"},'
        '"http":{"response":{"status_code":429}}}'
    ),
    "W3C": "#Fields: date time c-ip sc-status\n2026-10-10 13:00:0%d 192.0.2.%d 429",
}


@pytest.mark.parametrize("form", OTHER_NAMES.values(), ids=OTHER_NAMES.keys())
def test_client_and_status_are_found_where_they_have_other_names(form, log):
    chunk = Chunk.from_log(log("\n".join(form % (second, second) for second in (1, 2))), ["ip", "status"])

    assert {"ip": ["192.0.2.1", "192.0.2.2"], "status": ["429", "429"]} == chunk.clients


@pytest.mark.parametrize(
    "line",
    [
        '[GIN] 2026/10/10 - 13:00:01 | 200 | 1.2ms | 192.0.2.1 | GET      "/a?b=1"',
        '{"ts":1791640536,"request":{"uri":"/a?b=1","headers":{"Path":["/c"]}},"status":200}',
    ],
)
def test_the_path_is_found_where_it_has_another_name(line, log):
    assert ["/a?b=1"] == Chunk.from_log(log(line), ["path"]).clients["path"]


def test_a_column_with_the_name_of_a_field_is_that_column(log):
    chunk = Chunk.from_log(log("t,ip,client_ip\n1,,192.0.2.1\n2,a,192.0.2.2\n"), ["ip"])

    assert ["", "a"] == chunk.clients["ip"]


def test_a_log_is_replayed_through_a_limit_per_client(log):
    lines = [f'{{"t": {k / 10}, "who": {{"id": {k % 3}}}, "points": {1 + k % 2}}}' for k in range(30)]
    chunk = Chunk.from_log(log("\n".join(lines)), {"user": "who.id"}, "points", column="t")

    run = simulate(PerClient("user", TokenBucket(4, 2)), chunk.arrivals, chunk.costs, clients=chunk.clients)

    users, costs = [str(k % 3) for k in range(30)], [1 + k % 2 for k in range(30)]
    expected = simulate(
        PerClient("user", TokenBucket(4, 2)), [k / 10 for k in range(30)], costs, clients={"user": users}
    )
    assert expected.admitted == run.admitted
    assert False in run.admitted


def test_clients_follow_the_begins_where_a_log_has_ends_and_durations(log):
    rows = ["time,duration_s,user", "100.5,0.9,slow", "100.2,0.1,quick", "100.9,0.5,late"]

    chunk = Chunk.from_log(log("\n".join(rows)), ["user"], duration="duration_s", origin="first")

    assert ["slow", "quick", "late"] == chunk.clients["user"]
    assert [99_600_000_000, 100_100_000_000, 100_400_000_000] == list(chunk.arrivals.times_ns)


def test_the_files_of_a_longer_log_have_one_origin(tmp_path):
    days = []
    for day in ("10", "11"):
        days.append(tmp_path / f"{day}.log")
        days[-1].write_text(COMBINED.replace("10/Oct", f"{day}/Oct"))
    origin = datetime(2026, 10, 10, 13, tzinfo=UTC)
    limit = PerClient("ip", TokenBucket(1, "1/day"))

    run = simulate_chunks(limit, (Chunk.from_log(day, ["ip"], origin=origin) for day in days))

    assert (1, 86_403) == (run.columns[0].begin_s, round(run.summary().span_s + 1))
    assert (6, 6) == (run.summary().offered, run.summary().admitted)
    with pytest.raises(InvalidArrivals, match="origin is after the first request"):
        Chunk.from_log(days[0], origin=datetime(2026, 10, 11, tzinfo=UTC))
    with pytest.raises(InvalidArrivals, match="without a time zone"):
        Chunk.from_log(days[0], origin=datetime(2026, 10, 10))  # noqa: DTZ001


@pytest.mark.parametrize(
    "text",
    [
        COMBINED * 3,
        '{"t": 3, "ip": "b"}\n\n{torn\n{"t": 1, "ip": "a"}\n{"t": 1, "ip": "c"}\n',
        't,ip\n3,"b\nb"\n\n2,"torn\n1,a\n1,c',
    ],
)
def test_a_log_longer_than_a_block_is_read_as_a_whole(log, monkeypatch, text):
    def read() -> tuple[object, ...]:
        chunk = Chunk.from_log(path, ["ip"])
        return chunk.arrivals.times_ns, chunk.arrivals.log, chunk.clients, chunk.statuses

    path = log(text)
    expected = read()
    monkeypatch.setattr(log_text, "_BLOCK", 5)
    monkeypatch.setattr(access_log, "_BATCH", 2)

    assert expected == read()


BEFORE = (
    "192.0.2.1 - - ", "192.0.2.1 - ann ", "::1 - - ", "[::1]:80 - - ", "- - - ", "a.example - ann@b ",
    " 192.0.2.1 - - ", "\t192.0.2.1 - - ", "2026-10-10 - - ", '"192.0.2.1 - - ', "192.0.2.1  - - ",
    "192.0.2.1 - ", "192.0.2.1:80 - - ", "192.0.2.1,10.0.0.1 - - ", "192.0.2.1, 10.0.0.1 - - ",
    "192.0.2.1 - ann lee ", "host 192.0.2.1 - - ", "\x0b - - ", "status=500 - - ",
    '10.0.0.1 - bob ["\n192.0.2.1 - - ', "",
)  # fmt: skip
TIMES = ("[10/Oct/2026:13:55:36 +0000] ", "[10/Oct/2026:13:55:36 +0000] =", "[a] [b] ", "[", '[" ', "10:00 ")
REQUESTS = (
    '"GET / HTTP/1.1"', '"GET /status=404 HTTP/1.1"', '"GET /?q=\\" 404 5\\" HTTP/1.1"',
    '"GET /\\x22 HTTP/1.1"', '"-"', '"get / HTTP/1.1"', '"GET / HTTP/1.1', 'GET / HTTP/1.1',
    '"GET /" 302 5" "GET /', '"PROPFIND / HTTP/1.1"', '"GET / status: 404"', '"GET /\n/ HTTP/1.1"',
    '"GET /status HTTP/1.1"', '"GET /?q=\\" 404 5 \\" HTTP/1.1"',
)  # fmt: skip
BEHIND = (
    " 200 512", " 200 -", " 200 512\n", " 200", " 099 512", " 200 x", " 200 512x", "  200 512",
    ' 200 512 "-" "curl/8"', ' 200 512 "-" "a" status=503', ' 200 512 "-" "a" http_status:503',
    " 200 512 responded 404 in 1.5 ms", " 200 512 5 ms", ' 200 512 "-" " 404 5"', ' 200 512 "\\"', "\n",
    " 200 512 0/0/0/0/0 503 status=504", "",
)  # fmt: skip


def test_lines_of_the_common_form_have_the_same_fields_at_once_as_one_by_one():
    rng, fields, at_once = random.Random("common"), RecordFields(), 0
    lines = ["".join(parts) for parts in product(BEFORE, TIMES, REQUESTS, BEHIND)]
    good = [line for line in lines if common_fields([line], {}) is not None]
    for number in range(len(lines) + 2_000):
        batch = lines[number : number + 1] or rng.choices(good, k=4) + rng.choices(
            lines, k=rng.choice([0, 0, 1])
        )

        common = common_fields(batch, {})

        if common is not None:
            one_by_one = [(*fields.client(line), fields.status(line)) for line in batch]
            assert one_by_one == list(zip(*common, strict=True)), batch
            at_once += 1
    assert at_once > 1_500
    assert len(good) > 200


def test_equal_clients_are_one_text(log):
    client: Any = Chunk.from_log(log(COMBINED * 2), ["ip"]).clients["ip"]

    assert client[0] is client[1]


def test_lines_that_cannot_be_read_have_no_client_and_a_missing_field_is_empty(log):
    lines = [
        json.dumps({"t": 1, "user": "a"}),
        "{torn",
        json.dumps({"t": 2}),
        json.dumps({"t": 3, "user": "-"}),
    ]

    assert ["a", "", ""] == Chunk.from_log(log("\n".join(lines)), ["user"]).clients["user"]


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        (COMBINED, {"clients": ["ipp"]}, "no field 'ipp'; did you mean 'ip'"),
        ('{"t": 1, "user": "a"}', {"clients": ["usr"]}, "no request has a field 'usr'; did you mean 'user'"),
        ("time,cost\n1,two", {"cost": "cost"}, "cost is 'two'; give whole numbers"),
        ("time,cost\n1,0", {"cost": "cost"}, "cost is '0'; give whole numbers"),
        ("time,cost\n1,²", {"cost": "cost"}, "give whole numbers"),
    ],
)
def test_a_field_that_cannot_be_is_rejected(log, text, options, complaint):
    with pytest.raises(InvalidArrivals, match=complaint):
        Chunk.from_log(log(text), **options)


def any_lines(rng: random.Random, form: str) -> list[str]:
    """Lines of a log in the order of their ends, many of them in the same second."""
    lines, ms = [], 1_791_640_536_007
    for _ in range(rng.randint(3, 60)):
        ms += rng.choice([0, 0, 5, 310, 1000, 61_000, 86_400_000 * (rng.random() < 0.1)])
        at = datetime.fromtimestamp(ms / 1000, UTC)
        ip, took_s = f"192.0.2.{rng.randrange(4)}", rng.choice([0, 0.25, 1, 2.5])
        if form == "combined":
            lines.append(f'{ip} - - [{at:%d/%b/%Y:%H:%M:%S %z}] "GET / HTTP/1.1" 200 5 "-" "curl/8"')
        elif form == "combined with durations":
            lines.append(f'{ip} - - [{at:%d/%b/%Y:%H:%M:%S %z}] "GET / HTTP/1.1" 200 5 "-" "curl/8" {took_s}')
        else:
            record = {
                "ts": ms / 1000,
                "duration": took_s,
                "remote_ip": ip,
                "status": 200,
                "n": rng.randint(1, 3),
            }
            lines.append(json.dumps(record))
    return lines


def requests_of(chunk: Chunk) -> list[tuple[int, ...]]:
    """Return time, client, duration and cost of each request."""
    times: Any = chunk.arrivals.times_ns
    columns: list[Any] = [chunk.clients["ip"], chunk.arrivals.durations_ns, chunk.costs]
    return list(zip(times, *(column or [0] * len(times) for column in columns), strict=True))


ORIGIN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("form", ["combined", "combined with durations", "json"])
@pytest.mark.parametrize("spread", ["even", "random", "none"])
def test_a_log_of_several_files_is_that_of_one_file(form, spread, tmp_path):
    """Wherever it is cut: in the middle of a second, or between the end of a request and its begin."""
    rng = random.Random(f"{form} {spread}")
    options: dict[str, Any] = {"spread": spread, "origin": rng.choice(["first", "midnight"])}
    options |= {"cost": "n"} if form == "json" else {}
    options |= {"duration": "last"} if form == "combined with durations" else {}
    overlaps = 0
    for case in range(40):
        lines = any_lines(rng, form)
        cut = rng.randint(1, len(lines) - 1)
        whole, *parts = [tmp_path / f"{case} {name}.log" for name in ("whole", "first", "second")]
        for path, some in zip((whole, *parts), (lines, lines[:cut], lines[cut:]), strict=True):
            path.write_text("\n".join(some))

        chunks = list(Chunk.from_logs(parts, ["ip"], **options))
        at_once = Chunk.from_log(whole, ["ip"], **options)

        assert requests_of(at_once) == [row for chunk in chunks for row in requests_of(chunk)]
        assert sum(chunk.statuses["200"] for chunk in chunks) == len(lines)
        with suppress(InvalidArrivals):
            alone = [Chunk.from_log(path, ["ip"], **options | {"origin": ORIGIN}) for path in parts]
            overlaps += alone[0].arrivals.times_ns[-1] >= alone[1].arrivals.times_ns[0]
    assert overlaps > 5


def test_a_path_is_a_log_of_one_file_and_files_in_another_order_are_an_error(log, tmp_path):
    first = log(COMBINED)
    (chunk,) = Chunk.from_logs(first)
    assert 3 == len(chunk.arrivals)

    second, third, fourth, fifth = (tmp_path / f"{day}.log" for day in (11, 12, 13, 14))
    for path in (second, third, fourth, fifth):
        path.write_text(COMBINED.replace("10/Oct", f"{path.stem}/Oct"))
    logs = Chunk.from_logs([first, second, third])
    assert (9, 0) == (simulate_chunks(TokenBucket(3, 1), logs).summary().offered, len(list(logs)))
    with pytest.raises(InvalidArrivals, match=r"11\.log begins before the end of the file before it; sort"):
        list(Chunk.from_logs([third, fourth, fifth, second]))


def test_files_of_two_forms_are_not_mixed(log, tmp_path):
    """Of which one has times of the ends, and the other has no durations."""
    first, other = log(COMBINED), tmp_path / "other.log"
    line = '{"time_iso8601":"2026-10-10T13:00:0%s+00:00","request_time":1.0,"remote_addr":"192.0.2.9"}'

    other.write_text(line % 3.5)
    with pytest.raises(
        InvalidArrivals, match=r"other\.log begins before the end .* sort the files, of one form"
    ):
        list(Chunk.from_logs([first, other], ["ip"]))
    other.write_text(line % 9.5)
    assert [3, 1] == [len(chunk.arrivals) for chunk in Chunk.from_logs([first, other], ["ip"])]


@pytest.mark.parametrize("text", ["", "\n\n", "time,ip\n"], ids=["nothing", "empty lines", "a header"])
def test_a_file_that_was_just_rotated_is_passed_over(text, log, tmp_path):
    empty, first = tmp_path / "empty.log", log("time,ip\n2026-10-10T13:00:01.5Z,192.0.2.1\n")
    empty.write_text(text)

    for paths in ([first, empty], [empty, first], [empty, first, empty]):
        assert [1] == [len(chunk.arrivals) for chunk in Chunk.from_logs(paths, ["ip"])]
    with pytest.raises(InvalidArrivals, match=r"empty\.log (is empty|has a header and no request)"):
        list(Chunk.from_logs([empty, empty], ["ip"]))
    assert [] == list(Chunk.from_logs([]))
