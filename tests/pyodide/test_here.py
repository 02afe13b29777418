"""What is true here: nothing is installed but pydantic and what the tests themselves need."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from hook_widgets.errors import InvalidDocument
from hook_widgets.ratelimit import Arrivals, TokenBucket, simulate
from hook_widgets.versioning import compare


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
