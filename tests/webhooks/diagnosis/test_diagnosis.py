"""A diagnosis claims nothing that is not proved, says what it tried, and stays within its bounds."""

from __future__ import annotations

import json
import random
import re
from datetime import timedelta
from pathlib import Path

import pytest

from hook_widgets.errors import InvalidArgument, UnknownName
from hook_widgets.webhooks import Headers, ReceivedRequest, Secret, provider, registry
from hook_widgets.webhooks.diagnosis import Diagnosis, Limits, causes, detect, diagnose
from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.report import tried
from hook_widgets.webhooks.keys.signing import LocalSigner
from hook_widgets.webhooks.verdict import Reason
from tests.support.diagnosing import AT, asked, key_of, names, received, replaced, signature_text, signed
from tests.support.extent import extent
from tests.support.shapes import ALL, FEW_SHAPES

# -- no false claim ------------------------------------------------------------------------------------------

RANDOM = ["github", "shopify", "slack", "stripe", "svix", "zoom", "square", "gitea"]


def _random_request(dice):
    """A real request with a small body."""
    name = dice.choice(RANDOM)
    body = dice.choice([b"", b"x", b"{}", b"[1]", b"a=b", b'{"a": 1}', dice.randbytes(dice.randrange(12))])
    return name, received(signed(name, body, key=key_of(name)))


def _unproven(request, diagnosis):
    """Return the causes that need a proof; that a body is empty is seen."""
    return [name for name in names(diagnosis) if request.body or name != "body-missing"]


def test_no_cause_is_claimed_for_thousands_of_random_mismatches():
    """Requests, each with a hundred random secrets that did not sign it: ten thousand in a long run."""
    dice = random.Random(1843)
    claimed: list[str] = []
    for _ in range(extent(10, 100)):
        name, request = _random_request(dice)
        investigation = asked(name, request, limits=Limits(jobs=120))
        for _ in range(100):
            matches = LocalSigner(Secret(dice.randbytes(12).hex())).match(investigation.jobs)
            claimed += _unproven(request, investigation.finish(matches))

    assert [] == claimed


def test_no_cause_is_claimed_for_a_random_signature_with_all_hypotheses():
    dice = random.Random(1844)
    claimed: list[str] = []
    for _ in range(extent(40, 200)):
        name = dice.choice(["shopify", "slack", "stripe", "svix", "zoom", "trello", "discord", "sendgrid"])
        key = key_of(name)
        request = signed(name, dice.choice([b"", b"x", b"{}", b"a=b", b'{"a": 1}']), key=key)
        encoding = provider(name).schemes[0].signatures[0].encoding
        text = signature_text(request)
        other = encoding.write(dice.randbytes(len(encoding.read(text) or b"")))
        headers = replaced(request.headers, text, other)
        changed = received(request, headers=headers)
        claimed += _unproven(changed, diagnose(name, changed, key, now=AT))

    assert [] == claimed


@pytest.mark.parametrize("name", ALL)
def test_a_right_request_of_any_provider_has_nothing_the_matter(name):
    known = provider(name)
    key = known.example_secret()
    request = known.draft(url="https://hooks.example.com/in", at=AT).sign(key)

    diagnosed = diagnose(known, received(request), key, now=AT)

    assert diagnosed.verdict.ok, diagnosed.verdict.detail
    assert () == diagnosed.findings


@pytest.mark.parametrize("name", FEW_SHAPES)
def test_no_cause_is_claimed_for_any_provider_when_the_key_is_another(name):
    known = provider(name)
    request = known.draft(url="https://hooks.example.com/in", at=AT).sign(known.example_secret())

    diagnosed = diagnose(known, received(request), known.example_secret(), now=AT)

    assert not diagnosed.verdict.ok
    assert () == diagnosed.findings
    assert diagnosed.excluded
    assert diagnosed.not_excluded
    assert all(line.endswith((": no match", " candidate signatures")) for line in diagnosed.excluded)


#: what may be said of a change that nothing explains: each is proved by a signature or a signed hash
PROVED = {"body-unlike-hash", "url-unlike-claim", "signature-weaker"}
#: and what a signature proves of one provider only: it signs data.id of the query, which the body has, too
OWN = {"mercadopago": {"url-parameter-lost"}}


@pytest.mark.parametrize("name", FEW_SHAPES)
def test_a_body_or_url_that_was_really_changed_is_never_explained_away(name):
    known = provider(name)
    key = known.example_secret()
    request = known.draft(url="https://hooks.example.com/in?a=1", at=AT).sign(key)

    bodies = extent((b'{"x":"changed"}',), (b"qq\x00zz", b'{"x":"changed"}'))
    for changed in (
        *(received(request, body=body) for body in bodies),
        received(request, url="https://other.example.net/else?z=9"),
    ):
        proved = PROVED | (OWN.get(name, set()) if changed.url != request.url else set())
        assert set(names(diagnose(known, changed, key, now=AT))) <= proved


# -- what a diagnosis says -----------------------------------------------------------------------------------


def test_what_was_tried_is_said_with_counts_when_nothing_verifies():
    diagnosed = diagnose(
        "stripe", received(signed("stripe", b'{"a":1}', key=Secret("a"))), Secret("b"), now=AT
    )

    text = "\n".join(diagnosed.excluded)
    assert re.search(r"^\d{1,3}(,\d{3})* variants of the secret", text, re.MULTILINE)
    assert re.search(r"^\d{1,3}(,\d{3})* variants of the body", text, re.MULTILINE)
    assert re.search(r"^\d{1,3}(,\d{3})* combinations of two of these", text, re.MULTILINE)
    assert "another endpoint, account or mode" in diagnosed.not_excluded[0]


def test_a_count_above_999_has_a_separator():
    hypotheses = [[CauseRef("body-newline-lf")]] * 1586

    assert tried(hypotheses, 1)[0].startswith("1,586 variants of the body ")


@pytest.mark.parametrize("sent", [None, b'{"a":1}'], ids=["body unknown", "body known"])
@pytest.mark.parametrize(
    "name", ["stripe", "github", "slack", "discord", "plaid"]
)  # Plaid signs a hash of it
def test_an_empty_body_is_called_missing_where_the_provider_signs_it(name, sent):
    key = key_of(name)
    request = signed(name, b'{"a":1}', key=key)

    diagnosis = diagnose(name, received(request, body=b""), key, now=AT, sent=sent)

    [finding] = diagnosis.findings
    assert "body-missing" == finding.cause
    assert finding.title.startswith(f"No body pasted: {provider(name).title} signs the body")
    assert "middleware" in finding.change


def test_a_body_that_carries_the_signature_is_called_missing_when_it_is_empty():
    request = signed("mailgun", key=Secret("a"))

    assert ("body-missing",) == names(diagnose("mailgun", received(request, body=b""), Secret("a"), now=AT))


def test_a_request_that_was_signed_without_a_body_is_diagnosed():
    request = signed("stripe", b"", key=Secret("a"))

    assert ("secret-space",) == names(diagnose("stripe", received(request), Secret("a\n"), now=AT))
    assert diagnose("stripe", received(request), Secret("a"), now=AT).verdict.ok


def test_a_lost_signature_header_comes_before_a_missing_body():
    diagnosis = diagnose(
        "stripe", secret=Secret("a"), headers={"Content-Type": "text/plain"}, body=b"", now=AT
    )

    assert () == diagnosis.findings
    assert Reason.MISSING_HEADER is diagnosis.verdict.reason


def test_a_request_that_verifies_says_that_the_receiver_differs():
    diagnosed = diagnose("github", received(signed("github", key=Secret("a"))), Secret("a"), now=AT)

    assert diagnosed.verdict.ok
    assert () == diagnosed.excluded
    assert diagnosed.not_excluded[0].endswith("with those given here, the request verifies")


def test_both_base_strings_and_their_first_difference_are_shown_when_the_sent_body_is_known():
    request = signed("stripe", b'{"amount":100,"a":1}', key=Secret("a"))
    stamp = str(int(AT.timestamp()))

    diagnosed = diagnose(
        "stripe",
        received(request, body=b'{"amount":900,"a":1}'),
        Secret("other"),
        now=AT,
        sent=b'{"amount":100,"a":1}',
    )

    assert () == diagnosed.findings
    assert ["as received", "as sent"] == [s.label for s in diagnosed.strings]
    assert [len(stamp) + 1 + 20] * 2 == [s.length for s in diagnosed.strings]
    assert diagnosed.strings[0].sha256 != diagnosed.strings[1].sha256
    assert f"{stamp}.{{" in diagnosed.strings[0].shown
    assert f'byte {len(stamp) + 11}: received ‘900,"a":1}}’, sent ‘100,"a":1}}’' in diagnosed.difference


def test_a_body_that_ends_early_differs_in_that_nothing_more_follows():
    request = signed("github", b'{"a":1}', key=Secret("a"))

    diagnosed = diagnose("github", received(request, body=b'{"a":'), Secret("b"), now=AT, sent=b'{"a":1}')

    assert "first difference at byte 5: received end of data, sent ‘1}’" == diagnosed.difference


def test_where_two_bodies_differ_is_reported_on_one_line():
    request = signed("github", b'{\n  "a": 1\n}', key=Secret("a"))

    diagnosed = diagnose("github", received(request, body=b'{\r\n  "a": 1\r\n}'), Secret("a"), now=AT)

    expected = 'first difference at byte 1: received ‘␍⏎··"a":·1␍⏎’, signed ‘⏎··"a":·1⏎}’'
    assert expected == diagnosed.difference


def test_a_diagnosis_reads_as_text_with_the_calls_of_the_frameworks():
    request = signed("github", b'{"a":1}', key=Secret("a"))

    text = str(diagnose("github", received(request, body=b'{"a": 1}'), Secret("a"), now=AT))

    assert "Verify the raw bytes" in text
    assert "Flask: request.get_data()" in text


def test_every_cause_of_the_table_is_a_title_and_a_change_without_loose_ends():
    for name, cause in causes().items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)
        assert cause.title[-1] not in ".:"
        assert cause.change[-1] in ".)", name
        assert not set(re.findall(r"\{(\w+)\}", cause.title + cause.change)) - {"detail", "req"}, name


def test_every_cause_of_the_table_is_injected_by_one_of_these_tests():
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]

    assert len(causes()) >= 150
    assert [] == [name for name in causes() if not any(f'"{name}"' in text for text in texts)]


# -- whose request it is -------------------------------------------------------------------------------------


def _header_names(known):
    return {frozenset(name.lower() for name in scheme.headers) for scheme in known.schemes}


@pytest.mark.parametrize("name", ALL)
def test_a_provider_is_detected_by_its_headers(name):
    """Or one is named that sends exactly the same headers, where headers cannot tell."""
    known = provider(name)
    request = known.draft(url="https://hooks.example.com/in").sign(known.example_secret())

    diagnosed = detect(request.headers, request.body)

    assert diagnosed[0] == known or _header_names(diagnosed[0]) & _header_names(known), [
        p.id for p in diagnosed
    ]


def test_without_a_provider_the_headers_decide():
    request = signed("slack", b'{"a":1}', key=Secret("a"))

    diagnosed = diagnose(None, received(request, body=b'{"a": 1}'), Secret("a"), now=AT)

    assert "slack" == diagnosed.provider
    assert "slack" == diagnosed.detected[0]
    assert ("body-compact",) == names(diagnosed)


def test_headers_of_no_provider_are_no_error():
    diagnosed = diagnose(None, secret=Secret("a"), headers={"Accept": "*/*"}, body=b"{}")

    assert diagnosed.provider is None
    assert "missing_header" == diagnosed.verdict.reason
    assert "select the provider" in diagnosed.verdict.detail


def test_a_signature_header_in_any_case_is_enough_to_tell_a_provider():
    assert "github" == detect({"x-hub-signature-256": "sha256=00", "x-github-event": "push"})[0].id


def test_a_value_that_only_one_provider_writes_counts_more_than_the_name_of_its_header():
    headers = {"User-Agent": "Alertmanager/0.34.0", "Authorization": "AnalyticalEngine1843NoteG"}

    assert ["alertmanager"] == [provider.id for provider in detect(headers)]


def test_a_provider_of_the_users_own_is_detected_by_its_headers_as_soon_as_its_file_is_there(
    tmp_path, monkeypatch
):
    headers = {"X-Initech-Mac": "00", "X-Initech-Event": "report.due"}
    before = detect(headers)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "initech.provider.toml").write_text(
        """
        id = "initech"
        kind = "payment"
        title = "Initech"
        confidence = "docs"
        [key]
        type = "secret"
        title = "Secret"
        example = { alphabet = "hex", length = 32 }
        [[schemes]]
        name = "v1"
        [schemes.headers]
        "X-Initech-Event" = "{event_type}"
        "X-Initech-Mac" = "{signature}"
        [[schemes.signatures]]
        algorithm = "hmac-sha256"
        message = "{body}"
        encoding = "hex"
        [[events]]
        name = "report.due"
        category = "report"
        title = "Report due"
        body = "{}"
        """
    )

    assert () == before
    assert ["initech"] == [p.id for p in detect(headers)]


# -- bounds --------------------------------------------------------------------------------------------------


def _work(investigation):
    pieces = {piece for job in investigation.jobs for piece in job.job.pieces}
    hashed = sum(sum(map(len, job.job.pieces)) for job in investigation.jobs)
    return len(investigation.jobs), sum(map(len, pieces)), hashed


@pytest.mark.parametrize(("name", "size"), [("github", 1 << 10), ("svix", 1 << 16), ("stripe", 1 << 20)])
def test_the_work_is_bounded_whatever_the_length_of_the_body(name, size):
    item = json.dumps({"id": 1, "name": "Ada Løvelace", "url": "https://example.com/<a>"})
    body = ("[" + ",".join([item] * (size // len(item))) + "]").encode()
    request = received(signed(name, body, key=key_of(name)))

    jobs, sent, hashed = _work(asked(name, request))

    limits = Limits()
    assert 5 <= jobs <= limits.jobs + 10
    assert sent <= limits.sent + 2 * len(body)
    assert hashed <= limits.hashed + 2 * len(body)


@pytest.mark.parametrize("cause", ["body-compact", "body-newline-added", "secret-space"])
def test_the_usual_causes_are_found_in_a_megabyte_too(cause):
    data = [{"id": n, "name": "Ada Lovelace", "total": "12.50"} for n in range(20_000)]
    body = json.dumps(data, separators=(",", ":")).encode()
    assert len(body) > 1_000_000
    changed = {"body-compact": json.dumps(data).encode(), "body-newline-added": body + b"\n"}.get(cause, body)
    request = received(signed("github", body, key=Secret("right")), body=changed)

    diagnosed = diagnose("github", request, Secret("right\n" if cause == "secret-space" else "right"), now=AT)

    assert (cause,) == names(diagnosed)


def test_public_key_checks_are_few_because_each_is_slow():
    investigation = asked("discord", received(signed("discord", key=key_of("discord"))))

    assert sum(len(job.candidates) for job in investigation.jobs) <= Limits().checks + 10


def test_tighter_limits_ask_fewer_questions_and_keep_the_likeliest():
    request = received(signed("github", b'{"a":1}', key=Secret("a")), body=b'{"a":1}\n')

    few = asked("github", request, limits=Limits(jobs=20))

    assert len(few.jobs) <= 30


# -- requests that cannot be read ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"a":' * 400,
        b"[" * 5000,
        b'"\\ud800"',
        b'{"a":1e999}',
        b'{"a":[{"b":"x"},Infinity]}',
    ],
)
@pytest.mark.parametrize("name", ["github", "sinch", "mailgun", "twilio", "slack", "adyen", "messagebird"])
def test_whatever_stands_in_the_body_gives_a_diagnosis(name, body):
    request = provider(name).draft(url="https://hooks.example.com/in", at=AT).sign(key_of(name))

    assert isinstance(diagnose(name, received(request, body=body), key_of(name), now=AT), Diagnosis)


@pytest.mark.parametrize("url", ["", "://", "http://[", "http://x:99999999/", "a b", "https://exa mple/\x00"])
@pytest.mark.parametrize("name", ["twilio", "square", "hubspot"])
def test_whatever_stands_in_the_url_gives_a_diagnosis(name, url):
    request = provider(name).draft(url="https://hooks.example.com/in", at=AT).sign(key_of(name))

    assert isinstance(diagnose(name, received(request, url=url), key_of(name), now=AT), Diagnosis)


_ODD = [
    "", "x", "t=1,v1=", "v1,", "é", "a.b.c", "Bearer x.y.z", "Basic !!", "{}", "%2", "sha256=", "1e400",
    "\x00", "9" * 20, "2026-13-01T00:00:00Z", "a" * 5000, "eyJhbGciOiJIUzI1NiJ9.eyJ4IjoxfQ.AAAA", "-1",
]  # fmt: skip
_ODD_BODIES = [
    b"",
    b"{",
    b"\xff",
    b"null",
    b'"x"',
    b"a=%FF&b",
    b'{"a":NaN}',
    b'{"a":[{"b":"x"},Infinity]}',
    b"--b\r\n",
    b'{"signature":{"token":[]}}',
]


def test_whatever_stands_in_the_headers_gives_a_diagnosis():
    dice = random.Random(1845)
    for known in registry.providers():
        key = known.example_secret()
        scheme = dice.choice(known.schemes)
        headers = Headers([(name, dice.choice(_ODD)) for name in scheme.headers if dice.random() < 0.8])
        url = dice.choice(["", "/x", "http://[", "https://a.example/c?x=%FF&y=+"])

        diagnosed = diagnose(known, ReceivedRequest(headers, dice.choice(_ODD_BODIES), url), key, now=AT)

        assert not diagnosed.verdict.ok or known.schemes[0].signatures[0].algorithm == "token", known.id


def test_a_request_without_its_signature_says_that_there_is_none():
    request = ReceivedRequest(Headers({"X-GitHub-Event": "push"}), b"{}")

    diagnosed = diagnose("github", request, Secret("a"), now=AT)

    assert "missing_header" == diagnosed.verdict.reason
    assert any("no candidate signature in the request" in line for line in diagnosed.not_excluded)


def test_arguments_that_make_no_request_are_rejected():
    with pytest.raises(InvalidArgument, match="there is no request; give one"):
        diagnose("github", secret=Secret("a"))
    with pytest.raises(InvalidArgument, match="there are two requests"):
        diagnose("github", received(signed("github", key=Secret("a"))), Secret("a"), body=b"")
    with pytest.raises(UnknownName, match="githup"):
        diagnose("githup", secret=Secret("a"), headers={}, body=b"")
    with pytest.raises(InvalidArgument, match="no time zone"):
        diagnose("github", secret=Secret("a"), headers={}, body=b"", now=AT.replace(tzinfo=None))


@pytest.mark.parametrize(("short", "long"), [(10, 3600), (timedelta(seconds=10), timedelta(hours=1))])
def test_the_tolerance_may_be_given(short, long):
    request = received(signed("stripe", b"{}", key=Secret("a")))

    late = diagnose("stripe", request, Secret("a"), now=AT + timedelta(seconds=11), tolerance_s=short)
    right = diagnose("stripe", request, Secret("a"), now=AT + timedelta(hours=1), tolerance_s=long)

    assert ("timestamp-stale",) == names(late)
    assert right.verdict.ok


def test_a_count_of_variants_has_its_separators():
    lines = tried([(CauseRef("secret-x", ""),)] * 1_586, signatures=1)

    assert ["1,586 variants of the secret"] == [line.partition(" (")[0] for line in lines]
