"""Listeners on loopback: pages with headers to order, what is asked for there, and packets."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

_PAGE = b"<!doctype html><title>A page</title><body></body>"


@dataclass
class Listeners:
    """Listening servers.

    Attributes:
        headers: those of each page that is not like the others, by path.
        asked: the paths that were asked for, by any method.
        packets: how many came to the UDP port.
    """

    headers: dict[str, Mapping[str, str]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    packets: dict[int, int] = field(default_factory=dict)
    port: int = 0
    udp: tuple[int, ...] = ()

    @property
    def base(self) -> str:
        """The address of the pages."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def listening(*, udp_ports: int = 0) -> Iterator[Listeners]:
    """Listen until the end of the block."""
    listeners = Listeners()

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            listeners.asked.add(self.path)
            self.send_response(200)
            for name, value in listeners.headers.get(self.path, {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(_PAGE)))
            self.end_headers()
            self.wfile.write(_PAGE)

        do_POST = do_GET  # noqa: N815  # the base class names it so

        def log_message(self, *_: object) -> None:
            """Nothing: the test's own report is enough."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(udp_ports)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    listeners.port = server.server_port
    listeners.udp = tuple(each.getsockname()[1] for each in sockets)
    over = threading.Event()

    def count(one: socket.socket, port: int) -> None:
        while not over.is_set():
            one.recv(2048)
            listeners.packets[port] = listeners.packets.get(port, 0) + (not over.is_set())

    threads = [threading.Thread(target=server.serve_forever)]
    threads += [
        threading.Thread(target=count, args=pair) for pair in zip(sockets, listeners.udp, strict=True)
    ]
    for thread in threads:
        thread.start()
    try:
        yield listeners
    finally:
        over.set()
        for each in sockets:
            each.sendto(b"", each.getsockname())
        server.shutdown()
        for thread in threads:
            thread.join()
        for each in sockets:
            each.close()
        server.server_close()
