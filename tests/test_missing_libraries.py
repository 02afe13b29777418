"""Missing libraries: every operation gets a reply, and an unavailable one states the reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """Results of every operation in a process without the libraries."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.missing_libraries"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    reported: dict[str, Any] = json.loads(done.stdout)
    return reported


def rejected(replies: dict[str, Any]) -> dict[str, str]:
    """The operations that were not done, and why."""
    return {name: reply["error"]["text"] for name, reply in replies.items() if not reply["ok"]}


def test_nothing_that_is_missing_was_loaded(results: dict[str, Any]):
    assert [] == results["loaded"]


@pytest.mark.parametrize("widget", ["calculator", "planner"])
def test_only_a_png_is_rejected_where_pictures_are_drawn(results: dict[str, Any], widget: str):
    reported = rejected(results[widget]["replies"])

    assert ["png"] == list(reported)
    assert "needs matplotlib, which is not installed; install it: %pip install matplotlib" in reported["png"]


@pytest.mark.parametrize("widget", ["calculator", "planner"])
def test_frames_have_a_light_picture_with_a_note(results: dict[str, Any], widget: str):
    for name in ("frame", "quick"):
        value = results[widget]["replies"][name]["value"]

        assert value["error"] is None
        assert "image/svg+xml" == value["picture"]["media_type"]
        assert "%pip install matplotlib" in value["picture"]["note"]
    assert results[widget]["replies"]["frame"]["value"]["picture"]["alt"]


@pytest.mark.parametrize("widget", ["calculator", "planner"])
def test_the_light_picture_is_as_large_as_the_frame_says(results: dict[str, Any], widget: str):
    picture = results[widget]["replies"]["frame"]["value"]["picture"]
    drawn = ElementTree.fromstring(next(file for file in results[widget]["files"] if file.startswith("<svg")))

    assert (str(picture["width"]), str(picture["height"])) == (drawn.get("width"), drawn.get("height"))
    assert 640 == picture["width"]


def test_five_algorithms_are_compared_without_matplotlib(results: dict[str, Any]):
    drawn = [file for file in results["calculator"]["files"] if "5 runs compared" in file]

    assert 1 == len(drawn)


@pytest.mark.parametrize(
    ("widget", "name", "error"),
    [
        ("calculator", "figure", "LimitModelError"),
        ("calculator", "plot", "LimitModelError"),
        ("calculator", "plot_run", "LimitModelError"),
        ("planner", "figure", "VersioningError"),
    ],
)
def test_figures_say_how_to_install_what_they_need(
    results: dict[str, Any], widget: str, name: str, error: str
):
    kind, text = results[widget][name]

    assert error == kind
    assert text.endswith("install it: %pip install matplotlib")


def test_the_generator_does_all_that_needs_no_library(results: dict[str, Any]):
    reported = rejected(results["generator"]["replies"])

    assert {"send", "verify with a public key", "diagnose with a public key"} == set(reported)
    assert "%pip install httpcore" in reported["send"]
    assert "%pip install cryptography" in reported["verify with a public key"]
    assert "%pip install cryptography" in reported["diagnose with a public key"]
    assert results["generator"]["replies"]["verify"]["value"]["ok"]


@pytest.mark.parametrize(
    ("what", "library"),
    [
        ("send", "httpcore"),
        ("receiver", "h11"),
        ("receiver with tls", "cryptography"),
        ("a key pair", "cryptography"),
        ("a key pair of text", "cryptography"),
        ("a public key", "cryptography"),
        ("compare schemas", '"hook-widgets[openapi]"'),
        ("compare YAML", '"hook-widgets[openapi]"'),
    ],
)
def test_code_gets_an_error_that_says_what_to_install(results: dict[str, Any], what: str, library: str):
    _, text = results["rest"][what]

    assert f"install {library}" in text


def test_a_simulation_and_the_doctor_need_none_of_them(results: dict[str, Any]):
    assert [] == results["rest"]["simulate"]
    assert [] == results["rest"]["doctor"]


def test_every_widget_has_its_still_form(results: dict[str, Any]):
    assert all({"text/html", "text/plain"} <= set(kinds) for kinds in results["rest"]["still"])
