"""A notebook keeps a webhook: every event of every provider, and a payload that is in a file."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from hook_widgets import RateLimitCalculator, Secret, VersionPlanner, WebhookGenerator
from hook_widgets.webhooks import Provider, providers, verify
from hook_widgets.widgets._base import HookWidget
from hook_widgets.widgets.static_html.webhook import file_name
from tests.support.bash import run
from tests.support.extent import extent
from tests.support.wire import Wire

SECRET = "TestSecretOfNobody0123456789"
TENTH = 5000  # bytes: ten widgets shall add less than 50 KB
Shown = tuple[dict[str, Any], dict[str, Any]]
_CODE = re.compile(r"<pre><code>(.*?)</code></pre>", re.DOTALL)
_LINK = re.compile(r'<a download="([^"]+)" href="data:application/octet-stream;base64,([^"]*)">')


def shown(widget: HookWidget) -> Shown:
    bundle = widget._repr_mimebundle_()
    assert bundle is not None
    return bundle


def kept(widget: HookWidget) -> str:
    return str(shown(widget)[0]["text/html"])


def size(bundle: Shown) -> int:
    """Return the bytes that it adds to a notebook's file."""
    cell = nbformat.v4.new_code_cell()
    notebook = nbformat.v4.new_notebook(cells=[cell])
    before = len(nbformat.writes(notebook).encode())
    cell.outputs = [
        nbformat.v4.new_output("execute_result", data=bundle[0], metadata=bundle[1], execution_count=10)
    ]
    return len(nbformat.writes(notebook).encode()) - before


def codes(text: str) -> list[str]:
    return [html.unescape(code) for code in _CODE.findall(text)]


def commands(text: str) -> list[str]:
    return [code for code in codes(text) if "curl --include" in code]


def lacking(provider: str, event: str) -> list[str]:
    """Return the parts of a request that a reader of the notebook does not see."""
    widget = WebhookGenerator(provider, event)
    draft, bundle = widget.draft, shown(widget)
    text = bundle[0]["text/html"]
    widget.close()
    assert draft is not None
    words = html.unescape(text)
    return [
        *(["the facts"] if "<caption>Request" not in text else []),
        *(["a command"] if len(commands(text)) != 1 and "export_html(path) writes it" not in words else []),
        *(
            name
            for name, _ in draft.header_templates
            if f"{name}: " not in words and f"{name}<td>" not in words
        ),
        *(["room for ten widgets"] if size(bundle) >= TENTH else []),
    ]


def shown_events(source: Provider) -> list[str]:
    """One event of each scheme and the handshakes; in a long run every event."""
    one_of_each = {event.scheme: event.name for event in source.events}.values()
    return extent(
        [*one_of_each, *(each.name for each in source.handshakes)], [e.name for e in source.all_events]
    )


@pytest.mark.parametrize(
    ("name", "event"), [("appwrite", "databases.rows.create"), ("aws-sns", "Notification.cloudwatch")]
)
def test_an_event_whose_command_is_too_long_shows_its_facts_and_headers_and_where_the_command_is(
    name: str, event: str, tmp_path: Path
):
    widget = WebhookGenerator(name, event)

    assert [] == lacking(name, event)
    assert [] == commands(kept(widget))
    assert 1 == len(commands(widget.export_html(tmp_path / "page.html").read_text(encoding="utf-8")))


@pytest.mark.parametrize("source", providers(), ids=lambda source: source.id)
def test_an_event_shows_its_facts_its_headers_and_a_command(source: Provider):
    assert {} == {name: what for name in shown_events(source) if (what := lacking(source.id, name))}


@pytest.mark.parametrize(
    ("provider", "event"),
    [("github", "push"), ("shopify", "orders/create"), ("forgejo", "push.form"), ("bitbucket", "repo:push")],
)
def test_the_two_pieces_of_code_for_a_long_payload_send_it(
    provider: str, event: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with Wire() as wire:
        widget = WebhookGenerator(provider, event, url=wire.url)
        saving, command = (code for code in codes(kept(widget)) if "curl" in code or "write_bytes(" in code)
        monkeypatch.chdir(tmp_path)
        exec(saving)
        done = run(command, tmp_path, WEBHOOK_SECRET=SECRET)

    assert 0 == done.returncode, done.stderr.decode()
    [seen] = wire.requests
    assert widget.body == seen.body
    assert verify(provider, headers=seen.headers, body=seen.body, secret=Secret(SECRET)).ok


@pytest.mark.filterwarnings("ignore:the JSON of the body has an error")
# What a clipboard and a page change: ends of lines, an empty line at the start, bytes that are no text.
@pytest.mark.parametrize("byte", [b"\n\r\n\t \r\xff\0", b"[]\n\n", '{"\N{ROCKET}": "\u202e"}'.encode()])
def test_a_long_payload_of_ones_own_is_saved_from_the_exported_page(byte: bytes, tmp_path: Path):
    with Wire() as wire:
        noise = "".join(f"{n * n * 2654435761 % 2**32:08x}" for n in range(2000)).encode()  # does not pack
        widget = WebhookGenerator("github", url=wire.url, body=byte + noise)
        in_notebook, page = (
            kept(widget),
            widget.export_html(tmp_path / "page.html").read_text(encoding="utf-8"),
        )
        [(name, data)] = _LINK.findall(page)
        (tmp_path / name).write_bytes(base64.b64decode(data))
        [command] = commands(in_notebook)
        done = run(command, tmp_path, WEBHOOK_SECRET=SECRET)

    assert 0 == done.returncode, done.stderr.decode()
    [seen] = wire.requests
    assert widget.body == seen.body
    assert (
        f"The command reads it from {name}; export_html(path) writes a page to save that from." in in_notebook
    )


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b' \n{"id": 1}', "payload.json"),
        (b"[]", "payload.json"),
        (b"a=1&b=2", "payload.txt"),
        (b"", "payload.txt"),
        (b"\xff", "payload.txt"),
    ],
)
def test_the_file_is_called_after_what_is_in_it(body: bytes, name: str):
    assert name == file_name(body)


@pytest.mark.parametrize(
    "widget",
    [
        WebhookGenerator("github", url=f"https://hooks.example.com/{'x' * 280}"),
        WebhookGenerator("stripe", url="https://example.com/" + "x" * 20_000),
        RateLimitCalculator({f"limit {n}": f"{n}000/hour" for n in range(1, 30)}, compare=True),
        VersionPlanner([[n, f"20{10 + n // 2}-01-01"] for n in range(1, 50)], name="é" * 280),
    ],
    ids=["a long address", "a very long one", "many limits", "many versions"],
)
def test_text_and_form_together_take_no_more_than_their_share_of_a_notebook(widget: HookWidget):
    assert size(shown(widget)) < TENTH
