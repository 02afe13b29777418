"""HAR of a real Chromium: what its requests sent is what is read, and the test's schema accepts its files."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser

from hook_widgets.webhooks.recordings import read_recording
from tests.support import har
from tests.support.wire import Wire, answer

BODIES = {
    "json": '{"id": 1,\r\n "name": "caf\u00e9 \U0001f600"}\n',
    "form": "a=b+c&d=%C3%A9",
    "empty": "",
}
SEND = """async ([url, bodies]) => {
  for (const [name, body] of bodies)
    await (await fetch(url + "&name=" + name, { method: "POST", body })).text();
}"""


def test_requests_of_chromium_are_read_byte_for_byte(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "chromium.har"
    with Wire(answer(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) as wire:
        context = browser.new_context(record_har_path=file, record_har_content="embed")
        page = context.new_page()
        page.goto(wire.url)
        page.evaluate(SEND, [wire.url, list(BODIES.items())])
        context.close()
        sent = [seen for seen in wire.requests if seen.head.startswith(b"POST")]
    text = file.read_text()
    har.check(json.loads(text))
    recording = read_recording(text)
    posted = [exchange for exchange in recording.exchanges if exchange.request.method == "POST"]
    assert len(posted) == len(sent) == len(BODIES)
    for exchange, seen, body in zip(posted, sent, BODIES.values(), strict=True):
        assert exchange.request.body == seen.body == body.encode()
        assert exchange.response is not None
        assert exchange.response.body == b"ok"
        assert exchange.started is not None
        names = {name.lower() for name in exchange.request.headers}
        assert {"content-type", "host"} <= names
