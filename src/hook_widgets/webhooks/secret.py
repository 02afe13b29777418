"""A shared secret that shows itself nowhere, and how its text becomes key bytes."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from hook_widgets.errors import InvalidSecret


class KeyForm(StrEnum):
    """How the text of a secret becomes the bytes of an HMAC key."""

    UTF8 = "utf8"
    BASE64 = "base64"
    HEX = "hex"


@dataclass(frozen=True, slots=True)
class KeySpec:
    """The form of a key: its encoding, and a prefix taken off before decoding."""

    form: KeyForm = KeyForm.UTF8
    strip_prefix: str = ""


class Secret:
    """A shared secret: redacted in every display, never pickled, never compared in public time.

    Args:
        text: the secret exactly as the provider shows it, prefix included.

    Raises:
        InvalidSecret: the text is empty or not text.

    >>> Secret("whsec_not_a_real_one")
    Secret(••••, 20 bytes)
    """

    __slots__ = ("_text", "source")

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise InvalidSecret(f"a secret is text, not {type(text).__name__}; decode it first")
        if not text:
            raise InvalidSecret("the secret is empty; copy it from the provider's dashboard")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InvalidSecret("the secret holds half of a surrogate pair; copy it again") from None
        self._text = text
        #: where it came from, in words; empty when it was given as text
        self.source = ""

    @classmethod
    def from_env(cls, name: str, *, environ: Mapping[str, str] | None = None) -> Secret:
        """The secret in the environment variable `name`.

        Raises:
            InvalidSecret: the variable is not set or empty.
        """
        value = (os.environ if environ is None else environ).get(name, "")
        if not value:
            raise InvalidSecret(
                f"the environment variable {name!r} is not set or empty; set it before starting Python"
            )
        secret = cls(value)
        secret.source = f"environment variable {name}"
        return secret

    def reveal(self) -> str:
        """The text itself; the one way to get it out."""
        return self._text

    def key_bytes(self, spec: KeySpec) -> bytes:
        """The bytes of the HMAC key.

        Raises:
            InvalidSecret: the text is not in the form that `spec` asks for.
        """
        return decode_key(self._text, spec)

    def __repr__(self) -> str:
        return f"Secret(••••, {len(self._text.encode())} bytes)"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is never pickled or copied; pass the environment variable's name instead")


_BAD_BASE64 = re.compile(r"[^A-Za-z0-9+/=]")
_BAD_HEX = re.compile(r"[^0-9A-Fa-f]")


def decode_key(text: str, spec: KeySpec) -> bytes:
    """The key bytes of a secret's text.

    Standard base64 (RFC 4648 section 4) with its padding, and hex with an even number of digits, are
    decoded strictly: a lenient decoder turns a slip of the clipboard into another, silent key.

    Raises:
        InvalidSecret: what is wrong and where; the text itself is never quoted.
    """
    if spec.form is KeyForm.UTF8:
        return text.encode()
    body = text.removeprefix(spec.strip_prefix)
    after = f" after {spec.strip_prefix!r}" if body != text else ""
    bad = (_BAD_HEX if spec.form is KeyForm.HEX else _BAD_BASE64).search(body)
    if bad:
        place = bad.start() + 1 + len(text) - len(body)
        raise InvalidSecret(f"the secret must be {spec.form}{after}; character {place} is not")
    if spec.form is KeyForm.HEX:
        if len(body) % 2:
            raise InvalidSecret(
                f"the secret must be hex{after}: {len(body)} digits is an odd number; one is missing"
            )
        key = bytes.fromhex(body)
    else:
        try:
            key = base64.b64decode(body, validate=True)
        except binascii.Error:
            raise InvalidSecret(
                f"the secret must be base64{after}: {len(body)} characters with this padding cannot be "
                "decoded; the end is probably cut off"
            ) from None
        if base64.b64encode(key).decode() != body:
            raise InvalidSecret(f"the secret must be base64{after}: its last character carries stray bits")
    if not key:
        raise InvalidSecret(f"the secret holds no key{after}; copy the whole of it")
    return key
