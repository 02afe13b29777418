"""A text that one of several processes computes for all."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from hook_widgets.errors import CannotWrite


def computed_once(folder: Path, lock: str, name: str, compute: Callable[[], str], *, wait_s: float) -> str:
    """Return a text that is computed by the first process that asks.

    Args:
        folder: a folder of all these processes.
        lock: the name of what only one process at a time may do.
        name: the name of the text.
        compute: computes the text. If it raises, the next process computes it.
        wait_s: the time to wait for another process, in seconds.

    Raises:
        CannotWrite: another process still computes after that time.
    """
    locked, result = folder / f"{lock}.lock", folder / f"{name}.json"
    end = time.monotonic() + wait_s
    while True:
        try:
            locked.touch(exist_ok=False)
            break
        except FileExistsError:
            if time.monotonic() > end:
                raise CannotWrite(
                    f"another process holds {locked} for more than {wait_s:g} s; stop it and delete the file"
                ) from None
            time.sleep(0.02)
    try:
        if not result.exists():
            draft = result.with_suffix(".draft")
            draft.write_text(compute(), encoding="utf-8")
            draft.replace(result)
        return result.read_text(encoding="utf-8")
    finally:
        locked.unlink()
