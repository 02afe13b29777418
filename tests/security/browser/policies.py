"""Policies that pages have, and whether the script of a frame with a document of its own runs there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_INLINE = "script-src 'unsafe-inline' 'unsafe-eval' blob:"


@dataclass(frozen=True)
class PagePolicy:
    """One page.

    Attributes:
        runs: whether the frame's script does.
        csp: its Content-Security-Policy; ``{hashes}`` stands for those of our scripts.
        headers: others.
    """

    runs: bool
    csp: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


#: VS Code's is that of its setting `notebook.experimental.enableCsp`.
POLICIES = {
    "none": PagePolicy(True),
    "Jupyter": PagePolicy(True, "frame-ancestors 'self'; report-uri /api/security/csp-report"),
    "a sandbox": PagePolicy(True, "sandbox allow-scripts"),
    "isolated": PagePolicy(
        True,
        headers={
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Embedder-Policy": "require-corp",
        },
    ),
    "strict": PagePolicy(
        True,
        "default-src 'none'; script-src 'self' 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
        "img-src blob: data:; connect-src 'self'",
    ),
    "VS Code": PagePolicy(
        True,
        "default-src 'none'; script-src https: 'unsafe-inline' 'unsafe-eval'; connect-src https:; "
        "style-src https: 'unsafe-inline'; child-src https: data:",
    ),
    "no frames": PagePolicy(True, f"{_INLINE}; frame-src 'none'; child-src 'none'"),
    "JupyterLite": PagePolicy(True, "default-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:"),
    "its own, and inline scripts": PagePolicy(True, "default-src 'self'; script-src 'self' 'unsafe-inline'"),
    "frames from blobs": PagePolicy(True, "script-src 'unsafe-inline'; frame-src blob:"),
    "its own styles": PagePolicy(True, "script-src 'unsafe-inline'; style-src 'self'"),
    "our hashes": PagePolicy(True, "script-src 'self' {hashes}"),
    "trusted types": PagePolicy(True, "require-trusted-types-for 'script'"),
    "trusted types of others only": PagePolicy(
        False, "require-trusted-types-for 'script'; trusted-types default"
    ),
    "its own scripts": PagePolicy(False, "script-src 'self'"),
    "a nonce": PagePolicy(False, "script-src 'nonce-fixed'"),
    "a nonce beside inline scripts": PagePolicy(False, "script-src 'unsafe-inline' 'nonce-fixed'"),
    "strict-dynamic": PagePolicy(False, "script-src 'unsafe-inline' 'strict-dynamic' 'nonce-fixed'"),
}
