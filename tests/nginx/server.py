"""A real nginx on loopback: found, configured, started as a child of the tests, and asked what it decided."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

# `set` runs before limit_req does and in the same round of the event loop, so $at is the very millisecond
# that limit_req sees: both come from nginx's monotonic clock. ($msec is the wall clock, which turns over at
# another moment: a whole millisecond apart, once in a while.)
CONFIGURATION = """
daemon off; master_process off; pid nginx.pid; worker_rlimit_nofile 1024;
events {{ worker_connections 512; }}
http {{
  log_format decisions escape=json
    '{{"at":"$at","path":"$uri","key":"$arg_key","connection":$connection,"number":$connection_requests,'
    '"status":$status,"limit_req":"$limit_req_status","took":"$request_time"}}';
  access_log decisions.log decisions;
  {temporary}
  {zones}
  server {{
    listen 127.0.0.1:{port};
    root .;
    keepalive_requests 1000000;
    set $at $connection_time;
    {locations}
    {directives}
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the access log.

    Attributes:
        at_ms: when limit_req decided it, in milliseconds since its connection was opened.
        path: the location, without its slash.
        key: what the zones of the location count by.
        connection: number of the connection.
        number: which request of that connection it was.
        status: of the response.
        limit_req: what nginx calls its decision ("PASSED", "DELAYED", "REJECTED", and with dry run).
        took_ms: from the request's first byte to the log.
    """

    at_ms: int
    path: str
    key: str
    connection: int
    number: int
    status: int
    limit_req: str
    took_ms: int

    @classmethod
    def of(cls, line: str) -> Self:
        """A line, read."""
        row = json.loads(line)
        return cls(
            at_ms=_milliseconds(row["at"]),
            path=row["path"].removeprefix("/"),
            key=row["key"],
            connection=row["connection"],
            number=row["number"],
            status=row["status"],
            limit_req=row["limit_req"],
            took_ms=_milliseconds(row["took"]),
        )


def _milliseconds(seconds: str) -> int:
    """Three decimals, as nginx writes them, without a float."""
    whole, _, decimals = seconds.partition(".")
    return int(whole) * 1000 + int(decimals)


class Nginx:
    """One nginx process that serves files with limits.

    The program is the one that the variable NGINX names (`make test-nginx` finds it), or the one on PATH.

    Args:
        folder: an empty folder for everything that it writes.
        zones: the directives in `http`, such as limit_req_zone.
        locations: for each path the directives that limit it.
        directives: more of them for the server.
    """

    def __init__(
        self, folder: Path, zones: list[str], locations: dict[str, str], directives: str = ""
    ) -> None:
        self._folder = folder
        self._program = os.environ.get("NGINX") or "nginx"
        self._zones = zones
        self._locations = locations
        self._directives = directives
        self.port = 0

    def __enter__(self) -> Self:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        for path in self._locations:
            (self._folder / path).write_text(path)
        (self._folder / "nginx.conf").write_text(
            CONFIGURATION.format(
                port=self.port,
                temporary=self._temporary(),
                zones="\n  ".join(self._zones),
                locations="\n    ".join(
                    f"location = /{path} {{ {directives} }}" for path, directives in self._locations.items()
                ),
                directives=self._directives,
            )
        )
        with (self._folder / "errors.log").open("w") as errors:
            self._process = subprocess.Popen(
                [self._program, "-p", f"{self._folder}/", "-c", "nginx.conf", "-e", "stderr"],
                # To nginx a variable of this name is a list of sockets that it takes over.
                env={name: value for name, value in os.environ.items() if name != "NGINX"},
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
            )
        while not self._listens():
            if self._process.poll() is not None:
                raise RuntimeError(f"{self._program} does not start: {self.errors()}")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)

    @contextmanager
    def halted(self) -> Iterator[None]:
        """nginx stands still; what arrives meanwhile is then handled in one round of its event loop."""
        os.kill(self._process.pid, signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def decisions(self) -> list[Decision]:
        """Return the decisions in the order of the log, which is complete after nginx has ended."""
        lines = (self._folder / "decisions.log").read_text().splitlines()
        return [Decision.of(line) for line in lines]

    def errors(self) -> str:
        """Return the errors that nginx logged."""
        return (self._folder / "errors.log").read_text()

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=10).close()
        except ConnectionRefusedError:
            return False
        return True

    def _temporary(self) -> str:
        """Folders of our own for what is uploaded, which distributions put where only root may write."""
        built = subprocess.run([self._program, "-V"], capture_output=True, text=True, check=True).stderr
        modules = ["proxy", "fastcgi", "uwsgi", "scgi"]
        present = [name for name in modules if f"--without-http_{name}_module" not in built]
        return " ".join(f"{name}_temp_path {name};" for name in ["client_body", *present])
