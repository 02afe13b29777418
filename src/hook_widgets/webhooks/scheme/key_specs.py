"""Records of a ``provider.toml`` about the key: the form of a shared secret, or the kind of a key pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from hook_widgets.webhooks.keys.key_pair import KeyType, PublicForm
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.scheme.record import Limit, Record


@dataclass(frozen=True, kw_only=True)
class SecretExample(Record):
    """The form of a provider's secret: a prefix, then `length` characters of an alphabet.

    For ``base64`` the length counts random bytes before encoding.
    """

    alphabet: Literal["hex", "base62", "base64"]
    length: Annotated[int, Limit(gt=0)]
    prefix: str = ""


_ALPHABETS = {"hex": "hexadecimal digits", "base62": "letters and digits", "base64": "base64"}


@dataclass(frozen=True, kw_only=True)
class SharedSecretSpec(Record):
    """The definition of a shared secret that both provider and receiver hold.

    Attributes:
        type: ``"secret"``.
        title: its name for people, such as ``"Signing secret"``.
        example: the format of a generated secret.
        form: the encoding of its text; the decoded bytes are the key.
        strip_prefix: text before the encoded key, such as ``"whsec_"``.
        normalize: the Unicode normalization of its text.
        digest: the hash function whose result is the key.
        note: where to find it, or what else to know.
        mistaken: beginnings of other texts of this provider that are taken for it, each with what it is.
        other_secrets: the webhooks of this provider that another secret signs, or keys that sign none, and
            where to find the right one.
        published: secrets of the provider's documentation, which anyone can copy.
    """

    type: Literal["secret"]
    title: str
    example: SecretExample
    form: KeyForm = KeyForm.UTF8
    strip_prefix: str = ""
    normalize: Literal["", "NFKC", "NFKD"] = ""
    digest: Literal["", "sha1", "sha256"] = ""
    note: str = ""
    mistaken: dict[str, str] = field(default_factory=dict)
    other_secrets: str = ""
    published: tuple[str, ...] = ()

    @cached_property
    def spec(self) -> KeySpec:
        """The conversion of its text to key bytes."""
        return KeySpec(self.form, self.strip_prefix, self.normalize, self.digest)

    @property
    def prefix(self) -> str:
        """The known beginning of its text."""
        return self.strip_prefix or self.example.prefix

    @property
    def described(self) -> str:
        """The form of its text for people, such as ``"whsec_, then letters and digits"``."""
        prefix = self.prefix
        return (
            f"{prefix}, then {_ALPHABETS[self.example.alphabet]}"
            if prefix
            else (_ALPHABETS[self.example.alphabet])
        )


@dataclass(frozen=True, kw_only=True)
class AsymmetricKeySpec(Record):
    """The definition of a key pair: the provider holds the private key, the receiver the public key.

    Attributes:
        type: ``"key-pair"``.
        title: its name for people, such as ``"Public key"``.
        algorithm: the signature algorithm and curve.
        public_form: the format in which the provider publishes the public key.
        note: where to find it, or what else to know.
    """

    type: Literal["key-pair"]
    title: str
    algorithm: KeyType
    public_form: PublicForm
    note: str = ""

    @cached_property
    def spec(self) -> KeySpec:
        """The empty specification: a key pair needs no decoding."""
        return KeySpec()
