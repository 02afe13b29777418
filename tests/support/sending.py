"""Both ways to send a request, so that each test of sending runs on either."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hook_widgets.webhooks import Delivery, asend, send


def asend_and_wait(*args: Any, **options: Any) -> Delivery:
    """`asend` on an event loop of its own, called as `send` is."""
    return asyncio.run(asend(*args, **options))


SENDERS: dict[str, Callable[..., Delivery]] = {"send": send, "asend": asend_and_wait}


def use_each_sender(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let ``send`` of the test's module be one of `SENDERS`; the body of a parametrized fixture."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(request.module, "send", SENDERS[request.param])
        yield
