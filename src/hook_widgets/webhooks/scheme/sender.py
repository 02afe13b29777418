"""The part of a provider that its requests need: who signs, with which key, and how."""

from __future__ import annotations

from dataclasses import dataclass

from hook_widgets.errors import UnknownName, nearest
from hook_widgets.webhooks.scheme.key_specs import AsymmetricKeySpec, SharedSecretSpec
from hook_widgets.webhooks.scheme.models import ResponseRules, Scheme


@dataclass(frozen=True, kw_only=True)
class Sender:
    """The sender of a request: the base of `Provider`.

    Attributes:
        id: its name in code, such as ``"stripe"``.
        title: its name for people.
        key: the form of its secret or key pair.
        schemes: its signature schemes; the first is the default.
        responses: the response that it demands of every receiver.
    """

    id: str
    title: str
    key: SharedSecretSpec | AsymmetricKeySpec
    schemes: tuple[Scheme, ...]
    responses: ResponseRules = ResponseRules()  # noqa: RUF009 - it is frozen

    def scheme(self, name: str | None = None) -> Scheme:
        """Return the scheme of that name; the first one by default.

        Args:
            name: the name of a scheme.

        Raises:
            UnknownName: there is none; the message suggests the nearest name.
        """
        if not name:
            return self.schemes[0]
        known = {scheme.name: scheme for scheme in self.schemes}
        if name not in known:
            raise UnknownName(f"{self.title} has no scheme {name!r}; {nearest(name, known)}")
        return known[name]
