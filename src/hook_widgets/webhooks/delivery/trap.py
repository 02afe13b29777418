"""A port of this machine that nobody should connect to, and a count of those who do."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Final

from hook_widgets._optional import in_browser
from hook_widgets.errors import WebhookError

_READ_S: Final = 1.0
_POLL_S: Final = 0.05
_RESPONSE: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Trap:
    """Counts connections to a free port of 127.0.0.1, and responds to each with 404.

    It runs until the end of the ``with`` block.

    Raises:
        WebhookError: Python runs in a browser, which cannot listen.
    """

    def __init__(self) -> None:
        if in_browser():
            raise WebhookError("Python in a browser cannot listen for requests; run this on a machine")
        self.count: int = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(_POLL_S)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="hook_widgets-trap", daemon=True)

    @property
    def authority(self) -> str:
        """Its host and port."""
        return f"127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Trap:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(OSError):  # nobody came, or who came has left
                connection, _ = self._socket.accept()
                self.count += 1
                with connection:
                    connection.settimeout(_READ_S)
                    connection.recv(4096)
                    connection.sendall(_RESPONSE)
