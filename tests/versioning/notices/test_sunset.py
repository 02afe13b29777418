"""Test the Sunset field (RFC 8594)."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidNotice, VersioningError
from hook_widgets.versioning.notices.sunset import build_sunset, parse_sunset, read_sunset

# RFC 8594 section 9
EXAMPLE = "Wed, 11 Nov 2026 11:11:11 GMT"
MOMENT = datetime(2026, 11, 11, 11, 11, 11, tzinfo=UTC)


def test_the_example_of_the_rfc_is_written_and_read():
    assert EXAMPLE == build_sunset(MOMENT)
    assert EXAMPLE == build_sunset(MOMENT.astimezone(ZoneInfo("Pacific/Auckland")))
    assert MOMENT == parse_sunset(EXAMPLE)


@pytest.mark.parametrize(
    "value",
    [
        [EXAMPLE],
        (line for line in (EXAMPLE,)),
        f" \t{EXAMPLE}\t ",
        "Wednesday, 11-Nov-26 11:11:11 GMT",
        "Wed Nov 11 11:11:11 2026",
    ],
)
def test_any_form_is_read_with_blanks_around_it(value):
    assert MOMENT == parse_sunset(value, now=MOMENT)


@pytest.mark.parametrize("value", [[EXAMPLE, EXAMPLE], (EXAMPLE, "")])
def test_a_second_line_is_an_error(value):
    with pytest.raises(InvalidNotice, match="Sunset is sent 2 times") as caught:
        parse_sunset(value)

    assert "sunset" == caught.value.field


def test_two_dates_in_a_line_are_no_date():
    with pytest.raises(InvalidNotice, match="no HTTP-date"):
        parse_sunset(f"{EXAMPLE}, {EXAMPLE}")


def test_the_form_of_deprecation_is_named():
    with pytest.raises(InvalidNotice, match="the form of Deprecation; send an HTTP-date"):
        parse_sunset("@1688169599")


@pytest.mark.parametrize("value", [f"{EXAMPLE}\r\nX: y", "\x00", [EXAMPLE + "\n"]])
def test_control_characters_are_rejected(value):
    with pytest.raises(InvalidNotice, match="control character"):
        parse_sunset(value)


@pytest.mark.parametrize("value", [[], None, 5, EXAMPLE.encode(), [EXAMPLE.encode()], [None]])
def test_what_is_no_field_is_rejected(value):
    with pytest.raises(InvalidNotice, match="Sunset"):
        parse_sunset(value)


def test_the_faulty_examples_of_two_rfcs_are_read_with_their_fault():
    # RFC 8594 section 3 and RFC 9745 section 4
    assert 2018 == read_sunset("Sat, 31 Dec 2018 23:59:59 GMT")[0].year
    assert 2024 == read_sunset("Sun, 30 Jun 2024 23:59:59 UTC")[0].year
    with pytest.raises(InvalidNotice, match="is a Monday; correct one of them"):
        parse_sunset("Sat, 31 Dec 2018 23:59:59 GMT")
    with pytest.raises(InvalidNotice, match="UTC for GMT"):
        parse_sunset("Sun, 30 Jun 2024 23:59:59 UTC")


@given(st.datetimes(timezones=st.timezones()))
def test_what_is_written_can_be_read(moment):
    try:
        written = build_sunset(moment)
    except VersioningError:  # the first and the last day of the calendar have no year in GMT
        assert moment.year in {1, 9999}
    else:
        assert moment.astimezone(UTC).replace(microsecond=0) == parse_sunset(written)


@given(st.one_of(st.text(), st.lists(st.text(), max_size=3)))
def test_no_other_error_leaves_the_parser(value):
    with contextlib.suppress(VersioningError):
        parse_sunset(value)
