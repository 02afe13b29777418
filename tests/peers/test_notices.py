"""Dates and links of notices as Werkzeug, Django and Requests write and read them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils.http import http_date as django_date
from django.utils.http import parse_http_date as django_parse
from hypothesis import given
from hypothesis import strategies as st
from requests.utils import parse_header_links
from werkzeug.http import http_date as werkzeug_date
from werkzeug.http import parse_date as werkzeug_parse

from hook_widgets.errors import InvalidNotice
from hook_widgets.versioning.notices.httpdate import build_http_date, parse_http_date
from hook_widgets.versioning.notices.links import Link, build_links, parse_links

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
# Before the year 1000 the others take the year for one of two digits.
moments = st.datetimes(datetime.fromisoformat("1000-01-01"), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
plain = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=8)
# Requests reads by splitting: quotation marks, separators and equals signs inside a text confuse it.
links = st.builds(
    Link,
    plain.map("https://example.com/{}?a=b,c".format),
    st.sampled_from(["deprecation", "sunset successor-version", "https://example.com/rel"]),
    st.dictionaries(st.sampled_from(["type", "title", "media"]), plain).map(
        lambda values: tuple(values.items())
    ),
)


@given(moments)
def test_others_write_the_same_date(moment):
    assert werkzeug_date(moment) == build_http_date(moment)
    assert django_date(moment.timestamp()) == build_http_date(moment)


@given(moments)
def test_others_read_the_date_that_is_written(moment):
    assert moment == werkzeug_parse(build_http_date(moment))
    assert moment.timestamp() == django_parse(build_http_date(moment))


@given(moments)
def test_the_date_of_asctime_is_read_as_django_reads_it(moment):
    assert django_parse(moment.ctime()) == parse_http_date(moment.ctime()).timestamp()


@given(
    st.datetimes(
        datetime.fromisoformat("1977-01-01"), datetime.fromisoformat("2068-12-31"), timezones=st.just(UTC)
    )
)
def test_a_year_of_two_digits_is_read_as_werkzeug_and_django_read_it(moment):
    written = moment.strftime("%A, %d-%b-%y %H:%M:%S GMT")

    # Werkzeug goes by the year 1969, Django by the clock: between those years and the next 40 all agree.
    assert werkzeug_parse(written) == parse_http_date(written, now=NOW)
    assert django_parse(written) == parse_http_date(written, now=NOW).timestamp()


@pytest.mark.parametrize(
    "text", ["Sun, 31 Feb 2026 00:00:00 GMT", "2026-11-21", "Sun, 06 Nov 1994 25:00:00 GMT"]
)
def test_others_reject_the_same_dates(text):
    assert werkzeug_parse(text) is None
    with pytest.raises(ValueError, match="date"):
        django_parse(text)
    with pytest.raises(InvalidNotice):
        parse_http_date(text)


@given(st.lists(links, min_size=1, max_size=3))
def test_requests_reads_the_links_that_are_written(written):
    expected = [{"url": link.target, "rel": link.rel, **dict(link.attributes)} for link in written]

    assert expected == parse_header_links(build_links(written))
    assert tuple(written) == parse_links(build_links(written))
