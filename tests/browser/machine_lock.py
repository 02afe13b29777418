"""Tests run beside each other in several processes; those that measure time run while no other one does."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HERE = Path(__file__)


@contextmanager
def machine_lock(*, alone: bool) -> Iterator[None]:
    """Runs a test beside others, or alone on this machine as far as the tests of this folder go.

    While a test waits for the others to end, no other one begins: without that queue it might wait for ever.
    """
    with _HERE.open() as running:
        with _HERE.with_name("conftest.py").open() as queue:
            fcntl.flock(queue, fcntl.LOCK_EX)
            fcntl.flock(running, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
