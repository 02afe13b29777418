"""Raw receivers on 127.0.0.1 that misbehave to order and keep what they got, byte for byte."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass

Script = Callable[["Talk"], None]


@dataclass(frozen=True)
class Seen:
    """One request as it stood on the wire."""

    head: bytes
    body: bytes

    @property
    def lines(self) -> list[str]:
        return self.head.decode().split("\r\n")

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Name and value of each header, in order and case as sent."""
        pairs = (line.partition(":") for line in self.lines[1:])
        return [(name, value.strip()) for name, _, value in pairs]


class Talk:
    """One connection, from the receiver's end."""

    def __init__(self, connection: socket.socket, over: threading.Event, seen: list[Seen]) -> None:
        self.connection = connection
        self.over = over
        self._seen = seen

    def hear(self) -> None:
        """Read one request and keep it."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(
            (
                int(line.split(b":")[1])
                for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-length:")
            ),
            0,
        )
        pieces = [body]
        length -= len(body)
        while length > 0:
            pieces.append(self._more())
            length -= len(pieces[-1])
        self._seen.append(Seen(head, b"".join(pieces)))

    def say(self, data: bytes) -> None:
        self.connection.sendall(data)

    def drip(self, data: bytes, *, every_s: float = 0.02) -> None:
        """Say it one byte at a time, for as long as someone listens."""
        for i in range(len(data)):
            self.say(data[i : i + 1])
            if self.over.wait(every_s):
                return

    def hang(self) -> None:
        """Say nothing more, and keep the connection open until the end of the test."""
        self.over.wait()

    def reset(self) -> None:
        """Break the connection the hard way."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _more(self) -> bytes:
        data = self.connection.recv(65536)
        if not data:
            raise ConnectionResetError
        return data


def answer(head: bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2", body: bytes = b"ok") -> Script:
    """A receiver that reads the request and says this."""

    def script(talk: Talk) -> None:
        talk.hear()
        talk.say(head + b"\r\n\r\n" + body)

    return script


class Wire:
    """A raw receiver: runs `script` for each connection until the ``with`` block ends."""

    def __init__(self, script: Script | None = None, *, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[Seen] = []
        self.connections = 0
        self._script = script or answer()
        self._tls = tls
        self._over = threading.Event()
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._errors: list[Exception] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/hooks?shop=1"

    def __enter__(self) -> Wire:
        self._run(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        for connection in self._open:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listening.close()
        if self._errors:
            raise self._errors[0]

    def _run(self, work: Callable[..., None], *args: object) -> None:
        self._threads.append(threading.Thread(target=work, args=args))
        self._threads[-1].start()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            self._run(self._talk, connection)

    def _talk(self, connection: socket.socket) -> None:
        try:
            with connection:
                if self._tls:
                    with self._tls.wrap_socket(connection, server_side=True) as encrypted:
                        self._open.append(encrypted)
                        self._script(Talk(encrypted, self._over, self.requests))
                else:
                    self._script(Talk(connection, self._over, self.requests))
        except OSError:
            pass  # the sender hung up, which is its right
        except Exception as error:  # noqa: BLE001 - raised again at the end of the test
            self._errors.append(error)
