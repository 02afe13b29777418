"""A guard against hanging: no measurement, and so no bound that a busy machine may miss."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Final

LIMIT_S: Final = 20.0  #: what is linear takes a few seconds of CPU at most; what is not takes minutes


@contextlib.contextmanager
def ends_in_time(limit_s: float = LIMIT_S) -> Iterator[None]:
    """Fail if the work inside takes more CPU time of this process, with all its threads."""
    begin = time.process_time()
    yield
    taken_s = time.process_time() - begin
    assert taken_s < limit_s, f"{taken_s:.1f} s of CPU"
