"""Options for what only the owner of a receiver has, and the `Setup` of their values."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hook_widgets.cli.inputs import signing_key
from hook_widgets.errors import InvalidArgument

if TYPE_CHECKING:
    from hook_widgets.receivers import Setup
    from hook_widgets.webhooks import Provider


def _variable(option: str, meaning: str) -> Any:
    """Return an option that takes the name of a variable."""
    return typer.Option(option, metavar="NAME", help=f"The variable with {meaning}.")


def _command(option: str, effect: str) -> Any:
    """Return an option that takes a shell command."""
    return typer.Option(option, metavar="COMMAND", help=f"A command {effect}.")


OtherSecretEnv = Annotated[str, _variable("--other-secret-env", "the secret of another endpoint (B15)")]
PreviousSecretEnv = Annotated[
    str, _variable("--previous-secret-env", "the previous secret, still valid (E3)")
]
RetiredSecretEnv = Annotated[str, _variable("--retired-secret-env", "a secret no longer valid (E4)")]
PartEnv = Annotated[
    list[str],
    typer.Option(
        "--part-env",
        metavar="FIELD=NAME",
        help="A field of the provider, such as verify_token, and the variable with its value (H1, H2).",
    ),
]
UnconfiguredUrl = Annotated[
    str,
    typer.Option(
        "--unconfigured-url", metavar="URL", help="The same receiver, started without its secret (B6)."
    ),
]
FailNext = Annotated[str, _command("--fail-next", "after which the next request fails (D2)")]
Advance = Annotated[
    str,
    _command("--advance", "that moves the receiver's clock by its last argument, in seconds (C6)"),
]
History = Annotated[
    str, _command("--history", "that prints three bodies of one new object, a line each (D4, D5)")
]
State = Annotated[str, _command("--state", "that prints what the receiver keeps (D4, D5)")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerNames:
    """The means of the receiver's owner: names of variables, and a URL."""

    other_secret_env: str
    previous_secret_env: str
    retired_secret_env: str
    part_env: Mapping[str, str]
    unconfigured_url: str


def secrets_setup(sender: Provider, owner: OwnerNames) -> Setup:
    """Return the setup without functions.

    Raises:
        InvalidArgument: the provider has no such field.
        InvalidSecret: a secret cannot be read.
    """
    from hook_widgets.receivers import Setup
    from hook_widgets.webhooks import Secret

    for name in owner.part_env:
        if name not in sender.parts:
            advice = f"give one of {', '.join(sorted(sender.parts))}" if sender.parts else "leave it out"
            raise InvalidArgument(f"{sender.title} has no field {name!r}; {advice}")
    keys = {
        "other_secret": owner.other_secret_env,
        "previous_secret": owner.previous_secret_env,
        "retired_secret": owner.retired_secret_env,
    }
    return Setup(
        parts={name: Secret.from_env(env).reveal() for name, env in owner.part_env.items()},
        unconfigured_url=owner.unconfigured_url,
        **{name: signing_key(sender, env, None) for name, env in keys.items() if env},  # type: ignore[arg-type]
    )


def part_variables(options: Sequence[str]) -> dict[str, str]:
    """Split the values of ``--part-env``.

    Raises:
        InvalidArgument: one of them is not ``FIELD=NAME``.
    """
    pairs = [option.partition("=") for option in options]
    if any(not (name and mark and env) for name, mark, env in pairs):
        raise InvalidArgument(
            "--part-env takes FIELD=NAME, a field and the name of a variable; give no value"
        )
    return {name: env for name, _, env in pairs}


def command_function(command: str, option: str) -> Callable[..., str] | None:
    """Return a function that runs a shell command with its arguments and returns what it prints.

    Args:
        command: the command; with an empty one there is no function.
        option: the option that gave it.
    """
    if not command:
        return None
    from hook_widgets.receivers.oracle import run_command

    def run(*arguments: object) -> str:
        words = (shlex.quote(str(argument)) for argument in arguments)
        return run_command(" ".join((command, *words)), f"the command of {option}")

    return run


def history_function(command: str) -> Callable[[], list[bytes]] | None:
    """Return a function that returns the lines that a shell command prints."""
    run = command_function(command, "--history")
    return None if run is None else lambda: [line.encode() for line in run().splitlines()]
