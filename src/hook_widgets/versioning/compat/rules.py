"""The rules: which change breaks a client, and why.

A schema is a promise about data. A client that writes data (a request) breaks when the schema becomes
narrower, because less is accepted than before. A client that reads data (a response) breaks when the schema
becomes wider, because it may receive values that it could not receive before. Some changes break both kinds
of clients, and some break none.

The table is data, in ``rules.toml`` in this package.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag
from importlib.resources import files
from types import MappingProxyType

from hook_widgets.versioning.compat.change import Breaks, Direction


class Effect(Flag):
    """The effect of a change on the set of values that a schema accepts."""

    NONE = 0
    """The schema accepts the same values."""
    NARROWS = 1
    """The schema rejects some values that it accepted."""
    WIDENS = 2
    """The schema accepts some values that it rejected."""
    CHANGES = 3
    """Both, or the effect cannot be determined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule that classifies one kind of change.

    Attributes:
        id: a short stable name.
        breaks: the clients that such a change breaks.
        title: the change in a few words.
        reason: why a client breaks, or why not.
        effect: the effect on the accepted data, for strict clients. `breaks` assumes clients that follow good
            practice and ignore unknown fields.
    """

    id: str
    breaks: Breaks
    title: str
    reason: str
    effect: Effect = Effect.NONE

    @property
    def breaking(self) -> bool:
        """True if the change breaks clients in at least one direction."""
        return self.breaks is not Breaks.NEVER

    def breaks_in(self, direction: Direction) -> bool:
        """Return whether such a change breaks clients when the data flows in a direction.

        Args:
            direction: who writes the data.

        >>> RULES["enum-value-added"].breaks_in(Direction.REQUEST)
        False
        """
        if self.breaks in (Breaks.ALWAYS, Breaks.NEVER):
            return self.breaking
        return direction in (Direction.BOTH, self.breaks.value)


_TABLES = tomllib.loads((files(__package__) / "rules.toml").read_text(encoding="utf-8"))


def _rules(kind: str) -> tuple[Rule, ...]:
    return tuple(
        Rule(
            id=name,
            breaks=Breaks(row["breaks"]),
            title=row["title"],
            reason=row["reason"],
            effect=Effect[row.get("effect", "none").upper()],
        )
        for name, row in _TABLES[kind].items()
    )


SCHEMA_RULES = _rules("schema")
"""The rules for schemas and examples."""

OPENAPI_RULES = _rules("openapi")
"""The rules for OpenAPI documents; their schemas follow the rules for schemas."""

RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in SCHEMA_RULES + OPENAPI_RULES})
"""Every rule by its id, as in the table of the guide."""
