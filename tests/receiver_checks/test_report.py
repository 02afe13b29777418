"""The forms of a report: what they contain, and what they never contain."""

from __future__ import annotations

import base64
import json
import re
from functools import partial
from html import escape
from html.parser import HTMLParser
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from hook_widgets.receivers import Report, catalogue, check_receiver
from hook_widgets.receivers.check_catalogue import source_url, sources_of
from hook_widgets.webhooks import (
    Delivery,
    Headers,
    Receiver,
    Secret,
    WebhookRequest,
    provider,
    providers,
    verify,
)
from tests.receiver_checks.http_layer import Request, Response, Serving
from tests.receiver_checks.reference import Reference
from tests.support.extent import some
from tests.support.work import at_most_lines

MARKUP = '<img src=x onerror="alert(1)">|`*[a](javascript:b)\x00\ud800'


class Echo(Reference):
    """It repeats everything that it receives, and its secret, in every response."""

    def respond(self, request: Request) -> Response:
        response = super().respond(request)
        said = json.dumps([self.secret, request.headers]).encode() + request.body
        return Response(response.status if response.status != 204 else 200, said)


@pytest.fixture(scope="module")
def stripe() -> Report:
    served = Echo("stripe", "whsec_not_a_secret_but_a_canary")
    with Serving(served) as url:
        return check_receiver("stripe", f"{url}?token=canary_of_the_url", Secret(served.secret))


def forms(report: Report) -> dict[str, str]:
    return {
        "json": report.to_json(),
        "junit": report.to_junit(),
        "markdown": report.to_markdown(),
        "html": report._repr_html_(),
        "repr": repr(report) + repr(report.checks),
        "fields": repr([(r.request, r.response) for r in report.checks]),
    }


def test_the_json_has_exactly_the_documented_form(stripe):
    data = json.loads(stripe.to_json())

    assert ["provider", "url", "suite", "score", "checks"] == list(data)
    assert ["total", "areas"] == list(data["score"])
    assert {"passed", "failed", "warned", "not_decided", "not_applicable", "fraction"} == set(
        data["score"]["total"]
    )
    names = [
        "id",
        "title",
        "severity",
        "status",
        "expected",
        "observed",
        "elapsed_ms",
        "why",
        "fix",
        "sources",
    ]
    assert all(names == list(check) for check in data["checks"])
    assert [check.id for check in stripe.checks] == [check["id"] for check in data["checks"]]
    assert ("stripe", "standard") == (data["provider"], data["suite"])


def test_what_is_not_decided_counts_as_not_passed(stripe):
    score = stripe.score

    assert {"C5", "C9", "C10"} <= {r.id for r in stripe.checks if r.status == "not_decided"}
    assert score.fraction == score.passed / (score.passed + score.failed + score.warned + score.not_decided)
    assert score.fraction < 1
    assert score.passed == sum(area.passed for area in stripe.scores.values())


def test_junit_can_be_read_and_counts_as_the_score_does(stripe):
    suite = ElementTree.fromstring(stripe.to_junit()).find("testsuite")
    assert suite is not None

    cases = suite.findall("testcase")
    assert len(stripe.checks) == len(cases) == int(suite.get("tests", ""))
    assert stripe.score.failed == len(suite.findall("testcase/failure")) == int(suite.get("failures", ""))
    assert stripe.score.not_decided + stripe.score.not_applicable == len(suite.findall("testcase/skipped"))
    assert "G2" in {case.get("name", "")[:2] for case in cases if case.find("failure") is not None}


def test_junit_has_the_structure_of_the_common_schema(stripe):
    """The elements, attributes and order of Jenkins' junit-10.xsd, as far as a report uses them."""
    text = stripe.to_junit()
    suites = ElementTree.fromstring(text)
    (suite,) = suites
    cases = list(suite)

    assert not re.search("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    assert ("testsuites", "testsuite") == (suites.tag, suite.tag)
    assert {"name", "tests", "failures", "errors", "skipped", "time"} == set(suite.keys())
    assert {"testcase"} == {case.tag for case in cases}
    assert all({"name", "classname", "time"} == set(case.keys()) for case in cases)
    assert {"failure", "skipped", "system-out"} >= {child.tag for case in cases for child in case}
    assert all(len(case) <= 1 for case in cases)
    assert all({"message", "type"} == set(failure.keys()) for failure in suite.iter("failure"))
    assert all({"message"} == set(skipped.keys()) for skipped in suite.iter("skipped"))
    assert all(float(element.get("time", "")) >= 0 for element in (suite, *cases))
    assert len(cases) == len({case.get("name") for case in cases}) == len(stripe.checks)
    assert "0" == suite.get("errors")
    assert str(len(list(suite.iter("skipped")))) == suite.get("skipped")


def test_markdown_begins_with_the_findings(stripe):
    text = stripe.to_markdown()

    assert text.index("## G2") < text.index("| check | status | observed |")
    assert all(f"| {check.id} " in text for check in stripe.checks)


@pytest.mark.parametrize("name", ["stripe", "svix", "telegram", "github", "plaid"])
def test_no_form_of_a_report_contains_the_secret_or_a_valid_signature(name):
    known = provider(name)
    secret = known.example_secret()
    keys = [secret.reveal()] if isinstance(secret, Secret) else []
    signed: list[str] = []

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        """Accept everything, and repeat it with the secret in several spellings."""
        signed.append(request.headers.get("Stripe-Signature", ""))
        text = "\n".join(f"{key} {base64.b64encode(key.encode()).decode()} {quote(key)}" for key in keys)
        head = "\n".join(f"{n}: {v}" for n, v in request.headers.multi_items())
        return Delivery(
            status=200,
            reason="OK",
            headers=Headers([("X-Key", text.split("\n")[0])]),
            body=f"{text}\n{head}\n".encode() + request.body,
            elapsed_s=0.01,
        )

    report = check_receiver(known, "http://127.0.0.1:9/hooks", secret, transport=transport)

    for form, text in forms(report).items():
        for key in keys:
            body = key.removeprefix("whsec_")
            spellings = {body, body[:12], quote(body, safe=""), base64.b64encode(key.encode()).decode()[:20]}
            assert not [s for s in spellings if s in text], form
        if name == "stripe":  # the good request of A1
            assert signed[0].rpartition("=")[2] not in text, form


def test_the_canary_of_a_receiver_that_repeats_everything_is_in_no_form(stripe):
    assert "failed" == stripe["G2"].status
    for form, text in forms(stripe).items():
        assert "not_a_secret_but" not in text, form
        assert "canary_of_the_url" not in text, form


class Tags(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links.update(str(value) for name, value in attrs if name in ("href", "src"))


def test_received_markup_is_text_in_every_form():
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        return Delivery(
            status=200,
            reason="OK",
            headers=Headers([("X-" + MARKUP, MARKUP)]),
            body=(MARKUP * 5000).encode("utf-8", "surrogatepass"),
            elapsed_s=0.01,
        )

    report = check_receiver(
        "github", "http://127.0.0.1:9/hooks", Secret("an example secret"), transport=transport
    )
    html = report._repr_html_()
    page = Tags()
    page.feed(html)

    rows, known = catalogue().values(), provider("github")
    ours = {source_url(source) for check in rows for source in sources_of(check, known)}
    assert {"script", "img", "iframe"}.isdisjoint(page.tags)
    assert page.links <= ours
    assert {"class", "style", "open", "href", "rel", "target"} >= page.attributes
    assert "<img" not in report.to_markdown()
    assert ElementTree.fromstring(report.to_junit()).tag == "testsuites"
    assert len(html) < 400_000
    html.encode()


@pytest.mark.parametrize(
    "text",
    some(
        [
            "\n" * 2**20,
            "a" * 2**20,
            "A_" * 2**19,
            "/usr" * 2**18,
            "at " * 2**18,
            "secret " * 2**17,
            "-1" * 2**19,
        ],
        3,
    ),
)
def test_a_hostile_response_costs_little_work(text):
    secret = Secret("an example secret")

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        status = 204 if verify("github", request, secret).ok else 401
        return Delivery(status=status, body=text.encode(), elapsed_s=0.01)

    run = partial(check_receiver, "github", "http://127.0.0.1:9/", secret, suite="full", transport=transport)
    run(only=["A1"])  # what a process computes once is not counted
    with at_most_lines(600_000):
        report = run(only=["G"], skip=["G8"])
    assert {"passed", "not_applicable"} == {str(result.status) for result in report.checks}


def test_a_provider_of_ones_own_cannot_break_the_forms():
    report = Report(provider='x"><script>', url="http://a/\x00|<b>", suite="standard", checks=())

    assert "<script>" not in report._repr_html_()
    assert "<b>" not in report.to_markdown().replace("\\<b", "")
    assert ElementTree.fromstring(report.to_junit()) is not None
    assert report.score.fraction is None
    assert not report.ok


def test_a_finding_links_to_its_sources(stripe):
    finding = stripe.findings[0]
    urls = [url for url in map(source_url, finding.sources) if url]

    assert [] != urls
    assert [] == [url for url in urls if f"]({url})" not in stripe.to_markdown()]
    assert [] == [url for url in urls if f'href="{escape(url)}"' not in stripe._repr_html_()]


@pytest.mark.parametrize(
    ("name", "check", "source"),
    [
        ("slack", "D3", "https://docs.slack.dev/apis/events-api#retries"),
        ("slack", "D7", "https://docs.slack.dev/apis/events-api#event-type-structure"),
        ("github", "A4", "https://docs.github.com/en/webhooks/webhook-events-and-payloads"),
        ("shopify", "A2", "https://shopify.dev/docs/apps/build/webhooks/subscribe/https"),
        (
            "easypost",
            "C13",
            "https://docs.easypost.com/docs/events (id: a unique identifier that begins with evt_)",
        ),
    ],
)
def test_what_a_check_takes_from_the_provider_has_the_source_of_the_provider(name, check, source):
    known = provider(name)
    key = known.example_secret()
    with Receiver(name, key) as receiver:
        result = check_receiver(name, receiver.url, key, only=[check], oracle=lambda: 0)[check]

    assert source in result.sources
    assert set(catalogue()[check].sources) <= set(result.sources)
    assert len(result.sources) == len(set(result.sources))


@pytest.mark.parametrize(
    "source",
    ["https://a)![x](https://b)", 'https://a"onclick="b', "https://a|b", "https://a<b>", "https://a`b"],
)
def test_a_source_of_a_provider_of_ones_own_cannot_break_a_link(source: str):
    assert "" == source_url(source)


def test_a_check_takes_no_source_of_what_it_does_not_take():
    """Stripe publishes no largest body, and the other sources of its deliveries are about accounts."""
    assert catalogue()["A4"].sources == sources_of(catalogue()["A4"], provider("stripe"))
    for each in providers():
        for row in catalogue().values():
            assert row.facts or row.id in ("A1", "B7") or row.sources == sources_of(row, each)


def test_the_documentation_of_every_provider_is_that_of_the_sender():
    sources = [sources_of(catalogue()[check], provider("stripe")) for check in ("A1", "B7")]

    assert [
        ("https://docs.stripe.com/webhooks",),
        ("https://docs.stripe.com/webhooks", "carbon-layer 0.6.1"),
    ] == sources


@pytest.mark.parametrize(
    ("name", "fact"),
    [("xendit", "id_header of Xendit (webhook-id)"), ("intercom", "id_path of Intercom (id)")],
)
def test_a_check_says_that_what_it_takes_from_the_provider_is_not_confirmed(name, fact):
    first, *others = sources_of(catalogue()["C13"], provider(name))

    assert first.startswith(f"{fact} is not confirmed; searched: https://")
    assert catalogue()["C13"].sources == tuple(others)


def test_every_check_has_a_source_a_reason_and_a_change_for_each_framework():
    frameworks = {"Flask", "Django", "FastAPI", "Express", "Next.js", "Rails", "Spring", "Go", "Lambda"}

    assert 92 == len(catalogue())
    for check in catalogue().values():
        assert check.title
        assert check.expected
        assert check.why.endswith(".")
        assert check.sources
        assert frameworks == {name for name, _ in check.fix.frameworks}
        assert check.suite in ("standard", "full")
