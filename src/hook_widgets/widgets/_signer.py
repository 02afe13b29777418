"""Who signs: how a widget, its still form and its lines of Python call a key, of which they hold nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hook_widgets.webhooks.keypair import KeyPair
from hook_widgets.webhooks.secret import Secret
from hook_widgets.widgets._still import Raw

_USUAL_ENV: Final = "WEBHOOK_SECRET"


@dataclass(frozen=True, slots=True)
class Signer:
    """The key that the kernel signs with, or none where the browser does.

    Attributes:
        label: what the widget says of it; empty where the browser signs.
        env: the environment variable that a command in a shell takes it from.
        python: the argument that gives it to a widget again; None where there is none.
    """

    label: str = ""
    env: str = _USUAL_ENV
    python: Raw | None = None

    @classmethod
    def of(cls, secret: Secret | KeyPair | None) -> Signer:
        """The one with this key."""
        if secret is None:
            return cls()
        if isinstance(secret, KeyPair):
            label = f"{secret.public}; its private half stays in the kernel"
            return cls(label, python=Raw("key_pair"))
        where = f"environment variable {secret.env}" if secret.env else "given in code"
        env = secret.env or _USUAL_ENV
        return cls(f"{where}; it stays in the kernel", env, Raw(f"Secret.from_env({env!r})"))

    @property
    def words(self) -> str:
        """Where the request is signed, and with what."""
        return f"in the kernel: {self.label}" if self.label else "in the browser tab"
