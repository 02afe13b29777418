"""Description of the signing key for a widget, its static HTML and its Python code; never the key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.widgets.static_html.document import Raw

SECRET_ENV: Final = "WEBHOOK_SECRET"
"""The variable from which commands and tests read a secret that has none of its own."""


@dataclass(frozen=True, slots=True)
class SignerInfo:
    """The key that the kernel signs with, or none if the browser signs.

    Attributes:
        label: description in the widget; empty if the browser signs.
        env: environment variable that a shell command takes the key from.
        python: argument that passes the key to a widget; None if there is no key.
    """

    label: str = ""
    env: str = SECRET_ENV
    python: Raw | None = None

    @classmethod
    def of(cls, secret: Secret | KeyPair | None) -> SignerInfo:
        """Describe this key."""
        if secret is None:
            return cls()
        if isinstance(secret, KeyPair):
            label = f"{secret.public}; its private half stays in the kernel"
            return cls(label, python=Raw("key_pair"))
        where = f"environment variable {secret.env}" if secret.env else "given in code"
        env = secret.env or SECRET_ENV
        return cls(f"{where}; it stays in the kernel", env, Raw(f"Secret.from_env({env!r})"))

    @property
    def words(self) -> str:
        """Place of signing, and the key."""
        return f"in the kernel: {self.label}" if self.label else "in the browser tab"
