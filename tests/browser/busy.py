"""A kernel that is busy, and the signature that the widget must show in the meantime."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.lab import JupyterTab
from tests.browser.light.kernel_page import KernelPage

SECRET = "TESTsecret0123456789"
SIGNATURE = "X-Hub-Signature-256"
WAITING = "Waiting for the kernel. Your changes are kept."


@contextmanager
def busy(tab: JupyterTab | KernelPage, flag: Path, kernel: str) -> Iterator[None]:
    """Keep the kernel's cells busy until the end of the block; `kernel` is its name in the page."""
    code = f"import time, pathlib\nwhile not pathlib.Path({str(flag)!r}).exists(): time.sleep(0.01)"
    tab.within("kernel.requestExecute({code: args})", code)
    tab.page.wait_for_function(f"() => {kernel}.status === 'busy'")
    try:
        yield
    finally:
        flag.touch()


def right_signature(body: str) -> str:
    return "sha256=" + hmac.digest(SECRET.encode(), body.encode(), hashlib.sha256).hex()
