"""The object behind the fixture ``limited_server``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from hook_widgets.endpoints import LimitedServer, VirtualClock
from hook_widgets.ratelimit import Limiter


class LimitedServerFactory:
    """Starts servers that enforce a limit; the fixture ``limited_server``.

    Args:
        stack: stops the servers at the end of the test.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def __call__(self, limit: Limiter | str, **options: Any) -> VirtualServer:
        """Return a running server on 127.0.0.1, which is stopped at the end of the test.

        Args:
            limit: the limit, or a rate as for `Limiter.of`, such as ``"100/min"``.
            options: the options of `LimitedServer` except `clock`, which is a `VirtualClock`.

        Raises:
            InvalidLimit: as raised by `LimitedServer`, or the rate cannot be read.
        """
        __tracebackhide__ = True
        limiter = Limiter.of(limit) if isinstance(limit, str) else limit
        return self._stack.enter_context(VirtualServer(limiter, **options))


class VirtualServer(LimitedServer):
    """A `LimitedServer` whose clock is moved by the test.

    Args:
        limiter: the limit, or several as `Layers`.
        options: the other options of `LimitedServer`, except `clock`.

    Attributes:
        clock: the clock; ``server.clock.advance("1 min")``.
    """

    clock: VirtualClock

    def __init__(self, limiter: Limiter, **options: Any) -> None:
        super().__init__(limiter, clock=VirtualClock(), **options)
