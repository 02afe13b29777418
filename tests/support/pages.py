"""A page of the documentation, executed as by a reader: files saved, Python run, commands typed into bash."""

from __future__ import annotations

import contextlib
import io
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.processes import free_port, start, stop

# A ``{code-cell}`` is Python that the build runs, too; its lines such as ``:tags:`` are for the build alone.
_BLOCK = re.compile(r"^```(?:(\w+)\n|\{code-cell\}.*\n(?::.*\n)*)((?:.*\n)*?)```$", re.MULTILINE)
_FILE = re.compile(r"# ([\w./-]+\.\w+)\n")
_SERVER = ("uvicorn ", "waitress-serve ", "flask ")
PRINTED_PORT = "8000"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text and the line of the page it begins on."""

    kind: str
    text: str
    line: int

    @property
    def file(self) -> str:
        """The file it is to be saved as, named in its first line; empty for none."""
        named = _FILE.match(self.text)
        return named[1] if named else ""


@dataclass(frozen=True)
class Outcome:
    """The output of a line as the page states it, and the real one."""

    line: int
    said: str
    came: str


def blocks(page: Path) -> tuple[Block, ...]:
    """The fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return tuple(
        Block(block_match[1] or "python", block_match[2], text.count("\n", 0, block_match.start(2)))
        for block_match in _BLOCK.finditer(text)
    )


@dataclass
class Reader:
    """Does what a page says, in a folder of its own.

    A block whose first line names a file is saved, for others to import or read; any other one runs, and a
    ``text`` block after it is what it prints. In a ``console`` block lines after ``$`` are typed into bash; a
    server keeps running, on a port of its own in place of the printed one. `variables` are set in that bash.
    """

    folder: Path
    names: dict[str, object] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    port: int = 0

    def read(self, page: Path) -> Iterator[Outcome]:
        """Each place where the page says what comes out."""
        printed = ""
        for block in blocks(page):
            if block.file:
                path = self.folder / block.file
                path.parent.mkdir(exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
            elif block.kind == "python":
                printed = self._run(block, page.name)
            elif block.kind == "text":
                yield Outcome(block.line, block.text, printed)
            elif block.kind == "console":
                yield from self._type(block)
            else:
                raise AssertionError(f"{page.name}:{block.line}: nobody runs a block of {block.kind!r}")

    def close(self) -> None:
        """End the servers."""
        while self.servers:
            stop(self.servers.pop())

    def _run(self, block: Block, page: str) -> str:
        out = io.StringIO()
        source = "\n" * block.line + block.text  # a traceback then names the line of the page
        with contextlib.redirect_stdout(out):
            exec(compile(source, page, "exec"), self.names)
        return out.getvalue()

    def _type(self, block: Block) -> Iterator[Outcome]:
        for typed in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, said = typed.partition("\n")
            if command.startswith(_SERVER):
                self.serve(command)
            else:
                came = self._bash(self._on_port(command))
                yield Outcome(
                    block.line, said, came.replace(str(self.port), PRINTED_PORT) if self.port else came
                )

    def _bash(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", command],
            env=self._environment(),
            cwd=self.folder,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return (done.stdout + done.stderr).decode().replace("\r\n", "\n")

    def serve(self, command: str) -> None:
        """Start a server in place of the one before, and wait until it listens."""
        self.close()
        self.port = free_port()
        log = self.folder / "server.log"
        shell = ["bash", "--noprofile", "--norc", "-c", f"exec {self._on_port(command)}"]
        self.servers.append(start(shell, cwd=self.folder, env=self._environment(), log=log))
        deadline = time.monotonic() + 60
        while not _listens(self.port):
            if self.servers[-1].poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{command} does not serve:\n{log.read_text()}")
            time.sleep(0.02)

    def _on_port(self, command: str) -> str:
        return command.replace(PRINTED_PORT, str(self.port)) if self.port else command

    def _environment(self) -> dict[str, str]:
        tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        package = Path(__file__).parents[2] / "src"
        here = {"PATH": tools, "HOME": str(self.folder), "PYTHONPATH": f"{self.folder}{os.pathsep}{package}"}
        return here | self.variables


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
