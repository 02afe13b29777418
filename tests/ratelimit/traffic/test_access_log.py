from __future__ import annotations

import gzip
import sys
from collections import Counter
from importlib import import_module

import pytest

from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
from hook_widgets.ratelimit.traffic import access_log

COMBINED = """\
203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl/8.0"
203.0.113.8 - ada [10/Oct/2026:15:55:38 +0200] "POST /b HTTP/1.1" 429 0 "-" "x"

203.0.113.7 - - [10/Oct/2026:13:55:37 +0000] "GET /[c] HTTP/1.1" 200 12 "-" "curl/8.0"
"""
NOON_S = 13 * 3600 + 55 * 60 + 36


@pytest.fixture
def log(tmp_path):
    def write(text: str | bytes):
        path = tmp_path / "requests.log"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_an_access_log_is_read_and_sorted_from_midnight(log):
    assert (NOON_S, NOON_S + 1, NOON_S + 2) == Arrivals.from_log(log(COMBINED)).times_s


def test_time_can_begin_at_the_first_request(log):
    assert (0, 1, 2) == Arrivals.from_log(log(COMBINED), origin="first").times_s


@pytest.mark.parametrize(
    "text",
    [
        "time\n0\n0.25\n1e0\n",
        "user, Timestamp\nada,0\nbob,0.25\nada,1\n",
        'ts,path\n0,"a,\nb"\n0.25,c\n1,d\n',
        '{"t": 0}\n{"t": 0.25, "x": {}}\n\n{"t": 1}\n',
        '{"t": "1"}\n{"t": "0.25"}\n{"t": 0}\n',
        "\ufefftime\r\n0\r\n0.25\r\n1\r\n",
    ],
)
def test_csv_and_json_lines_are_read(log, text):
    assert (0.0, 0.25, 1.0) == Arrivals.from_log(log(text)).times_s


@pytest.mark.parametrize(
    "text",
    [
        "time\n2026-10-10T00:00:01.5Z\n2026-10-10T02:00:02+02:00\n2026-10-10 00:00:03\n",
        '{"ts": "2026-10-10T00:00:01.50Z"}\n{"ts": "2026-10-10T00:00:02Z"}\n{"ts": "2026-10-10T00:00:03Z"}\n',
        "time\n1791590401.5\n1791590402\n1791590403\n",
    ],
)
def test_times_of_the_calendar_count_from_midnight(log, text):
    assert (1.5, 2.0, 3.0) == Arrivals.from_log(log(text)).times_s


def test_the_column_can_be_named(log):
    text = "time,sent\n9,1\n9,2\n"

    assert (1.0, 2.0) == Arrivals.from_log(log(text), column="sent").times_s
    assert (3.0,) == Arrivals.from_log(log('{"a": 3}'), column="a").times_s


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("time\n", "has a header and no request"),
        (
            COMBINED.replace("10/Oct", "10/Okt"),
            "line 1: '[10/Okt/2026:13:55:36 +0000]' is no moment in '203.",
        ),
        (
            "what is this\nor that\n",
            "line 1: there is no time in 'what is this', as 2 of 2 lines; tried 10/Oct/",
        ),
        ("user,path\nada,/\n", "line 1: there is no column with a time among user, path; name it"),
        ("time,x\n1,2\n\nsoon,3\n", "line 4: 'soon' is no time in 'soon,3'; tried "),
        ("x,time\n1,2\n3\n", "line 3: the line ends before column 'time' in '3'"),
        ("time\n1\n-2\n", "line 3: the time '-2' is negative"),
        ("time\n1\n\n1.2.3\n", "line 4: '1.2.3' is no time"),
        ('{"t": 1}\n{"t": }\n', "line 2: this is not JSON"),
        ('{"t": 1}\n[1]\n', "line 2: this is no JSON object"),
        ('{"t": 1}\n{"x": 1}\n', "line 2: there is no 't'"),
        ('{"t": null}\n', "line 1: there is no key with a time among t; name it"),
        ('{"t": NaN}\n', "line 1: there is no key with a time among t; name it"),
        (b"time\n1\n\xff\n", "line 3: '\ufffd' is no time"),
    ],
)
def test_trouble_is_reported_with_the_line(log, text, complaint):
    with pytest.raises(InvalidArrivals) as caught:
        Arrivals.from_log(log(text))

    assert complaint in str(caught.value)


def test_the_text_of_a_log_in_place_of_its_path_is_reported_briefly():
    with pytest.raises(InvalidArrivals, match=r"is the text of a log; save it") as caught:
        Arrivals.from_log("time,status\n" + "2026-11-01T00:00:00Z,200\n" * 9999)

    assert len(str(caught.value)) < 120


def test_a_missing_file_or_column_and_a_wrong_origin_are_reported(log, tmp_path):
    with pytest.raises(InvalidArrivals, match="cannot be read: No such file"):
        Arrivals.from_log(tmp_path / "none.log")
    with pytest.raises(InvalidArrivals, match="line 1: there is no column 'sent' among time"):
        Arrivals.from_log(log("time\n1\n"), column="sent")
    with pytest.raises(InvalidArrivals, match="line 1: there is no key 'sent'"):
        Arrivals.from_log(log('{"t": 1}'), column="sent")
    with pytest.raises(InvalidArrivals, match="which has no columns"):
        Arrivals.from_log(log(COMBINED), column="sent")
    with pytest.raises(InvalidArrivals, match="did you mean 'midnight'"):
        Arrivals.from_log(log(COMBINED), origin="midnigth")


def clf(*seconds: int, user: str = "-") -> str:
    return "".join(
        f'192.0.2.1 - {user} [10/Oct/2026:00:00:{second:02} +0000] "GET / HTTP/1.1" 200 1\n'
        for second in seconds
    )


def test_requests_of_a_whole_second_are_spread_over_it(log):
    arrivals = Arrivals.from_log(log(clf(1, 1, 2, 4, 4, 4, 4)))

    assert (1.0, 1.5, 2.0, 4.0, 4.25, 4.5, 4.75) == arrivals.times_s
    assert arrivals.pattern.endswith("requests.log, whole seconds spread (even)")


def test_requests_of_a_whole_second_are_spread_at_random_by_a_seed(log):
    path = log(clf(*[7] * 50, *[8] * 50))

    first, again, other = (Arrivals.from_log(path, spread="random", seed=seed) for seed in (1, 1, 2))

    assert first == again != other
    assert {7: 50, 8: 50} == Counter(map(int, first.times_s))
    assert 90 < len(set(first.times_s))
    assert first.pattern.endswith("whole seconds spread (random)")


def test_whole_seconds_may_stay_as_they_are(log):
    arrivals = Arrivals.from_log(log(clf(1, 1, 2)), spread="none")

    assert [1.0, 1.0, 2.0] == list(arrivals)
    assert "spread" not in arrivals.pattern


@pytest.mark.parametrize("text", ["time\n1\n1\n2.5\n", "time\n1\n2\n3\n"])
def test_finer_times_and_single_requests_are_not_moved(log, text):
    arrivals = Arrivals.from_log(log(text))

    assert arrivals == Arrivals.from_log(log(text), spread="none")
    assert "spread" not in arrivals.pattern


def test_spread_requests_do_not_exceed_a_limit_that_they_kept(log):
    """200 a second against 250 a second: whole seconds would have half of them rejected."""
    bucket, path = TokenBucket(100, "250/s"), log(clf(*[k // 200 for k in range(200 * 60)]))

    rejected = [
        simulate(bucket, Arrivals.from_log(path, spread=spread)).summary().rejected_fraction
        for spread in ("even", "random", "none")
    ]

    assert [0, 0] == rejected[:2]
    assert 0.49 < rejected[2] < 0.51


def test_a_spread_that_does_not_exist_is_an_error(log):
    with pytest.raises(InvalidArrivals, match="spread is 'evn'; did you mean 'even'"):
        Arrivals.from_log(log(clf(1)), spread="evn")


@pytest.mark.parametrize("user", ["[10/Oct/2026:00:00:01", "[x]", "a[10/Oct/2026:00:00:01 +0000"])
def test_a_bracket_in_a_name_does_not_hide_the_time(log, user):
    assert (1, 2, 3) == Arrivals.from_log(log(clf(1) + clf(2, user=user) + clf(3))).times_s


ZSTD = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
COMPRESSIONS = pytest.mark.parametrize(
    ("name", "compress"), [("gzip", gzip.compress), ("zstd", ZSTD.compress)], ids=["gzip", "zstd"]
)


@COMPRESSIONS
def test_a_log_may_be_compressed(log, name, compress):
    times_s = Arrivals.from_log(log(COMBINED)).times_s

    assert times_s == Arrivals.from_log(log(compress(COMBINED.encode()))).times_s


def test_a_compressed_log_may_have_several_frames_and_one_to_be_skipped(log):
    first, *others = COMBINED.encode().splitlines(keepends=True)
    packed = ZSTD.compress(first) + ZSTD.compress(b"".join(others))
    skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc"  # magic number, length and content: RFC 8878 section 3.1.2

    assert Arrivals.from_log(log(COMBINED)).times_s == Arrivals.from_log(log(skipped + packed)).times_s


@COMPRESSIONS
@pytest.mark.parametrize("cut", [5, 12, -9, -1])
def test_a_damaged_compressed_log_is_an_error(log, name, compress, cut):
    with pytest.raises(InvalidArrivals, match=f"is a damaged {name} file; compress the log again"):
        Arrivals.from_log(log(compress(COMBINED.encode())[:cut]))


def test_gzip_is_recognized_by_two_bytes(log):
    with pytest.raises(InvalidArrivals, match="is a damaged gzip file; compress the log again"):
        Arrivals.from_log(log(gzip.compress(b"")[:3]))


@COMPRESSIONS
def test_a_small_file_that_unpacks_to_a_huge_one_is_an_error(log, monkeypatch, name, compress):
    monkeypatch.setattr(access_log, "_MAX_BYTES", 1_000)

    with pytest.raises(InvalidArrivals, match="GB; give a part of it"):
        Arrivals.from_log(log(compress(b"0\n" * 10_000)))


def test_a_missing_library_for_zstd_is_an_error(log, monkeypatch):
    monkeypatch.setitem(sys.modules, ZSTD.__name__, None)

    with pytest.raises(InvalidArrivals) as caught:
        Arrivals.from_log(log(ZSTD.compress(COMBINED.encode())))

    assert str(caught.value) == (
        "a log compressed with zstd needs backports.zstd, which is not installed; "
        'install it: %pip install "hook-widgets[log]"'
    )
