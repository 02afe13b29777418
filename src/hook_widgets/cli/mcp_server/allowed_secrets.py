"""The environment variables whose values an agent may use, but never read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidArgument, UnknownName

if TYPE_CHECKING:
    from hook_widgets.webhooks import Provider

_OPTION = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?:=(?P<provider>[a-z0-9-]+))?")

_WRONG_OPTION = (
    "--allow-secret-env takes the name of an environment variable, or NAME=PROVIDER with the id of a "
    "provider; give no secret"
)


class AllowedSecrets:
    """The names that the user allowed, each for one provider or for all that sign.

    Args:
        options: names of environment variables, or ``NAME=PROVIDER``.

    Raises:
        InvalidArgument: an option is not of this form, or there is no such provider. The message does not
            quote the option, which may be a secret: clients log what the server prints.
        InvalidSecret: the variable is not set.
    """

    def __init__(self, options: Iterable[str]) -> None:
        from hook_widgets.webhooks import Secret, provider

        self._providers: dict[str, set[str]] = {}
        for option in options:
            match = _OPTION.fullmatch(option)
            if match is None:
                raise InvalidArgument(_WRONG_OPTION)
            Secret.from_env(match["name"])
            try:
                bound = {provider(match["provider"]).id} if match["provider"] else set()
            except UnknownName:
                raise InvalidArgument(_WRONG_OPTION) from None
            self._providers.setdefault(match["name"], set()).update(bound)

    @property
    def names(self) -> list[str]:
        """The allowed names."""
        return sorted(self._providers)

    def check(self, name: str, sender: Provider, *, revealed: bool = False) -> None:
        """Reject a variable that is not allowed for a provider, before it is read.

        A provider that sends the secret itself would give it to whatever listens at the URL, so the user must
        have allowed the variable for exactly this provider.

        Args:
            name: the name of an environment variable.
            sender: the provider that uses it.
            revealed: True if its value is sent as it is, whatever the provider's scheme.

        Raises:
            InvalidArgument: the variable may not be used.
        """
        if name not in self._providers:
            allowed = f"allowed: {', '.join(self.names)}" if self.names else "none is allowed"
            raise InvalidArgument(
                f"secret_env is not an allowed name ({allowed}); only the user can allow one, by starting "
                "the server with --allow-secret-env NAME"
            )
        bound = self._providers[name]
        if bound and sender.id not in bound:
            raise InvalidArgument(f"{name} is allowed for {', '.join(sorted(bound))} only; use that provider")
        reveals = revealed or any(scheme.reveals_secret for scheme in sender.schemes)
        if reveals and not bound:
            raise InvalidArgument(
                f"{sender.title} sends this value itself; only the user can allow that, by starting the "
                f"server with --allow-secret-env {name}={sender.id}"
            )
