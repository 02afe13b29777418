"""Timed requests to a server, each over a connection of its own, and processes that serve them.

Nothing depends on a request being sent at its exact time: the server says itself when it decided.
"""

from __future__ import annotations

import asyncio
import random
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

SECONDS = 3.0
"""Duration of each stream of requests."""


class Server:
    """A process that listens on loopback while the block runs.

    Args:
        command: the program and its arguments; it stays in the foreground.
        folder: a folder for what it prints.
        ports: the ports that it listens on.
    """

    def __init__(self, command: list[str], folder: Path, ports: list[int]) -> None:
        self._command = command
        self._folder = folder
        self._ports = ports

    def __enter__(self) -> Self:
        with (self._folder / "out").open("w") as out, (self._folder / "errors").open("w") as errors:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, cwd=self._folder
            )
        while not all(map(listens, self._ports)):
            if self._process.poll() is not None:
                raise RuntimeError(f"{self._command[0]} does not start: {self.errors}")
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)

    @property
    def errors(self) -> str:
        """The text of the server's standard error."""
        return (self._folder / "errors").read_text()


def listens(port: int) -> bool:
    """Tell if somebody listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
    except ConnectionRefusedError:
        return False
    return True


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def patterns(per_second: float, at_once: int) -> dict[str, list[float]]:
    """Ways to meet a limit of so many per second and so many at once."""
    rng = random.Random(f"{per_second} {at_once}")
    starts = [SECONDS * i / 5 + rng.uniform(0, SECONDS / 10) for i in range(5)]
    count = int(SECONDS * per_second * 1.5)
    return {
        "below": [i / (per_second * 0.8) for i in range(int(SECONDS * per_second * 0.8))],
        "bursts": sorted(start for start in starts for _ in range(at_once + 5)),
        "random": sorted(rng.uniform(0, SECONDS) for _ in range(count)),
    }


def drive(requests: list[tuple[float, int, str]]) -> None:
    """Send each request at its time, to its port, with its key as the header X-Key."""

    async def send(start: float, at: float, port: int, key: str) -> None:
        await asyncio.sleep(max(start + at - asyncio.get_running_loop().time(), 0))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            f"GET / HTTP/1.1\r\nHost: localhost\r\nX-Key: {key}\r\nConnection: close\r\n\r\n".encode()
        )
        await reader.read()
        writer.close()

    async def everything() -> None:
        start = asyncio.get_running_loop().time()
        await asyncio.gather(*(send(start, *request) for request in requests))

    asyncio.run(everything())
