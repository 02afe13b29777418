"""Options that several commands have, and their values: secrets, bodies and recordings."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hook_widgets.errors import InvalidArgument, InvalidSecret, UnknownName

if TYPE_CHECKING:
    from hook_widgets.webhooks import KeyPair, Provider, PublicKey, Secret

MAX_BYTES: Final = 32 * 1024 * 1024
_MAX_SECRET: Final = 1 << 16  # bytes


def matching_providers(incomplete: str) -> list[str]:
    """Return the ids of providers that complete a word of the shell."""
    from hook_widgets.webhooks import providers

    return [each.id for each in providers() if each.id.startswith(incomplete)]


def _matching_events(context: typer.Context, incomplete: str) -> list[str]:
    """Return the events of the command's provider that complete a word of the shell."""
    from hook_widgets.webhooks import provider

    name = next(iter(context.args), "")  # no argument is parsed while the option lacks its value
    try:
        events = provider(name).all_events
    except UnknownName:
        return []
    return [event.name for event in events if event.name.startswith(incomplete)]


SecretEnv = Annotated[
    str, typer.Option("--secret-env", metavar="NAME", help="The environment variable with the secret or PEM.")
]
SecretFd = Annotated[
    int | None,
    typer.Option("--secret-fd", metavar="N", help="The file descriptor with the secret or PEM.", min=0),
]
EventName = Annotated[
    str,
    typer.Option(
        "--event",
        metavar="NAME",
        help="The event; by default the provider's first.",
        autocompletion=_matching_events,
    ),
]
BodyFile = Annotated[
    str, typer.Option("--body", metavar="FILE", help="A file with the body, or - for standard input.")
]
AllowHost = Annotated[
    list[str],
    typer.Option(
        "--allow-host", metavar="HOST", help="Another machine that may be reached; may be repeated."
    ),
]
CaFile = Annotated[
    Path | None,
    typer.Option("--ca", metavar="FILE", help="A PEM file with the certificates to trust, for https."),
]
ProviderName = Annotated[
    str,
    typer.Argument(
        metavar="PROVIDER", help="An id that `providers` lists.", autocompletion=matching_providers
    ),
]
UrlText = Annotated[str, typer.Argument(metavar="URL", help="The URL of the receiver.")]


def signing_key(provider: Provider, env: str, fd: int | None) -> Secret | KeyPair:
    """Read the key that signs.

    Raises:
        InvalidArgument: there is no source of the secret, or more than one.
        InvalidSecret: it cannot be read.
    """
    from hook_widgets.webhooks import KeyPair, Secret
    from hook_widgets.webhooks.scheme import AsymmetricKeySpec

    text = _secret_text(provider, env, fd)
    return KeyPair.from_pem(text) if isinstance(provider.key, AsymmetricKeySpec) else Secret(text)


def verifying_key(provider: Provider, env: str, fd: int | None) -> Secret | KeyPair | PublicKey:
    """Read the key that verifies: a public key, or a private one, if the provider signs with a private key.

    Raises:
        InvalidArgument: there is no source of the secret, or more than one.
        InvalidSecret: it cannot be read.
    """
    from hook_widgets.webhooks import KeyPair, PublicKey, Secret
    from hook_widgets.webhooks.scheme import AsymmetricKeySpec

    text = _secret_text(provider, env, fd)
    if not isinstance(provider.key, AsymmetricKeySpec):
        return Secret(text)
    if "PRIVATE KEY-----" in text:
        return KeyPair.from_pem(text)
    return PublicKey(text, provider.key.algorithm)


def _secret_text(provider: Provider, env: str, fd: int | None) -> str:
    if env and fd is not None:
        raise InvalidArgument("--secret-env and --secret-fd both name a secret; give one of them")
    if env:
        from hook_widgets.webhooks import Secret

        return Secret.from_env(env).reveal()
    if fd is not None:
        return _from_descriptor(fd)
    if sys.stdin.isatty():
        text: str = typer.prompt(f"{provider.key.title} of {provider.title}", hide_input=True, err=True)
        return text
    raise InvalidArgument("there is no secret; give --secret-env NAME or --secret-fd N")


def _from_descriptor(fd: int) -> str:
    try:
        with os.fdopen(fd, "rb", closefd=False) as file:
            data = file.read(_MAX_SECRET + 1)
        if len(data) > _MAX_SECRET:
            raise InvalidSecret(f"the secret of file descriptor {fd} has more than {_MAX_SECRET:,} bytes")
        # `3< <(pass show stripe)` and `3< file` end in a line feed that is not part of the secret.
        return data.decode().removesuffix("\n").removesuffix("\r")
    except OSError as error:
        raise InvalidSecret(f"file descriptor {fd} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidSecret(f"the secret of file descriptor {fd} is not UTF-8") from None


def read_bytes(name: str) -> bytes:
    """Read a file, or standard input for ``-``.

    Raises:
        InvalidArgument: it cannot be read, or is longer than `MAX_BYTES`.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidArgument(f"{name} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise InvalidArgument(f"{name} has more than {MAX_BYTES:,} bytes")
    return data
