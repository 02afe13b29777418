"""The configuration that docs/howto/in-the-browser.md gives, in a real nginx: types, policy, what is kept."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from tests.nginx.server import Nginx

PAGE = (Path(__file__).parents[2] / "docs/howto/in-the-browser.md").read_text(encoding="utf-8")
# By the IANA registry of media types, and RFC 9239 for JavaScript. What has none here goes as it is.
TYPES = {
    "index.html": "text/html",
    "lab/index.html": "text/html",
    "build/style.css": "text/css",
    "build/lab.11aa22.js": "text/javascript",
    "static/pyodide/pyodide.mjs": "text/javascript",
    "static/pyodide/pyodide.asm.wasm": "application/wasm",
    "static/pyodide/pyodide-lock.json": "application/json",
    "static/pyodide/a-1.0-py3-none-any.whl": "application/octet-stream",
    "static/pyodide/python_stdlib.zip": "application/octet-stream",
    "files/start.ipynb": "application/json",
    "build/font.woff2": "font/woff2",
    "icon.svg": "image/svg+xml",
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Message]]:
    """The headers of each file, as nginx sends them."""
    folder = tmp_path_factory.mktemp("nginx")
    for name in TYPES:
        file = folder / "srv/hooks" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    (config,) = re.findall(r"```nginx\n(.*?)```", PAGE, re.DOTALL)
    assert "root /srv;" in config
    with Nginx(folder, [], {}, config.replace("root /srv;", f'root "{folder}/srv";')) as nginx:
        base = f"http://127.0.0.1:{nginx.port}/hooks"
        yield {name: headers(f"{base}/{name}") for name in TYPES}


def headers(url: str) -> Message:
    """The headers that come with a file."""
    with urllib.request.urlopen(url) as answer:
        response_headers: Message = answer.headers
    return response_headers


def test_every_file_has_its_type(answers: dict[str, Message]):
    assert TYPES == {name: headers.get_content_type() for name, headers in answers.items()}


def test_every_file_has_the_policy_that_the_page_tells(answers: dict[str, Message]):
    (policy,) = re.findall(r"`Content-Security-Policy: ([^`]+)`", PAGE)

    assert {name: [policy] for name in TYPES} == {
        name: headers.get_all("Content-Security-Policy") for name, headers in answers.items()
    }


def test_what_keeps_its_name_when_it_changes_is_asked_for_anew(answers: dict[str, Message]):
    named_by_content = {"build/style.css", "build/lab.11aa22.js", "build/font.woff2", "icon.svg"}

    assert {name: "no-cache" for name in TYPES if name not in named_by_content} == {
        name: headers["Cache-Control"] for name, headers in answers.items() if headers["Cache-Control"]
    }
