"""Servers that end with the tests: also when the tests are killed, and with everything they started."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

# Becomes the command after asking Linux for a SIGTERM when the parent dies (PR_SET_PDEATHSIG is 1).
_BECOME = """
import contextlib, ctypes, os, signal, sys
with contextlib.suppress(AttributeError, OSError, TypeError):
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
os.execvp(sys.argv[1], sys.argv[1:])
"""


def free_port() -> int:
    """A port on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(command: Sequence[str], *, cwd: Path, env: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start a server in a process group of its own; it ends when this process does."""
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-c", _BECOME, *command],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop(process: subprocess.Popen[bytes], *, patience_s: float = 10.0) -> None:
    """End a server and all below it, kernels too: a signal to its group misses them, they have their own."""
    below = _descendants(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(patience_s)
    deadline = time.monotonic() + patience_s
    while any(map(_alive, below)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid, started in below:
        if _alive((pid, started)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _stat(pid: int) -> tuple[int, str] | None:
    """Parent and start time of a live process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[1]), fields[19])


def _descendants(pid: int) -> list[tuple[int, str]]:
    """Id and start time of every process below one; empty where there is no /proc."""
    running: dict[int, tuple[int, str]] = {}
    with contextlib.suppress(OSError):
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and (stat := _stat(int(entry.name))):
                running[int(entry.name)] = stat
    below, todo = [], [pid]
    while todo:
        above = todo.pop()
        for child, (parent, started) in running.items():
            if parent == above:
                below.append((child, started))
                todo.append(child)
    return below


def _alive(process: tuple[int, str]) -> bool:
    stat = _stat(process[0])
    return stat is not None and stat[1] == process[1]  # not another process that took the number
