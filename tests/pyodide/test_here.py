"""The environment: only pydantic and the tests' own dependencies are installed."""

from __future__ import annotations

import importlib.util
import sys
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from hook_widgets.errors import InvalidArgument, InvalidDocument, LimitModelError, WebhookError
from hook_widgets.ratelimit import Arrivals, TokenBucket, draw_run_svg, simulate
from hook_widgets.versioning import Api, Release, compare
from hook_widgets.versioning.planning.plotting.svg import draw_timeline_svg as sketch_of_versions
from hook_widgets.webhooks import KeyPair, Receiver, Secret, languages, provider, receiver_snippet, send
from hook_widgets.widgets.static_html.document import Picture, StaticDocument


def test_these_tests_run_in_pyodide():
    assert sys.platform == "emscripten"


@pytest.mark.parametrize(
    "name",
    [
        "numpy",
        "matplotlib",
        "numba",
        "pandas",
        "IPython",
        "traitlets",
        "ipywidgets",
        "anywidget",
        "cryptography",
        "jsonschema",
        "referencing",
        "yaml",
    ],
)
def test_the_cores_do_without(name: str):
    assert importlib.util.find_spec(name) is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_runs_and_versions_are_drawn(theme: str):
    run = simulate(TokenBucket(10, "100/s"), Arrivals.poisson("200/s", "10 s", seed=1))
    api = Api(name="Orders API", releases=(Release(1),))

    drawn = (
        draw_run_svg(run, until_s=10, theme=theme),
        sketch_of_versions(api, datetime(2026, 11, 20, tzinfo=UTC), theme=theme),
    )

    assert ["Tokens left over 10 s", "Versions of Orders API on 20 Nov 2026"] == [
        ElementTree.fromstring(each).findtext("{http://www.w3.org/2000/svg}title") for each in drawn
    ]


def test_templates_escape_without_a_compiled_part():
    html = StaticDocument("<b>", "", (Picture("'\"", "<svg/>"),)).fragment()

    assert {"markupsafe._native"} == {"markupsafe._native", "markupsafe._speedups"} & sys.modules.keys()
    assert "<h3>&lt;b&gt;</h3>" in html
    assert "alt='&#39;&#34;'" in html


@pytest.mark.parametrize("language", [name for name, _title in languages()])
def test_receivers_are_generated(language: str):
    assert "verify" in receiver_snippet("stripe", language).lower()


def test_what_needs_a_library_says_that_a_page_gets_it_from_pyodide():
    with pytest.raises(LimitModelError, match=r"%pip install matplotlib; .* Pyodide's own packages"):
        simulate(TokenBucket(2, "1/s"), [0, 1, 2]).plot()
    with pytest.raises(WebhookError, match=r"%pip install cryptography; .* Pyodide's own packages"):
        KeyPair.generate("ed25519")


def test_what_needs_sockets_says_what_to_do_instead():
    with pytest.raises(InvalidArgument, match=r"CORS.*run the curl command"):
        send(provider("github").draft(url="http://127.0.0.1:9/").sign(Secret("an example secret")))
    with pytest.raises(WebhookError, match=r"cannot listen.*receiver_snippet"):
        Receiver("github", Secret("an example secret")).start()


def test_a_run_of_many_thousand_requests():
    run = simulate(TokenBucket(10, "100/s"), Arrivals.poisson("200/s", "100 s", seed=1))

    # What was there, and what flowed in until the last one.
    assert 10 + 100 * 100 == pytest.approx(run.admitted.count(True), rel=0.01)


@pytest.mark.parametrize(
    ("document", "kind", "package"),
    [({"type": "string"}, "schema", "jsonschema"), ("type: string", "schema", "pyyaml")],
)
def test_what_compares_schemas_names_the_package_that_is_missing(document: object, kind: str, package: str):
    with pytest.raises(InvalidDocument, match=f"install {package}"):
        compare(document, document, kind=kind)
