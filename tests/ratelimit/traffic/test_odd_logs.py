"""Logs that were joined, exported or converted: no wrong number without a word."""

from __future__ import annotations

import json
from datetime import datetime
from zoneinfo import ZoneInfo, available_timezones

import pytest

from hook_widgets._access_logs.log_zones import NAMED_ZONES
from hook_widgets.errors import InvalidArrivals
from hook_widgets.ratelimit import Arrivals
from hook_widgets.ratelimit.traffic.logged import describe_log

SECOND = 1791640536  # 2026-10-10T13:55:36Z


@pytest.fixture
def log(tmp_path):
    def write(text: str):
        path = tmp_path / "odd.log"
        path.write_bytes(text.encode())
        return path

    return write


def json_lines(*records: dict) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


# Of three requests, the second a quarter of a second after the first, the third ten seconds after it.
ODD = {
    "without separators": "time\n20261010T135536Z\n20261010T135536.250Z\n20261010T135546Z\n",
    "digits only": "time\n20261010135536\n20261010135536250\n20261010135546\n",
    "digits only, as numbers": json_lines(
        {"time": 20261010135536}, {"time": 20261010135536250}, {"time": 20261010135546}
    ),
    "a second byte order mark": f"\ufefftime\n{SECOND}\n{SECOND}.25\n\ufeff{SECOND + 10}\n",
    "the header again": f"time,x\n{SECOND},1\n{SECOND}.25,2\ntime,x\n{SECOND + 10},3\n",
    "a header with other columns": f"time,x\n{SECOND},1\n{SECOND}.25,2\nx,y,time\n3,4,{SECOND + 10}\n",
    "a cell with the name of the column": f"time,x\n{SECOND},1\n{SECOND}.25,time\n{SECOND + 10},3\n",
    "no header, nanoseconds": f"{SECOND}000000000,200\n{SECOND}250000000,200\n{SECOND + 10}000000000,200\n",
    "no header, time behind": f"/a;{SECOND}\n/b;{SECOND}.25\n/c;{SECOND + 10}\n",
    "two columns of a name": f"time,time\n{SECOND},0.1\n{SECOND}.25,0.2\n{SECOND + 10},0.3\n",
    "a comma in the time of columns": (
        "level,time,text\nI,2026-10-10 13:55:36,000,a\nI,2026-10-10 13:55:36,250,b\n"
        "I,2026-10-10 13:55:46,000,c\n"
    ),
    "seconds and nanoseconds": json_lines(
        *(
            {"timestamp": {"seconds": str(SECOND + s), "nanos": ns}}
            for s, ns in ((0, 0), (0, 25 * 10**7), (10, 0))
        )
    ),
    "seconds and microseconds": f"sec,usec\n{SECOND},0\n{SECOND},250000\n{SECOND + 10},0\n",
    # logging.apache.org, "JSON Template Layout": epochSecond and nanoOfSecond
    "an instant of Log4j": json_lines(
        *(
            {"instant": {"epochSecond": SECOND + s, "nanoOfSecond": ns}}
            for s, ns in ((0, 0), (0, 25 * 10**7), (10, 0))
        )
    ),
    "a date in digits beside the time of day": (
        "date,time\n20261010,13:55:36\n20261010,13:55:36.250\n20261010,13:55:46\n"
    ),
    "a duration of something else": json_lines(
        *(
            {"time": f"2026-10-10T13:55:{s}Z", "session": {"duration_s": 86400 * k}}
            for k, s in enumerate(("36", "36.25", "46"))
        )
    ),
    # HAR 1.2: log.pages has startedDateTime, too.
    "HAR with a page": json.dumps(
        {
            "log": {
                "pages": [{"startedDateTime": "2026-10-10T13:55:00Z"}],
                "entries": [{"startedDateTime": f"2026-10-10T13:55:{s}Z"} for s in ("36", "36.25", "46")],
            }
        }
    ),
    "an older date behind the time": "".join(
        f"2026-10-10T13:55:{s}Z GET /a since=2020-01-01T00:00:00Z\n" for s in ("36", "36.250", "46")
    ),
    "milliseconds from the start": "time_ms,status\n0,200\n250,200\n10000,200\n",
    "microseconds from the start": "status,t_us\n200,0\n200,250000\n200,10000000\n",
    "nanoseconds from the start": '{"timeNs": 0}\n{"timeNs": 250000000}\n{"timeNs": 10000000000}\n',
    "a unit in brackets": "Time (ms),status\n0,200\n250,200\n10000,200\n",
    "a unit of a date": f"time_ms,status\n{SECOND}000,200\n{SECOND}250,200\n{SECOND + 10}000,200\n",
    "long before, in milliseconds": "time_ms\n1\n251\n10001\n",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_an_odd_log_is_read_without_loss(log, text):
    arrivals = Arrivals.from_log(log(text), origin="first")
    first = arrivals.times_ns[0]

    assert (0, 250_000_000, 10_000_000_000) == tuple(t - first for t in arrivals.times_ns)
    assert arrivals.log is not None
    assert 0 == arrivals.log.skipped
    traffic = describe_log(text.encode())
    assert (3, 0, 11) == (traffic.requests, traffic.skipped, traffic.span_s)


def test_numbers_beside_dates_are_not_guessed(log):
    text = "date,time\n20261010,135536\n20261010,135537\n"

    with pytest.raises(
        InvalidArrivals, match="'date' has dates, and 'time' numbers that may be times of day"
    ):
        Arrivals.from_log(log(text))
    assert (135536.0, 135537.0) == Arrivals.from_log(log(text), column="time").times_s


def test_the_time_of_a_session_is_none_of_a_request(log):
    """CloudTrail has the time at which a session was created beside that of the event."""
    session = {"userIdentity": {"sessionContext": {"attributes": {"creationDate": "2026-10-10T13:55:36Z"}}}}

    with pytest.raises(InvalidArrivals, match="there is no key with a time"):
        Arrivals.from_log(log(json_lines(session, session)))
    event = session | {"eventTime": "2026-10-10T14:00:00Z"}
    arrivals = Arrivals.from_log(log(json_lines(event)))
    assert arrivals.log is not None
    assert "eventTime" == arrivals.log.column


@pytest.mark.parametrize("indent", [None, 2])
def test_one_event_is_a_request_with_a_list_of_what_it_is_about(log, indent):
    """An event of CloudTrail (docs.aws.amazon.com, "CloudTrail record contents") has its resources."""
    event = {
        "eventTime": "2026-10-10T13:55:36Z",
        "eventName": "GetObject",
        "sourceIPAddress": "192.0.2.7",
        "userAgent": "aws-cli/2.13.5",
        "resources": [{"type": "AWS::S3::Object", "ARN": "arn:aws:s3:::b/k"}],
    }
    arrivals = Arrivals.from_log(log(json.dumps(event, indent=indent)), origin="first")
    assert (0.0,) == arrivals.times_s
    assert arrivals.log is not None
    assert "eventTime" == arrivals.log.column
    del event["userAgent"]  # rather an export with what was exported
    with pytest.raises(InvalidArrivals, match="there is no key with a time among type, ARN"):
        Arrivals.from_log(log(json.dumps(event, indent=indent)))


CLF = '192.0.2.7 - - [{} +0000] "GET / HTTP/1.1" 200 9\n'


@pytest.mark.parametrize("count", [1, 200])
@pytest.mark.parametrize(
    "lines",
    [
        ('{TIME,"a":[{"b":1}', '{"b":2}]}', "{TIME},{TIME}"),
        ("{TIME", '"b":2}', "{TIME},-Infinity,{TIME}"),
        ('{TIME,"a":"', '"}', '{TIME},"-Infinity",{TIME}'),
        ("{TIME}]", "[", "-Infinity"),
    ],
    ids=["a list", "an object", "a text", "outside"],
)
def test_lines_that_are_json_only_together_are_skipped(log, lines, count):
    good = ["{TIME}"] * count
    text = "\n".join([*good, *lines, *good]).replace("TIME", f'"time":{SECOND}')

    arrivals = Arrivals.from_log(log(text), max_skipped=1)

    assert 2 * count == len(arrivals)
    assert arrivals.log is not None
    assert [count + 1, count + 2, count + 3] == [at for at, _ in arrivals.log.skipped_lines]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"time\n{SECOND}\n0\n{SECOND + 1}\n{SECOND + 2}\n", 3),
        (f"time\n0\n0.5\n{SECOND}\n1\n", 4),
        (
            CLF.format("01/Jan/1970:00:00:07")
            + "".join(CLF.format(f"10/Oct/2026:13:55:3{s}") for s in "678"),
            1,
        ),
    ],
)
def test_times_of_another_kind_are_skipped_and_counted(log, text, line):
    """A clock that was not set makes no run of fifty years."""
    arrivals = Arrivals.from_log(log(text))

    assert arrivals.log is not None
    assert [line] == [at for at, _ in arrivals.log.skipped_lines]
    assert arrivals.times_s[-1] - arrivals.times_s[0] <= 2
    traffic = describe_log(text.encode())
    assert (3, 1) == (traffic.requests, traffic.skipped)


@pytest.mark.parametrize(
    "number",
    [
        134361141360000000,  # ticks of 100 ns since 1601, as of Windows
        13436114136000000,  # microseconds since 1601, as of Chromium
        639272373360000000,  # ticks of 100 ns since the year 1, as of .NET
        123456789012,  # nanoseconds since the start of a machine
        20261310135536,  # no month 13
        99999999999,
    ],
)
def test_a_number_that_is_no_date_of_a_server_is_not_taken_for_one(log, number):
    text = f"time,x\n{number},1\n{number + 1},2\n"

    with pytest.raises(InvalidArrivals, match="there is no column with a time among time, x"):
        Arrivals.from_log(log(text))
    with pytest.raises(InvalidArrivals, match=r"is no (date in s, ms, us or ns since 1970|moment)"):
        Arrivals.from_log(log(text), column="time")


def test_a_number_that_lost_its_digits_is_no_date(log):
    """A spreadsheet writes 1791640536000 as 1.79164E+12: all requests would be at one moment."""
    with pytest.raises(InvalidArrivals, match=r"'1\.79164E\+12' has too few digits for a date"):
        Arrivals.from_log(log("time,x\n1.79164E+12,1\n1.79164E+12,2\n"), column="time")
    text = "time,x\n1.791640536E+09,1\n1.7916405e9,2\n"
    assert (0.0, 36.0) == Arrivals.from_log(log(text), origin="first").times_s


def test_a_change_to_summer_time_is_no_gap(log):
    for before, after in (("+01", "+02"), (" CET", " CEST")):
        text = f"t,x\n2026-03-29 01:59:59{before},1\n2026-03-29 03:00:00{after},2\n"

        assert (0.0, 1.0) == Arrivals.from_log(log(text), origin="first").times_s


def test_the_named_zones_are_those_that_the_time_zone_database_has_at_one_offset_only():
    offsets: dict[str | None, set[str]] = {}
    for place in available_timezones():
        for month in range(1, 13):
            moment = datetime(2026, month, 15, tzinfo=ZoneInfo(place))
            offsets.setdefault(moment.tzname(), set()).add(f"{moment:%z}")
    for name, offset in NAMED_ZONES.items():
        # America's zones have the names of RFC 5322, whatever China, Cuba and the Philippines call theirs.
        assert {offset} == offsets[name] or name in ("CST", "CDT", "PST"), name
    others = {name for name in offsets if name and name.isupper() and name not in NAMED_ZONES}
    assert {"IST", "SST", "WIT", "WITA", "GMT", "UTC"} == others


@pytest.mark.parametrize(
    ("mark", "kind"),
    [
        (b"PK\x03\x04", "a ZIP archive; unpack it first"),
        (b"BZh91AY", "compressed .bzip2.; unpack it first"),
        (b"\xfd7zXZ\0", "compressed .xz.; unpack it first"),
        (b"PAR1", "a Parquet file; export CSV or JSON lines from it"),
        (b"\xd4\xc3\xb2\xa1", "a recording of packets; export CSV or JSON lines from it"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path, mark, kind):
    path = tmp_path / "odd.log"
    path.write_bytes(mark + bytes(99))

    with pytest.raises(InvalidArrivals, match=f"the file is {kind}"):
        Arrivals.from_log(path)
    with pytest.raises(InvalidArrivals, match=f"the file is {kind}"):
        describe_log(mark + bytes(99))
