"""Records of a provider.toml about the provider itself: retries, current version, unknown headers."""

from __future__ import annotations

import pytest

from hook_widgets.errors import CatalogError
from hook_widgets.webhooks import provider, providers
from hook_widgets.webhooks.models import Confidence, DeliveryRules, Gap, RetryRules

SIGNATURES = {"sdk", "peer", "docs", "seed"}
HEADERS = {"captured", "source", "docs", "unconfirmed", "seed"}
BODIES = HEADERS | {"model"}

FILE = """\
id = "acme"
kind = "payment"
title = "Acme"
confidence = "docs"

{tables}

[key]
type = "secret"
title = "Secret"
example = {{ alphabet = "hex", length = 32 }}

[[schemes]]
name = "v1"
headers = {{ "X-Signature" = "{{signature}}" }}
signatures = [{{ algorithm = "hmac-sha256", message = "{{body}}", encoding = "hex" }}]

[[events]]
name = "paid"
category = "payment"
body = "{{}}"
"""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def acme(folder, tables):
    (folder / "acme.provider.toml").write_text(FILE.format(tables=tables))


def test_retries_and_the_current_version_are_read_from_the_file(tmp_path):
    acme(
        tmp_path,
        '[retries]\nretries = 2\ndelays_s = [0, 60]\nsources = ["https://example.com/retries"]\n'
        '[current]\nversion = "v2"\nread = 2026-11-22\n'
        '[header_gaps]\nuser_agent = { searched = ["example.com/docs"] }',
    )
    known = provider("acme")

    assert known.retries == RetryRules(retries=2, delays_s=(0, 60), sources=("https://example.com/retries",))
    assert ("v2", "2026-11-22") == (known.current.version, known.current.read)
    assert known.header_gaps.user_agent.reason == "not confirmed; searched: example.com/docs"


@pytest.mark.parametrize(
    ("tables", "fault"),
    [
        ('[current]\nread = "last week"', "'last week' is no day; write one such as read = 2026-11-22"),
        ("[current]\nread = 2026-11-22T10:00:00Z", "is no day"),
        ("[retries]\nretries = 3", "there is none; name the page that states the schedule"),
        (
            '[retries]\nretries = 3\ndelays_s = [1]\nsources = ["x"]',
            "it is 3, but there are 1 delays; correct one of them",
        ),
        ("[retries]\nretries = -1", "0 or more"),
    ],
)
def test_a_wrong_value_is_a_fault_of_the_file(tmp_path, tables, fault):
    acme(tmp_path, tables)

    with pytest.raises(CatalogError) as caught:
        provider("acme")
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("gap", "reason"),
    [
        (Gap(), "not confirmed"),
        (Gap(searched=("a", "b")), "not confirmed; searched: a, b"),
        (Gap(searched=("a",), sources=("https://example.com",)), "read in: https://example.com"),
    ],
)
def test_a_gap_states_its_reason(gap, reason):
    assert gap.reason == reason


def test_what_is_sent_beside_the_event_has_a_source_or_says_where_one_was_searched():
    """The neutral kinds stand for no sender."""
    both_or_none = [
        known.id
        for known in providers()
        if known.deliveries != DeliveryRules()
        and bool(known.deliveries.sources) is bool(known.deliveries.searched)
        and known.confidence.scheme != "seed"
    ]

    assert both_or_none == []


def test_published_pauses_fit_into_the_published_period():
    long = [
        known.id
        for known in providers()
        if known.retries.period_s is not None and sum(known.retries.delays_s) > known.retries.period_s
    ]

    assert long == []


def test_recurlys_pauses_are_those_of_its_formula():
    formula = tuple(10 + n * 2 ** (n + 5) for n in range(10))

    assert formula == provider("recurly").retries.delays_s


def test_the_evidence_for_headers_and_bodies_is_read_from_the_file(tmp_path):
    acme(
        tmp_path,
        '[evidence]\nheaders = { recorded = ["a delivery of 2026"] }\nmodel = { name = "acme.Event" }',
    )
    known = provider("acme")

    assert known.confidence == Confidence(scheme="docs", headers="captured", bodies="model")
    assert known.evidence.headers.recorded == ("a delivery of 2026",)


@pytest.mark.parametrize(
    ("tables", "headers"),
    [
        ("", "unconfirmed"),
        ('header_gaps.user_agent = { searched = ["example.com"] }', "unconfirmed"),
        ('header_gaps.user_agent = { sources = ["example.com: none is sent"] }', "docs"),
        ('header_gaps.charset = { sources = ["example.com"] }', "docs"),
    ],
)
def test_headers_are_documented_only_if_one_besides_the_signature_has_a_source(tmp_path, tables, headers):
    acme(tmp_path, f'docs = ["https://example.com/webhooks"]\n{tables}')

    assert provider("acme").confidence == Confidence(scheme="docs", headers=headers, bodies="docs")


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (
            'bodies = { unconfirmed = true, code = ["send.go"] }',
            "evidence.bodies.unconfirmed: it is true beside evidence that confirms them; remove one of both",
        ),
        (
            'model = { name = "acme.Event", misses = ["payed"] }',
            "evidence.model.misses: there is no event 'payed'; did you mean 'paid'?",
        ),
        ('model = { name = "" }', "evidence.model.name"),
    ],
)
def test_evidence_that_contradicts_the_file_is_an_error(tmp_path, table, fault):
    acme(tmp_path, f"[evidence]\n{table}")

    with pytest.raises(CatalogError) as error:
        provider("acme")
    assert fault in str(error.value)


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (
            'id_path = "id"\nwithout_id = ["payed"]',
            "deliveries.without_id: there is no event 'payed'; did you mean 'paid'?",
        ),
        (
            'without_id = ["paid"]',
            "deliveries.without_id: no event has an id without id_path; remove it, or add id_path",
        ),
    ],
)
def test_events_without_id_are_events_of_a_provider_with_an_id(tmp_path, table, fault):
    acme(tmp_path, f"[deliveries]\n{table}")

    with pytest.raises(CatalogError) as error:
        provider("acme")
    assert fault in str(error.value)


def test_events_that_another_program_writes_are_events_of_the_provider(tmp_path):
    acme(tmp_path, '[serializer]\nstyle = "node"\nothers = { payed = "python" }\nsources = ["a log"]')

    with pytest.raises(CatalogError) as error:
        provider("acme")
    assert "serializer.others: there is no event 'payed'; did you mean 'paid'?" in str(error.value)


@pytest.mark.parametrize("known", providers(), ids=lambda known: known.id)
def test_each_provider_has_a_word_for_signature_headers_and_bodies(known):
    words = known.confidence

    assert (words.scheme == "seed") == (words.headers == "seed") == (words.bodies == "seed")
    assert words.scheme in SIGNATURES
    assert words.headers in HEADERS
    assert words.bodies in BODIES


def test_an_accepted_signature_is_no_evidence_for_bodies():
    words = provider("elevenlabs").confidence

    assert (words.scheme, words.bodies) == ("sdk", "docs")  # its library has types of two events in seven
