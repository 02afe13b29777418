"""Accept as Werkzeug, WebOb and Django read it: where they mean what we mean, and each difference.

WebOb follows the grammar of RFC 7231 to the letter, Werkzeug reads RFC 9110 and forgives, Django forgives
more.
"""

from __future__ import annotations

import re
import warnings

from django.http import HttpRequest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from hook_widgets.versioning.negotiation.accept import MAX_WEIGHT, MediaRange, accepted_versions, parse_accept

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it imports cgi
    from webob.acceptparse import Accept

MAJORS = range(9, 0, -1)
"""The most recent first: that one wins when the client does not care."""

TOKENS = st.text(st.sampled_from("abcXYZ019!#$%&'+-.^_`|~"), min_size=1, max_size=6)
NAMES = TOKENS.filter(lambda name: name.lower() != "q")
SPACES = st.sampled_from(["", " ", "\t", "  "])
QUOTED = st.text(st.sampled_from('aZ ,;=/"\\é\t'), max_size=6)
WEIGHTS = st.integers(0, MAX_WEIGHT)
OURS = "application/vnd.example.v{}+json"


@st.composite
def weights(draw) -> tuple[str, int]:
    """A weight as text, with more or fewer zeros, and in thousandths."""
    weight = draw(WEIGHTS)
    if weight == MAX_WEIGHT:
        return draw(st.sampled_from(["1", "1.", "1.0", "1.00", "1.000"])), weight
    text = f"0.{weight:03}"
    return draw(st.sampled_from([text, text.rstrip("0")])), weight


@st.composite
def ranges(draw) -> tuple[str, MediaRange]:
    """A media range as text, and as it is to be read."""
    kind, subtype = draw(
        st.one_of(st.tuples(TOKENS, TOKENS), st.just(("*", "*")), st.tuples(TOKENS, st.just("*")))
    )
    text, parameters, weight = f"{kind}/{subtype}", [], MAX_WEIGHT
    for name in draw(st.lists(NAMES, max_size=3)):
        value = draw(st.one_of(TOKENS, QUOTED.map(lambda v: f'"{v}"' if v else "x")))
        if value.startswith('"'):
            plain = value[1:-1]
            value = '"' + re.sub(r'(["\\])', r"\\\1", plain) + '"'
            parameters.append((name.lower(), plain))
        else:
            parameters.append((name.lower(), value))
        text += f"{draw(SPACES)};{draw(SPACES)}{name}={value}"
    if draw(st.booleans()):
        written, weight = draw(weights())
        text += f"{draw(SPACES)};{draw(SPACES)}{draw(st.sampled_from('qQ'))}={written}"
    return text, MediaRange(kind.lower(), subtype.lower(), tuple(parameters), weight)


@st.composite
def fields(draw, *, distinct: bool = False) -> str:
    """A field that names versions of ours among other types."""
    key = (lambda member: member[1][1]) if distinct else None
    accepted = draw(
        st.lists(
            st.tuples(st.sampled_from(MAJORS), weights()),
            max_size=5,
            unique_by=key,
        )
    )
    members = [f"{OURS.format(major)};q={written}" for major, (written, _) in accepted]
    others = ["application/json", "text/html;q=0.9", "application/vnd.other.v3+json", "text/*;q=0.2"]
    members += draw(st.lists(st.sampled_from(others), max_size=3))
    return ", ".join(draw(st.permutations(members)))


def strict(value: str) -> bool:
    """Return True if WebOb considers the field well formed."""
    try:
        list(Accept.parse(value))
    except ValueError:
        return False
    return True


def of_werkzeug(value: str) -> str | None:
    return parse_accept_header(value, MIMEAccept).best_match(map(OURS.format, MAJORS))


def of_django(value: str) -> str | None:
    request = HttpRequest.__new__(HttpRequest)  # its constructor wants the settings of a project
    request.META = {"HTTP_ACCEPT": value}
    return request.get_preferred_type([OURS.format(major) for major in MAJORS])


# --- the same -----------------------------------------------------------------------------------------------


@given(st.lists(ranges(), max_size=5))
def test_webob_reads_the_same_ranges_parameters_and_weights(members):
    value = ",".join(text for text, _ in members)

    theirs = []
    for media, weight, parameters, _ in Accept.parse(value):
        kind, subtype = media.split(";")[0].lower().split("/")
        known = tuple((name.lower(), text) for name, text in parameters)
        theirs.append(MediaRange(kind, subtype, known, round(weight * MAX_WEIGHT)))

    assert theirs == [expected for _, expected in members] == list(parse_accept(value))


@given(st.text(st.sampled_from('a/*;q=019.,"\\ \tv'), max_size=24).map(str.strip))
@example("a/b;q=1.001")
@example('a/b;q="1"')
@example("a/b ;q=0.5 , ,")
@example('a/b;a="\\"')
@example("*/b;q=0.5")
def test_webob_finds_the_same_fields_malformed(value):
    assume(not re.search(r";[ \t]*(?:;|,|$)|q=[^,]*;", value))  # see the differences

    assert strict(value) == all(isinstance(member, MediaRange) for member in parse_accept(value))


@given(fields())
def test_werkzeug_chooses_the_same_version(value):
    assume(not re.search(r"q=1\.(?![0-9])", value))  # see the differences
    theirs = of_werkzeug(value)
    majors = accepted_versions(value, "example").majors

    assert theirs == (OURS.format(majors[0]) if majors else None)


@given(fields(distinct=True))
def test_django_chooses_the_same_version(value):
    """Weights differ here: of equal ones Django takes the range that comes first."""
    theirs = of_django(value)
    majors = accepted_versions(value, "example").majors

    assert theirs == (OURS.format(majors[0]) if majors else None)


# --- the differences ----------------------------------------------------------------------------------------


def test_a_parameter_may_be_missing_since_rfc_9110_which_webob_does_not_know():
    assert not strict("a/b;;q=0.1")
    assert (MediaRange("a", "b", weight=100),) == parse_accept("a/b;;q=0.1")


def test_a_weight_may_end_with_its_point_which_werkzeug_does_not_know():
    """RFC 9110 section 12.4.2: qvalue = "1" [ "." 0*3("0") ]."""
    assert [] == list(parse_accept_header("a/b;q=1.", MIMEAccept))
    assert strict("a/b;q=1.")
    assert (MediaRange("a", "b", weight=MAX_WEIGHT),) == parse_accept("a/b;q=1.")


def test_what_follows_the_weight_was_an_extension_before_rfc_9110_and_is_a_parameter_since():
    """Section 12.5.1 and appendix B.3 there. So it needs a value, and a second weight is one too many."""
    assert [("a/b", 0.5, [], [("x", "1")])] == list(Accept.parse("a/b;q=0.5;x=1"))
    assert (MediaRange("a", "b", (("x", "1"),), 500),) == parse_accept("a/b;q=0.5;x=1")
    for value in ("a/b;q=0.5;x", "a/b;q=0.5;q=0.1"):
        assert strict(value)
        assert (value,) == parse_accept(value)


def test_wildcards_choose_for_them_and_say_nothing_about_versions_to_us():
    """The next place is asked then, and in the end it is the latest stable version."""
    assert OURS.format(9) == of_werkzeug("*/*") == of_django("*/*")
    assert () == accepted_versions("*/*", "example").majors


def test_a_malformed_weight_is_passed_over_by_werkzeug_and_the_best_for_django_where_we_reject():
    value = f"{OURS.format(2)};q=2, {OURS.format(1)};q=0.5"

    assert OURS.format(1) == of_werkzeug(value)
    assert OURS.format(2) == of_django(value)
    assert f"{OURS.format(2)};q=2" == accepted_versions(value, "example").malformed


def test_among_equal_weights_django_takes_the_first_and_we_the_most_recent():
    value = f"{OURS.format(1)}, {OURS.format(2)}"

    assert OURS.format(1) == of_django(value)
    assert OURS.format(2) == of_werkzeug(value)
    assert (2, 1) == accepted_versions(value, "example").majors


def test_a_parameter_makes_it_another_type_for_werkzeug_and_the_same_version_for_us():
    value = f"{OURS.format(1)};charset=utf-8"

    assert of_werkzeug(value) is None
    assert (1,) == accepted_versions(value, "example").majors
