"""Where libraries are missing: every operation is answered, and what cannot be done says why."""

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
def found() -> dict[str, Any]:
    """What came of using everything in a process in which the libraries are not found."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.missing_libraries"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def refused(replies: dict[str, Any]) -> dict[str, str]:
    """The operations that were not done, and why."""
    return {name: reply["error"]["text"] for name, reply in replies.items() if not reply["ok"]}


def test_nothing_that_is_missing_was_loaded(found: dict[str, Any]):
    assert [] == found["loaded"]


@pytest.mark.parametrize("widget", ["calculator", "planner"])
def test_only_a_png_is_refused_where_pictures_are_drawn(found: dict[str, Any], widget: str):
    told = refused(found[widget]["replies"])

    assert ["png"] == list(told)
    assert "needs matplotlib, which is not installed; install it: %pip install matplotlib" in told["png"]


@pytest.mark.parametrize("widget", ["calculator", "planner"])
def test_frames_have_a_light_picture_with_a_note(found: dict[str, Any], widget: str):
    for name in ("frame", "quick"):
        value = found[widget]["replies"][name]["value"]

        assert value["error"] is None
        assert "image/svg+xml" == value["picture"]["media_type"]
        assert "%pip install matplotlib" in value["picture"]["note"]
    assert found[widget]["replies"]["frame"]["value"]["picture"]["alt"]


@pytest.mark.parametrize("widget", ["calculator", "planner"])
def test_the_light_picture_is_as_large_as_the_frame_says(found: dict[str, Any], widget: str):
    picture = found[widget]["replies"]["frame"]["value"]["picture"]
    drawn = ElementTree.fromstring(next(file for file in found[widget]["files"] if file.startswith("<svg")))

    assert (str(picture["width"]), str(picture["height"])) == (drawn.get("width"), drawn.get("height"))
    assert 640 == picture["width"]


def test_five_algorithms_are_compared_without_matplotlib(found: dict[str, Any]):
    drawn = [file for file in found["calculator"]["files"] if "5 limits compared" in file]

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
def test_figures_say_how_to_install_what_they_need(found: dict[str, Any], widget: str, name: str, error: str):
    kind, text = found[widget][name]

    assert error == kind
    assert text.endswith("install it: %pip install matplotlib")


def test_the_generator_does_all_that_needs_no_library(found: dict[str, Any]):
    told = refused(found["generator"]["replies"])

    assert {"send", "verify with a public key", "diagnose with a public key"} == set(told)
    assert "%pip install httpcore" in told["send"]
    assert "%pip install cryptography" in told["verify with a public key"]
    assert "%pip install cryptography" in told["diagnose with a public key"]
    assert found["generator"]["replies"]["verify"]["value"]["ok"]


@pytest.mark.parametrize(
    ("what", "library"),
    [
        ("send", "httpcore"),
        ("receiver with tls", "cryptography"),
        ("a key pair", "cryptography"),
        ("a key pair of text", "cryptography"),
        ("a public key", "cryptography"),
        ("compare schemas", '"hook-widgets[openapi]"'),
        ("compare YAML", '"hook-widgets[openapi]"'),
    ],
)
def test_code_is_told_what_to_install(found: dict[str, Any], what: str, library: str):
    _, text = found["rest"][what]

    assert f"install {library}" in text


def test_a_simulation_and_the_doctor_need_none_of_them(found: dict[str, Any]):
    assert [] == found["rest"]["simulate"]
    assert [] == found["rest"]["doctor"]


def test_every_widget_has_its_still_form(found: dict[str, Any]):
    assert all({"text/html", "text/plain"} <= set(kinds) for kinds in found["rest"]["still"])
