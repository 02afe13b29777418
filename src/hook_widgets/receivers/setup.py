"""The part of a run that only the owner of a receiver can give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import Signer


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The means that only the owner of a receiver has; each decides checks that are otherwise not decided.

    Attributes:
        parts: values of the provider's own fields that the receiver expects, such as ``verify_token`` (H1,
            H2).
        other_secret: the secret of another endpoint, whose requests must be rejected (B15).
        previous_secret: the secret before the current one, if the receiver must still accept it (E3).
        retired_secret: a secret that the receiver must no longer accept (E4).
        unconfigured_url: the URL of the same receiver, started without its secret (B6).
        fail_next: makes the receiver fail at the next request with 5xx, as without its database (D2).
        advance_s: moves the receiver's clock ahead by so many seconds (C6).
        history: returns three bodies of one new object: created, changed, and changed again (D4, D5).
        state: returns what the receiver keeps of the objects, as any value that can be compared (D4, D5).
    """

    parts: Mapping[str, str] = field(default_factory=dict, repr=False)
    other_secret: Secret | KeyPair | Signer | None = field(default=None, repr=False)
    previous_secret: Secret | KeyPair | Signer | None = field(default=None, repr=False)
    retired_secret: Secret | KeyPair | Signer | None = field(default=None, repr=False)
    unconfigured_url: str = ""
    fail_next: Callable[[], object] | None = None
    advance_s: Callable[[float], object] | None = None
    history: Callable[[], Sequence[bytes]] | None = None
    state: Callable[[], object] | None = None

    def keys(self) -> dict[str, Secret | KeyPair | Signer]:
        """Return the keys that were given, by their fields."""
        names = ("other_secret", "previous_secret", "retired_secret")
        return {name: key for name in names if (key := getattr(self, name)) is not None}
