"""Looking for a secret in the memory of Python processes."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from tests.browser.leaks import Leak

# Runs in the kernel. It knows only the hash of what it looks for: a run of as many letters and digits.
_PROBE = """
def _probe():
    import gc, hashlib, re
    todo, seen, found = gc.get_objects(), set(), []
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, (bytes, bytearray)):
            text = bytes(thing).decode("latin-1")
        else:
            text = thing if isinstance(thing, str) else ""
        if len(text) >= {length}:
            for run in re.findall("[A-Za-z0-9]{{{length},}}", text):
                for at in range(len(run) - {length} + 1):
                    if hashlib.sha256(run[at : at + {length}].encode()).hexdigest() == {digest!r}:
                        found.append(type(thing).__name__)
        elif not isinstance(thing, (str, bytes, int, float, type(None))):
            todo.extend(gc.get_referents(thing))
    print(len(seen), *found)
_probe()
"""

_CHUNK = 16 * 1024 * 1024


def probe_for(secret: str) -> str:
    """Code that searches every object a garbage collector can reach; `found_by` reads what it prints."""
    assert secret.isascii()
    assert secret.isalnum()
    return _PROBE.format(length=len(secret), digest=hashlib.sha256(secret.encode()).hexdigest())


def found_by(printed: str) -> tuple[int, list[str]]:
    """Return the number of objects that the probe examined, and the types of those that hold the secret."""
    count, *counts = printed.split()
    return int(count), counts


def process_leaks(pid: int, secret: str) -> list[Leak]:
    """Find a secret in a process's writable memory, freed memory included; only on Linux."""
    if sys.platform != "linux":
        return []
    forms = {
        code: secret.encode(code) for code in ("utf-8", "utf-16-le", "utf-32-le")
    }  # as Python stores text
    leaks = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            if "w" not in rights:
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            for at in range(start, end, _CHUNK):
                try:
                    memory.seek(at)
                    data = memory.read(min(_CHUNK + len(secret) * 8, end - at))
                except OSError:  # the process gave it back meanwhile
                    break
                leaks += [
                    Leak(f"memory of process {pid}", form) for form, raw in forms.items() if raw in data
                ]
    return leaks
