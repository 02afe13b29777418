"""Timed requests to nginx over connections that stay open.

Nothing depends on a request being sent at its exact time: nginx logs the time of each decision.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

from tests.nginx.server import Nginx

FIRST, TOGETHER = "first", "together"
"""Two paths without a limit."""

SECONDS = 2.5
"""Duration of each stream of requests."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Requests of one key to one path.

    Attributes:
        path: the location.
        key: what nginx counts by; each stream has its own.
        times: when to send, in seconds.
        connections: over how many connections. A request that nginx delays keeps the ones behind it on the
            same connection from being decided.
    """

    path: str
    key: str
    times: list[float]
    connections: int = 1

    @property
    def request(self) -> bytes:
        """HEAD, so that an answer ends with its header."""
        return f"HEAD /{self.path}?key={self.key} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def patterns(per_second: float, at_once: int) -> dict[str, list[float]]:
    """Ways to meet a limit of so many per second and so many at once."""
    rng = random.Random(f"{per_second} {at_once}")

    def steady(factor: float) -> list[float]:
        return [i / (per_second * factor) for i in range(int(SECONDS * per_second * factor))]

    def poisson(factor: float) -> list[float]:
        times, t = [], rng.expovariate(per_second * factor)
        while t < SECONDS:
            times.append(t)
            t += rng.expovariate(per_second * factor)
        return times

    # Twice what may go at once, at uneven distances, some before the last burst is forgiven.
    starts = [SECONDS * i / 8 + rng.uniform(0, SECONDS / 8) for i in range(8)]
    return {
        "below": steady(0.8),
        "at": steady(1),
        "above": steady(2),
        "bursts": sorted(start for start in starts for _ in range(2 * at_once)),
        "poisson": poisson(1.5),
    }


class Connection:
    """One connection to nginx; requests may follow each other without waiting for answers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Connection:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    def send(self, request: bytes) -> None:
        self._writer.write(request)

    async def answer(self) -> None:
        """Wait for one answer."""
        await self._reader.readuntil(b"\r\n\r\n")

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


async def drive(nginx: Nginx, streams: list[Stream]) -> None:
    """Send all streams at the same time, and wait for every answer.

    Before, every connection sends one request to `TOGETHER`; nginx decides them all in the same millisecond.
    That relates the connections' clocks to each other.
    """
    opened = [[await Connection.open(nginx.port) for _ in range(stream.connections)] for stream in streams]
    everyone = [connection for group in opened for connection in group]
    for connection in everyone:  # that it has been accepted is certain when it has been answered
        connection.send(Stream(FIRST, "", []).request)
        await connection.answer()
    with nginx.halted():
        for connection in everyone:
            connection.send(Stream(TOGETHER, "", []).request)
    for connection in everyone:
        await connection.answer()
    start = asyncio.get_running_loop().time()
    await asyncio.gather(
        *(_send(stream, group, start) for stream, group in zip(streams, opened, strict=True))
    )
    for connection in everyone:
        await connection.close()


async def _send(stream: Stream, connections: list[Connection], start: float) -> None:
    if len(connections) == 1:
        (connection,) = connections
        answers = asyncio.create_task(_answers(connection, len(stream.times)))
        for t in stream.times:
            await _until(start + t)
            connection.send(stream.request)
        await answers
        return
    idle: asyncio.Queue[Connection] = asyncio.Queue()
    for connection in connections:
        idle.put_nowait(connection)
    async with asyncio.TaskGroup() as answering:
        for t in stream.times:
            await _until(start + t)
            connection = await idle.get()
            connection.send(stream.request)
            answering.create_task(_back(connection, idle))


async def _answers(connection: Connection, count: int) -> None:
    for _ in range(count):
        await connection.answer()


async def _back(connection: Connection, idle: asyncio.Queue[Connection]) -> None:
    await connection.answer()
    idle.put_nowait(connection)


async def _until(t: float) -> None:
    """Keeps the pace of the traffic."""
    left = t - asyncio.get_running_loop().time()
    if left > 0:
        await asyncio.sleep(left)
