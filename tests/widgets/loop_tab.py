"""A tab on an event loop, whose messages come later."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from tests.widgets.fake_tab import FakeTab


class LoopTab(FakeTab):
    """A tab that replies to jobs later, on the loop, as messages do."""

    def __init__(self, widget: Any, loop: asyncio.AbstractEventLoop, secret: str | None) -> None:
        super().__init__(widget)
        self.loop, self.held = loop, secret
        self.threads: set[int] = set()

    def _take(self, content: dict[str, Any], buffers: Any = None) -> None:
        self.threads.add(threading.get_ident())
        super()._take(content, buffers)
        if "id" in content and self.held is not None:
            job = self.jobs[-1]
            self.loop.call_soon(self._reply, job)

    def _reply(self, job: Any) -> None:
        self.secret = self.held
        self.jobs.append(job)
        self.answer_last_job()
        self.secret = None


def on_a_loop(run: Callable[[asyncio.AbstractEventLoop], Any]) -> Any:
    """Run an async function on a loop of its own."""

    async def main() -> Any:
        return await run(asyncio.get_running_loop())

    return asyncio.run(main())


async def until(condition: Callable[[], bool], limit_s: float = 20.0) -> None:
    """Wait until a condition is true."""
    for _ in range(int(limit_s / 0.01)):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("too late")
