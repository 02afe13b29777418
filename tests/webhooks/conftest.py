"""A provider of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hook_widgets.webhooks.requests.provider import Provider
from tests.support.acme import acme_in


@pytest.fixture
def acme(tmp_path: Path) -> Callable[..., Provider]:
    """A provider with these schemes and this body."""
    return lambda schemes, *body, **more: acme_in(tmp_path / "acme", schemes, *body, **more)
