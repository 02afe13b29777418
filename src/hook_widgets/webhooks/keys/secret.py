"""Shared secrets, redacted in every representation, and their decoding into key bytes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NoReturn

from hook_widgets.errors import InvalidSecret


class KeyForm(StrEnum):
    """Encodings of an HMAC key in the text of a secret."""

    UTF8 = "utf8"
    BASE64 = "base64"
    HEX = "hex"

    __hash__ = str.__hash__  # that of Enum is much slower


@dataclass(frozen=True, slots=True)
class KeySpec:
    """The steps that turn the text of a secret into a key, applied in this order.

    Attributes:
        normalize: a Unicode normalization, NFKC or NFKD.
        form: the encoding of the key.
        strip_prefix: a prefix to remove before base64 or hex is decoded.
        digest: a hash of the decoded bytes, which is then the key.
    """

    form: KeyForm = KeyForm.UTF8
    strip_prefix: str = ""
    normalize: Literal["", "NFKC", "NFKD"] = ""
    digest: str = ""

    def decode(self, text: str) -> bytes:
        """Return the key bytes of the text of a secret.

        Standard base64 (RFC 4648 section 4) with its padding, and hex with an even number of digits, are
        decoded strictly: a lenient decoder would silently turn a copy-and-paste error into a different key.

        Args:
            text: the text of a secret.

        Raises:
            InvalidSecret: the text cannot be decoded. The message says what is wrong and where, and never
                quotes the text.
        """
        if self.normalize:
            text = unicodedata.normalize(self.normalize, text)
        key = _decoded(text, self)
        return hashlib.new(self.digest, key, usedforsecurity=False).digest() if self.digest else key


class Secret:
    """A shared secret: redacted in every representation, refuses pickling, not comparable.

    Args:
        text: the secret exactly as the provider shows it, prefix included.

    Raises:
        InvalidSecret: the text is empty or not text.

    >>> Secret("whsec_not_a_real_one")
    Secret(••••, 20 bytes)
    """

    __slots__ = ("_reveal", "env")  # a function: debuggers and inspectors print the values of attributes

    def __init__(self, text: str) -> None:
        # Of no text if it is rejected: some tools print the variables of a traceback.
        self._reveal: Callable[[], str] = str
        #: the environment variable it was read from; empty if it was passed as text
        self.env: str = ""
        if not isinstance(text, str):
            raise InvalidSecret(f"a secret must be text, not {type(text).__name__}; decode it first")
        if not text:
            raise InvalidSecret("the secret is empty; copy it from the provider's dashboard")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InvalidSecret("the secret holds half of a surrogate pair; copy it again") from None
        self._reveal = lambda: text

    @classmethod
    def from_env(cls, name: str, *, environ: Mapping[str, str] | None = None) -> Secret:
        """Read the secret from the environment variable `name`.

        Args:
            name: the name of the variable.
            environ: the variables to search; by default the environment of this process.

        Raises:
            InvalidSecret: the variable is not set or empty. The message contains `name` unless it looks like
                a secret passed by mistake.
        """
        value = (os.environ if environ is None else environ).get(name, "")
        if not value and _VARIABLE_NAME.fullmatch(name):
            raise InvalidSecret(
                f"the environment variable {name!r} is not set or empty; set it before this program starts"
            )
        if not value:
            raise InvalidSecret(
                "there is no environment variable of this name (not shown, because it could be the secret "
                "itself), or it is empty; give the variable's name, such as 'STRIPE_WEBHOOK_SECRET'"
            )
        secret = cls(value)
        secret.env = name
        return secret

    def reveal(self) -> str:
        """Return the text of the secret. There is no other way to read it."""
        return self._reveal()

    def key_bytes(self, spec: KeySpec) -> bytes:
        """Return the bytes of the HMAC key.

        Raises:
            InvalidSecret: the text does not have the form that `spec` requires.
        """
        try:
            return spec.decode(self._reveal())
        except InvalidSecret as error:  # drop the frames whose variables hold the text
            raise error.with_traceback(None) from None

    def __repr__(self) -> str:
        return f"Secret(••••, {len(self._reveal().encode())} bytes)"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is never pickled or copied; pass the environment variable's name instead")

    def __getstate__(self) -> NoReturn:  # called by serializers other than pickle
        self.__reduce__()


# Variable names as POSIX utilities use them (Base Definitions 8.1). Their parts are limited to 16 characters,
# so that a secret is unlikely to match.
_VARIABLE_NAME = re.compile(r"[A-Z][A-Z0-9]{0,15}(_[A-Z0-9]{1,16})*")
_BAD_BASE64 = re.compile(r"[^A-Za-z0-9+/=]")
_BAD_HEX = re.compile(r"[^0-9A-Fa-f]")


def _decoded(text: str, spec: KeySpec) -> bytes:
    if spec.form is KeyForm.UTF8:
        return text.encode()
    body = text.removeprefix(spec.strip_prefix)
    after = f" after {spec.strip_prefix!r}" if body != text else ""
    bad = (_BAD_HEX if spec.form is KeyForm.HEX else _BAD_BASE64).search(body)
    if bad:
        position = bad.start() + 1 + len(text) - len(body)
        raise InvalidSecret(f"the secret must be {spec.form}{after}; character {position} is not")
    if spec.form is KeyForm.HEX:
        if len(body) % 2:
            raise InvalidSecret(
                f"the secret must be hex{after}: {len(body)} digits is an odd number; copy the missing one"
            )
        key = bytes.fromhex(body)
    else:
        try:
            key = base64.b64decode(body, validate=True)
        except binascii.Error:
            raise InvalidSecret(
                f"the secret must be base64{after}: {len(body)} characters with this padding cannot be "
                "decoded; copy the end, which is probably cut off"
            ) from None
        if base64.b64encode(key).decode() != body:
            raise InvalidSecret(
                f"the secret must be base64{after}: its last character has stray bits; copy it again"
            )
    if not key:
        raise InvalidSecret(f"the secret holds no key{after}; copy the whole of it")
    return key
