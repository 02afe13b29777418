"""Work that waits for a receiver, and that another thread can cancel."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


class Cancellation:
    """Cancels requests to a receiver, from any thread.

    Attributes:
        cancelled: True after `cancel`.
    """

    def __init__(self) -> None:
        self.cancelled: bool = False
        self._running: set[Callable[[], object]] = set()

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run an async function in this thread, until its end or `cancel`.

        Raises:
            CancelledError: it was cancelled.
        """

        async def cancellable() -> T:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            assert task is not None

            def cancel() -> None:
                with suppress(RuntimeError):  # the loop has ended in the meantime
                    loop.call_soon_threadsafe(task.cancel)

            self._running.add(cancel)
            try:
                if self.cancelled:  # before it was added
                    raise asyncio.CancelledError
                return await work()
            finally:
                self._running.discard(cancel)

        return asyncio.run(cancellable())

    def cancel(self) -> None:
        """Cancel what runs now, and whatever is run later."""
        self.cancelled = True
        for cancel in tuple(self._running):
            cancel()


class InProgress(Cancellation):
    """A delivery from its start to its outcome.

    Args:
        ticket: the name that its tab gave it; may be empty.
        share: how many of the deliveries that are allowed at once it counts for.
    """

    def __init__(self, ticket: str, share: int) -> None:
        super().__init__()
        self.ticket = ticket
        self.share = share
        self._sent_at: float | None = None

    @property
    def sent_s(self) -> float | None:
        """Seconds since the request was sent, or None before."""
        return None if self._sent_at is None else time.monotonic() - self._sent_at

    def mark_sent(self) -> None:
        """Note that the request is sent now."""
        self._sent_at = time.monotonic()
