"""A receiver for Stripe that parses a body and writes it again before it verifies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from hook_widgets.webhooks import Secret, verify


class Rewriting:
    """One receiver.

    Args:
        secret: the secret that it has.
        rewrites: False for one that verifies the raw bytes.

    Attributes:
        statuses: what it has answered.
    """

    def __init__(self, secret: str, *, rewrites: bool = True) -> None:
        self.secret = Secret(secret)
        self.rewrites = rewrites
        self.statuses: list[int] = []

    def status(self, headers: list[tuple[str, str]], body: bytes) -> int:
        text = json.dumps(json.loads(body)).encode() if self.rewrites else body
        ok = verify("stripe", headers=headers, body=text, secret=self.secret).ok
        self.statuses.append(200 if ok else 400)
        return self.statuses[-1]

    @contextmanager
    def listening(self) -> Iterator[str]:
        """Listen, and yield the URL."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(receiver.status(list(self.headers.items()), body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}/hooks"
            server.shutdown()
