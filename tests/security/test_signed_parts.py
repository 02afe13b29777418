"""Each signed part of each scheme, removed, emptied and doubled: nobody accepts what is left.

`verify` is given the provider with all its schemes, as a caller gives it, so that a request cannot slip into
a scheme that does not look at the part. The receiver generated for the scheme is run beside it. Parts that
count for nothing, and why, stand in the tables below; there the two have to agree.
"""

from __future__ import annotations

import base64
import hmac
import json
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final
from urllib.parse import quote
from wsgiref.headers import Headers as WsgiHeaders

import pytest

from hook_widgets.webhooks import Headers, ReceivedRequest, Secret, provider, receiver_snippet, verify
from hook_widgets.webhooks.body import forms, json_edit, locators
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.webhooks.verdict import Reason
from tests.receivers.cases import SUBJECTS, URL, Key, Subject, key_for, key_text

#: Schemes that leave the body unsigned, beside those that send the secret itself and sign nothing at all.
UNSIGNED_BODY: Final = {
    "plivo__v2": "V2 is made of address and nonce: validate_signature() of plivo-python takes no parameters",
    "atlassian_connect__jwt": "the claim qsh is made of method, path and query: atlassian-jwt",
}
#: Schemes that sign the address without its query.
UNSIGNED_QUERY: Final = {
    "plivo__v2": "validate_signature() of plivo-python cuts the query off",
    "peculiar__form": "signs {url_base}, by its own data",
}
#: Headers that repeat the signature, or the time, of another one. Receivers read one of them, the first; the
#: others are for receivers that were written for somebody else, or hold another key.
REPEATING: Final = {
    "attio__sha256": {"X-Attio-Signature"},
    "forgejo__json": {"X-Gitea-Signature", "X-Gogs-Signature", "X-Hub-Signature-256"},
    "forgejo__form": {"X-Gitea-Signature", "X-Gogs-Signature", "X-Hub-Signature-256"},
    "gitea__json": {"X-Gogs-Signature", "X-Hub-Signature-256"},
    "gitea__form": {"X-Gogs-Signature", "X-Hub-Signature-256"},
    "persona__v1": {"Persona-Webhook-First-Attempted-At"},  # unsigned
    "plivo__v2": {"X-Plivo-Signature-Ma-V2"},  # with the main account's token
    "plivo__v3": {"X-Plivo-Signature-Ma-V3"},  # with the main account's token
    "recharge__timestamped": {"X-Recharge-Webhook-Timestamp"},
}
#: Headers of a weaker signature, beside which the same request has the strongest one. `verify` looks at that.
BESIDE_THE_STRONGEST: Final = {"hubspot__v2": {"X-HubSpot-Signature"}}
# A list header that is there twice is one longer list (RFC 9110 section 5.3). The libraries of Stripe, Svix
# and Standard Webhooks hold every element against the same bytes, so that doubling it changes nothing.

NAMED: Final = {subject.name: subject for subject in SUBJECTS}


@dataclass(frozen=True)
class Change:
    """A request of which one part was changed.

    Attributes:
        title: the part, and what was done to it.
        request: what is left.
        counts: whether it has to be rejected; else `verify` and receiver have to agree.
        strongest: whether the strongest signature is left, by which `verify` accepts it.
    """

    title: str
    request: ReceivedRequest
    counts: bool
    strongest: bool = False


@cache
def receiver(name: str) -> Callable[..., bool]:
    """The receiver generated for a scheme in Python."""
    subject = NAMED[name]
    names: dict[str, Any] = {}
    exec(receiver_snippet(subject.provider, "python", scheme=subject.scheme.name), names)
    verifier: Callable[..., bool] = names["verify"]
    return verifier


def answers(
    subject: Subject, request: ReceivedRequest, part_texts: dict[str, str], key: Key
) -> tuple[bool, bool]:
    """Verdicts of `verify` and of the receiver; neither may raise."""
    readers: dict[str, Callable[[bytes], object]] = {
        "h": lambda data: WsgiHeaders(_pairs(data.decode().split("\n"))),
        "b": bytes,
        "t": bytes.decode,
    }
    call = subject.arguments(request, part_texts, key_text(subject.provider, key))
    said = receiver(subject.name)(*(readers[kind](data) for kind, data in call))
    return verify(subject.provider, request, key, parts=part_texts).ok, said


def _pairs(lines: list[str]) -> list[tuple[str, str]]:
    return list(zip(lines[::2], lines[1::2], strict=False))


def signed(subject: Subject) -> tuple[ReceivedRequest, dict[str, str], Key]:
    """A genuine request, what a receiver knows from the provider's settings, and the key."""
    key = key_for(subject.provider, 1)
    request = subject.draft().sign(key)
    settings = {parameter.name for parameter in subject.program.parameters}
    part_texts = {name: text for name, text in subject.parts(request).items() if name in settings}
    return _received(request), part_texts, key


def _received(request: WebhookRequest) -> ReceivedRequest:
    return ReceivedRequest(request.headers, request.body, request.url, request.method)


def changes(subject: Subject, request: ReceivedRequest) -> Iterator[Change]:
    """Each part removed, emptied and doubled."""
    scheme = subject.scheme
    needed = scheme.signed | {scheme.signatures[0].name}
    covered = subject.name not in UNSIGNED_BODY and not scheme.signatures[0].algorithm.reveals_secret
    yield Change("body removed", replace(request, body=b""), covered)
    yield Change("body doubled", replace(request, body=request.body * 2), covered)
    for name in scheme.headers:
        fields = scheme.header_template(name).names & needed
        taken = any(field not in scheme.fields or scheme.fields[field].jwt for field in fields)
        if fields and taken and name in request.headers:
            counts = name not in REPEATING.get(subject.name, ())
            for how, headers in _edited(request.headers.multi_items(), name):
                same = how == "doubled" and bool(scheme.separator(name))
                yield Change(
                    f"{name} {how}",
                    replace(request, headers=Headers(headers)),
                    counts and not same,
                    name in BESIDE_THE_STRONGEST.get(subject.name, ()),
                )
    base, _, query = request.url.partition("?")
    whole = "url" in needed and subject.name not in UNSIGNED_QUERY
    for name, _ in forms.parse_form(query.encode()):
        for how, pairs in _edited(forms.parse_form(query.encode()), name):
            written = "&".join(f"{quote(key, safe='')}={quote(value, safe='')}" for key, value in pairs)
            url = f"{base}?{written}"
            yield Change(f"?{name} {how}", replace(request, url=url), whole or name in scheme.bound_query)
    for path, template in scheme.body_templates.items():
        for how, value in (("removed", b"null"), ("emptied", b'""')):
            if template.names & needed:
                body = _with_value(request.body, path, scheme.json_in, value)
                yield Change(f"{path} {how}", replace(request, body=body), counts=True)
    for name, text in scheme.form.items():
        for how, pairs in _edited(forms.parse_form(request.body), name):
            if Template(text).names & needed:
                body = forms.encode_form(pairs)
                yield Change(f"{name} {how}", replace(request, body=body), counts=True)


def _edited(pairs: list[tuple[str, str]], name: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    value = dict(pairs)[name]
    others = [pair for pair in pairs if pair[0] != name]
    yield "removed", others
    yield "emptied", [*others, (name, "")]
    yield "doubled", [*pairs, (name, value)]


def _with_value(body: bytes, path: str, json_in: str, value: bytes) -> bytes:
    window = locators.json_window(body, json_in)
    span = json_edit.span(window.text, path)
    assert span is not None
    start, end = window.raw_span(body, *span)
    return body[:start] + value + body[end:]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_request_that_lacks_a_signed_part_or_has_it_twice_is_rejected_by_both(subject):
    request, part_texts, key = signed(subject)
    assert answers(subject, request, part_texts, key) == (True, True)
    wrong = []
    for change in changes(subject, request):
        ours, theirs = answers(subject, change.request, part_texts, key)
        accepted = ours != change.strongest or theirs
        if change.request != request and (accepted if change.counts else ours != theirs):
            wrong.append(f"{change.title}: verify {ours}, receiver {theirs}")

    assert wrong == []


def test_what_counts_for_nothing_is_said_of_schemes_that_there_are():
    assert NAMED.keys() >= {*UNSIGNED_BODY, *UNSIGNED_QUERY, *REPEATING, *BESIDE_THE_STRONGEST}
    assert len(SUBJECTS) > 227


# -- the strongest signature decides -----------------------------------------------------------------------


def case(identifier: str) -> tuple[Subject, ReceivedRequest, Key]:
    """A scheme by its name, with a genuine request."""
    subject = NAMED[identifier]
    request, _, key = signed(subject)
    return subject, request, key


@pytest.mark.parametrize("name", ["messagebird__jwt", "plivo__v3", "twilio__json", "twilio_sharedkey__json"])
@pytest.mark.parametrize("lost", [(), ("Content-Type",)], ids=["alone", "with its Content-Type"])
def test_a_body_that_was_taken_away_is_missed(name, lost):
    subject, request, key = case(name)
    headers = Headers(pair for pair in request.headers.multi_items() if pair[0] not in lost)

    assert not verify(subject.provider, replace(request, headers=headers, body=b""), key).ok


def test_a_missing_body_is_said_to_be_the_cause():
    subject, request, key = case("messagebird__jwt")
    verdict = verify(subject.provider, replace(request, body=b""), key)

    assert verdict.reason == Reason.MALFORMED_BODY
    assert "the token has the claim 'payload_hash'" in verdict.detail


@pytest.mark.parametrize("name", ["messagebird__empty", "messagebird__get"])
def test_a_body_that_nothing_signs_is_rejected(name):
    subject, request, key = case(name)

    assert answers(subject, request, {}, key) == (True, True)
    assert answers(subject, replace(request, body=b"{}"), {}, key) == (False, False)


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("plivo__v3", "X-Plivo-Signature-V3"),
        ("hubspot__v3", "X-HubSpot-Signature-v3"),
        ("hubspot__v3", "X-HubSpot-Request-Timestamp"),
    ],
)
def test_a_weaker_signature_beside_the_strongest_does_not_stand_in_for_it(name, lost):
    subject, request, key = case(name)
    weaker = Subject(subject.provider, subject.provider.schemes[1])
    beside = {**dict(signed(weaker)[0].headers), **dict(request.headers)}
    headers = Headers((header, text) for header, text in beside.items() if header != lost)

    assert not verify(subject.provider, replace(request, headers=headers), key).ok


def test_the_secret_itself_beside_a_wrong_signature_is_not_enough():
    subject, request, key = case("flutterwave__v3")
    assert isinstance(key, Secret)
    assert verify(subject.provider, request, key).ok
    both = Headers(
        [*request.headers.multi_items(), ("flutterwave-signature", base64.b64encode(bytes(32)).decode())]
    )

    verdict = verify(subject.provider, replace(request, headers=both), key)

    assert verdict.reason == Reason.SIGNATURE_DIFFERS
    assert "flutterwave-signature" in verdict.detail


def test_a_time_that_is_signed_is_checked_where_another_scheme_signs_none():
    subject, request, key = case("grafana__timestamp")

    assert verify(subject.provider, request, key).ok


# -- one spelling of a signature ---------------------------------------------------------------------------

TOKENS = [s for s in SUBJECTS if s.scheme.signatures[0].encoding == "base64url"]


def with_signature(subject: Subject, request: ReceivedRequest, edit: Callable[[str], str]) -> ReceivedRequest:
    """The request with another text in the header that carries its signature."""
    first = subject.scheme.signatures[0].name
    name = next(n for n in subject.scheme.headers if first in subject.scheme.header_template(n).names)
    return replace(request, headers=Headers({**request.headers, name: edit(request.headers[name])}))


@pytest.mark.parametrize("subject", TOKENS, ids=lambda subject: subject.name)
@pytest.mark.parametrize("tail", ["=", "==", "===", ".", " =", "!"])
def test_a_token_with_anything_behind_its_signature_is_rejected(subject, tail):
    request, part_texts, key = signed(subject)

    assert answers(subject, request, part_texts, key) == (True, True)
    changed = with_signature(subject, request, lambda text: text + tail)
    assert answers(subject, changed, part_texts, key) == (False, False)


@pytest.mark.parametrize(
    ("name", "end"), [("shopify__webhooks", "="), ("qstash__jwt", ""), ("plaid__v1", "")]
)
def test_a_signature_whose_unused_bits_are_set_is_rejected(name, end):
    subject, request, key = case(name)
    letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + ("+/" if end else "-_")

    def one_more(text: str) -> str:
        bare = text.removesuffix(end)
        return bare[:-1] + letters[letters.index(bare[-1]) + 1] + end

    changed = with_signature(subject, request, one_more)
    assert answers(subject, changed, signed(subject)[1], key) == (False, False)


def test_hex_with_a_space_in_it_is_rejected():
    subject, request, key = case("discord__ed25519")
    upper = with_signature(subject, request, str.upper)
    spaced = with_signature(subject, request, lambda text: f"{text[:2]} {text[2:]}")

    assert answers(subject, upper, {}, key) == (True, True)
    assert answers(subject, spaced, {}, key) == (False, False)


# -- headers that are there twice --------------------------------------------------------------------------


@pytest.mark.parametrize("wrong_first", [True, False])
def test_a_forged_signature_beside_the_right_one_is_rejected(wrong_first):
    subject, request, key = case("github__json")
    forged = ("X-Hub-Signature-256", "sha256=" + "0" * 64)
    pairs = request.headers.multi_items()
    headers = Headers([forged, *pairs] if wrong_first else [*pairs, forged])
    verdict = verify(subject.provider, replace(request, headers=headers), key)

    assert verdict.reason == Reason.MALFORMED_HEADER
    assert "X-Hub-Signature-256 is there twice" in verdict.detail


@pytest.mark.parametrize("first", [True, False])
def test_two_times_in_one_list_are_rejected_by_both(first):
    subject, request, key = case("stripe__v1")
    value = request.headers["Stripe-Signature"]
    both = f"t=1,{value}" if first else f"{value},t=1"
    headers = Headers({**dict(request.headers), "Stripe-Signature": both})

    assert answers(subject, replace(request, headers=headers), {}, key) == (False, False)


def test_a_signed_id_in_the_address_must_be_that_of_the_body():
    subject, request, key = case("mercadopago__v1")
    changed = request.url.replace("data.id=", "data.id=9")

    assert answers(subject, replace(request, url=changed), {}, key) == (False, False)
    assert verify(subject.provider, replace(request, url=""), key).reason == Reason.MISSING_HEADER


# -- nothing is raised -------------------------------------------------------------------------------------


def test_half_a_character_in_a_claim_is_rejected_and_raises_nothing():
    subject, request, key = case("messagebird__jwt")
    assert isinstance(key, Secret)
    header, claims, _ = request.headers["MessageBird-Signature-JWT"].split(".")
    said = json.loads(base64.urlsafe_b64decode(claims + "==")) | {"iss": "\ud800"}
    forged = base64.urlsafe_b64encode(json.dumps(said).encode()).rstrip(b"=").decode()
    mac = hmac.digest(key.reveal().encode(), f"{header}.{forged}".encode(), "sha256")
    token = f"{header}.{forged}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"
    headers = Headers({**dict(request.headers), "MessageBird-Signature-JWT": token})

    assert answers(subject, replace(request, headers=headers), {}, key) == (False, False)


def test_a_request_of_a_scheme_without_a_body_is_drafted_without_one():
    draft = provider("messagebird").draft(scheme="empty", url=URL)

    assert draft.sign(Secret("x")).body == b""
