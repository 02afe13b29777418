"""Forms that a notebook keeps beside a widget, for readers without a kernel."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta  # the lines that are evaluated use them
from functools import cache
from itertools import pairwise
from typing import cast
from urllib.parse import unquote
from xml.etree import ElementTree

import anywidget
import pytest
from jinja2 import UndefinedError

from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator
from hook_widgets.ratelimit import Arrivals
from hook_widgets.webhooks import provider, providers
from hook_widgets.widgets._base import HookWidget
from hook_widgets.widgets.static_html import document
from hook_widgets.widgets.static_html.document import LARGEST, StaticDocument
from tests.support.extent import extent, some
from tests.widgets.static_html.cases import Page, bundle

VIEW = "application/vnd.jupyter.widget-view+json"
WIDGETS: dict[str, Callable[[], HookWidget]] = {
    "generator": WebhookGenerator,
    "calculator": RateLimitCalculator,
    "comparison": lambda: RateLimitCalculator("pro", compare=True),
    "planner": VersionPlanner,
}


def page(widget: HookWidget) -> Page:
    return Page(bundle(widget)["text/html"])


@pytest.fixture(params=WIDGETS)
def widget(request: pytest.FixtureRequest) -> HookWidget:
    return WIDGETS[request.param]()


def test_the_widget_is_shown_as_before_where_it_can_be(widget: HookWidget):
    before = anywidget.AnyWidget._repr_mimebundle_(cast(anywidget.AnyWidget, widget))
    assert before is not None

    assert before[0][VIEW] == bundle(widget)[VIEW]
    assert {VIEW, "text/html", "text/plain"} == bundle(widget).keys()
    assert repr(widget) == bundle(widget)["text/plain"].splitlines()[0]


def test_a_reader_without_style_sheets_has_headings_captions_and_words_for_pictures(widget: HookWidget):
    shown = page(widget)
    tables, captions = len(shown.all("table")), len(shown.all("caption"))

    assert 1 == len(shown.all("h3"))
    assert 0 < tables == captions
    assert {"row", "col"} >= {cell["scope"] for cell in shown.all("th")}
    assert all(image["alt"] for image in shown.all("img"))
    assert [] == [tag for tag, _ in shown.elements if tag in ("script", "style", "svg", "iframe", "link")]


@pytest.mark.parametrize("name", ["calculator", "comparison", "planner"])
def test_a_picture_is_an_image_that_carries_its_own_data(name: str):
    [image] = page(WIDGETS[name]()).all("img")
    kind, _, data = str(image["src"]).partition(",")
    drawn = ElementTree.fromstring(unquote(data))

    assert "data:image/svg+xml" == kind
    assert "{http://www.w3.org/2000/svg}svg" == drawn.tag
    assert str(image["src"]) == "".join(str(image["src"]).splitlines())


def test_the_calculator_tells_status_cards_table_and_headers():
    widget = RateLimitCalculator("10/s", burst=40, burst_allowance=30, clients=4)
    shown = page(widget)

    assert "25% of the requests get 429" in shown.words
    assert "Safe rate" in shown.words
    assert "Token bucket: what is left and what came since the row above" in shown.words
    assert "HTTP 429" in shown.words
    assert "Retry-After: " in shown.words


def test_the_planner_tells_dates_and_what_clients_get():
    widget = VersionPlanner(
        [[1, "2023-05-02", "2026-06-01"], [2, "2025-03-03"]], name="Billing API", at="2026-11-20"
    )
    shown = page(widget)

    assert "Versions of Billing API" in shown.words
    assert "Mon 1 Jun 2026" in shown.words
    assert "Deprecation: @" in shown.words
    assert "Sunset: " in shown.words


def test_the_generator_tells_headers_what_is_signed_and_a_command_that_signs():
    shown = page(WebhookGenerator("stripe", url="https://hooks.example.com/in"))

    assert "POST https://hooks.example.com/in" in shown.words
    assert "Stripe-Signature: t=${timestamp},v1=${signature}" in shown.words
    assert "hmac-sha256 of {timestamp}.{body}, in hex" in shown.words
    assert "with the key in $WEBHOOK_SECRET" in shown.words
    assert "--url 'https://hooks.example.com/in'" in shown.words


def test_the_command_is_the_one_that_the_draft_gives():
    widget = WebhookGenerator("stripe", clock=datetime(2026, 11, 20, 9, tzinfo=UTC))
    assert widget.draft is not None

    assert widget.draft.curl(secret_env="WEBHOOK_SECRET", compress=True) in page(widget).words


def test_a_short_body_stands_in_the_command_as_it_is():
    assert """printf '%s' '{"id": 1}'""" in page(WebhookGenerator("github", body='{"id": 1}')).words


def test_of_a_body_too_long_for_a_notebook_the_beginning_is_shown_and_where_the_rest_is():
    shown = page(WebhookGenerator("stripe", body=json.dumps([{"n": n, "sha": hash(n)} for n in range(4000)])))

    assert '[{"n": 0, "sha": 0}' in shown.words
    assert "export_html(path)" in shown.words


@pytest.mark.parametrize(
    ("widget", "name", "value", "said"),
    [
        (WebhookGenerator("stripe"), "url", "ftp://x", "begin with http:// or https://"),
        (WebhookGenerator("stripe"), "provider", "strype", "did you mean 'stripe'?"),
        (WebhookGenerator("stripe"), "clock", {"mode": "fixed", "at": "?"}, "not a date and time"),
        (RateLimitCalculator(), "limits", [["", "many"]], "many"),
        (RateLimitCalculator(), "limits", [], "There is no limit"),
        (RateLimitCalculator(), "algorithm", "guess", "guess"),
        (VersionPlanner(), "zone", "Mars/Olympus", "Mars/Olympus"),
        (VersionPlanner(), "versions", [], "version"),
    ],
)
def test_inputs_that_cannot_be_used_are_said_and_nothing_fails(
    widget: HookWidget, name: str, value: object, said: str
):
    widget.set_state({name: value})
    shown = page(widget)

    assert "The inputs cannot be used at the moment: " in shown.words
    assert said in shown.words


def test_a_form_that_cannot_be_made_does_not_keep_the_widget_from_being_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    widget = VersionPlanner()
    monkeypatch.setattr(widget, "_documents", lambda: iter([StaticDocument("", None)]))  # type: ignore[arg-type]

    assert VIEW in bundle(widget)
    html = bundle(widget)["text/html"]
    assert "could not be created (" in html
    assert "The widget itself works. Run the cell again" in html


def test_a_template_engine_that_is_missing_does_not_keep_the_widget_from_being_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(document, "_templates", cache(document._templates.__wrapped__))
    monkeypatch.setitem(sys.modules, "jinja2", None)
    saved = bundle(VersionPlanner())

    assert VIEW in saved
    assert (
        "<p>VersionPlanner: The static copy of this widget for saved notebooks could not be created: the "
        "module jinja2 is missing. The widget itself works. Run pip install hook-widgets in the environment "
        "of the kernel, and restart the kernel." == saved["text/html"]
    )


def test_a_name_that_a_template_does_not_know_is_an_error():
    with pytest.raises(UndefinedError, match="'document' is undefined"):
        document.render("fragment.html")


# Elements and attributes that static HTML has; the values of attributes, where they are not free.
PLAIN = {
    "section",
    "p",
    "b",
    "h3",
    "h4",
    "ul",
    "li",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "td",
    "pre",
    "code",
}
ATTRIBUTES = {
    "th": {"scope": r"row|col"},
    "img": {"src": r"data:image/svg\+xml,.*", "alt": r"[^\n]*", "class": r"light|dark"},
    "a": {
        "download": r"payload\.(json|txt)",
        "href": r"data:application/octet-stream;base64,[A-Za-z0-9+/=]*",
    },
}
NASTY = (
    "</pre><script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "</style></title><svg onload=alert(1)>",
    "x' onmouseover='alert(1)",
    'x" onmouseover="alert(1)',
    "javascript:alert(1)",
    "&lt;b&gt; &amp;lt;",
    "{{ 7 * 7 }}{% raw %}{# {{ config }}",
)


@pytest.mark.filterwarnings("ignore:the JSON of the body has an error")
@pytest.mark.parametrize("nasty", some(NASTY, 4))
def test_inputs_are_words_and_never_elements(nasty: str):
    webhook = WebhookGenerator("stripe", body=nasty, headers={"X-Note": nasty})
    event = WebhookGenerator("stripe", body=nasty)
    event.set_state({"event": nasty, "url": nasty, "clock": {"mode": "fixed", "at": nasty}})
    widgets = [webhook, event, RateLimitCalculator({nasty: "10/s"}), VersionPlanner([[1], [2]], name=nasty)]
    for widget in widgets:
        for html in (bundle(widget)["text/html"], widget._full_document().fragment()):
            parsed = Page(html)
            assert nasty in parsed.words
            for tag, attributes in parsed.elements:
                values = ATTRIBUTES.get(tag, {})
                assert tag in PLAIN or values, tag
                assert all(re.fullmatch(values[name], value or "") for name, value in attributes.items()), tag


def test_half_a_surrogate_pair_from_a_tab_breaks_nothing():
    widget = WebhookGenerator("stripe")
    widget.set_state({"event": "\ud83d"})

    assert (
        "Stripe webhook: ?" in bundle(widget)["text/html"]
        or "stripe webhook: ?" in bundle(widget)["text/html"]
    )
    assert bundle(widget)["text/html"].encode()


def test_no_event_of_any_provider_takes_more_than_its_share_of_a_notebook():
    """Events spread over all providers, and the longest bodies there are."""
    every = [(source.id, event.name) for source in providers() for event in source.all_events]
    longest = sorted(every, key=lambda each: len(provider(each[0]).template(each[1])))[-20:]
    for name, event in [*every[:: extent(40, 10)], *longest]:
        widget = WebhookGenerator(name, event)
        html = bundle(widget)["text/html"]
        widget.close()
        assert "could not be created" not in html, (name, event)
        assert len(json.dumps(html, ensure_ascii=False).encode()) <= LARGEST, (name, event)


@pytest.mark.parametrize(
    "widget",
    [
        RateLimitCalculator({f"limit {n}": f"{n}000/hour" for n in range(1, extent(12, 30))}, compare=True),
        VersionPlanner([[n, f"20{10 + n // 2}-01-01", f"20{12 + n // 2}-01-01"] for n in range(1, 50)]),
        WebhookGenerator("stripe", url="https://example.com/" + "x" * 20_000),
        WebhookGenerator("stripe", headers={f"X-{n}": "y" * 500 for n in range(60)}),
        VersionPlanner(name="N" * 20_000),
    ],
    ids=["many limits", "many versions", "a long address", "many headers", "a long name"],
)
def test_the_largest_inputs_take_no_more_than_their_share_of_a_notebook(widget: HookWidget):
    assert len(json.dumps(bundle(widget)["text/html"], ensure_ascii=False).encode()) <= LARGEST
    assert len(bundle(widget)["text/plain"]) < 1000


@pytest.mark.parametrize(
    "widget",
    [
        WebhookGenerator("github", "pull_request.opened", headers={"X-Trace": "42"}, locked=["url"]),
        WebhookGenerator("slack", clock=timedelta(seconds=-301), verify_tls=False, timeout_s=5),
        WebhookGenerator("discord", timeout_s=timedelta(seconds=5)),
        WebhookGenerator("stripe", body=b'{"id": "\xc3\xa9"}', allow_hosts=["a.example"], scheme=""),
        WebhookGenerator(
            "stripe", clock=datetime(2026, 11, 20, 9, tzinfo=UTC), headers=[("A", "1"), ("A", "2")]
        ),
        RateLimitCalculator(),
        RateLimitCalculator("10/s"),
        RateLimitCalculator("github-user", steady="5/s", algorithm="leaky_bucket", compare=True),
        RateLimitCalculator({"burst": "10/s", "hour": "1000/hour"}, steady="", burst="", locked=["limits"]),
        VersionPlanner(),
        VersionPlanner([[1, "2023-05-02", "2026-06-01"], [2, "", "", "", "preview"]], zone="Europe/Berlin"),
        VersionPlanner([1, 2], name="", at="2026-11-20", months=24, holidays=["2026-12-25"], version=2),
    ],
)
def test_the_lines_in_python_make_the_same_widget(widget: HookWidget):
    words = Page(widget._full_document().fragment()).words
    _, _, line = words.partition("In Python")
    rebuilt = eval(line.partition("Not confirmed")[0])
    traits = [name for name in (*widget.lockable, "locked") if widget.has_trait(name)]

    assert {name: getattr(widget, name) for name in traits} == {
        name: getattr(rebuilt, name) for name in traits
    }


def test_traffic_of_ones_own_is_named_in_the_lines_in_python():
    widget = RateLimitCalculator("10/s", arrivals=Arrivals.poisson("5/s", "10 s", seed=1))

    assert "arrivals=arrivals" in Page(widget._full_document().fragment()).words


def test_making_it_loads_no_drawing_library():
    program = """
import sys
from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator
for made in (RateLimitCalculator(), VersionPlanner(), WebhookGenerator()):
    assert "could not be created" not in made._repr_mimebundle_()[0]["text/html"]
print(sorted({"matplotlib", "numpy"} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout


def test_there_are_three_to_five_forms_and_the_last_is_small():
    for make in WIDGETS.values():
        sizes = [len(still.fragment()) for still in make()._documents()]
        assert 3 <= len(sizes) <= 5
        assert sizes[-1] < min(sizes[0], LARGEST)
        assert any(later < before for before, later in pairwise(sizes))
