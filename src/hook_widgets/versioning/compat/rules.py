"""The rules: which change breaks a client, and why.

A schema is a promise about data. A client that writes data (a request) breaks when the schema becomes
narrower, because less is accepted than before. A client that reads data (a response) breaks when the schema
becomes wider, because it may receive values that it could not receive before. Some changes break both kinds
of clients, and some break none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, StrEnum
from functools import partial
from types import MappingProxyType

from hook_widgets.versioning.compat.change import Direction


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

    def inverted(self) -> Effect:
        """Return the effect of this change when the schema is negated by ``not``."""
        return {Effect.NARROWS: Effect.WIDENS, Effect.WIDENS: Effect.NARROWS}.get(self, self)


class Breaks(StrEnum):
    """The clients that a change breaks."""

    ALWAYS = "always"
    """Clients in both directions."""
    REQUEST = "request"
    """Clients that write the data."""
    RESPONSE = "response"
    """Clients that read the data."""
    NEVER = "never"
    """No clients."""


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


def rule(breaks: Breaks, effect: Effect, id_: str, title: str, reason: str) -> Rule:
    """Return a rule; by position, for tables."""
    return Rule(id=id_, breaks=breaks, title=title, reason=reason, effect=effect)


_narrows = partial(rule, Breaks.REQUEST, Effect.NARROWS)
_widens = partial(rule, Breaks.RESPONSE, Effect.WIDENS)
_changes, _harmless = partial(rule, Breaks.ALWAYS, Effect.CHANGES), partial(rule, Breaks.NEVER, Effect.NONE)
_writes, _reads = (partial(rule, breaks, Effect.NONE) for breaks in (Breaks.REQUEST, Breaks.RESPONSE))
_opens = partial(rule, Breaks.NEVER, Effect.WIDENS)

_REJECTED = "A request that was accepted may now be rejected."
_UNEXPECTED = "A client may read what it was never prepared for."

SCHEMA_RULES = (
    _changes("property-removed", "field removed", "Clients that read or send the field rely on its name."),
    _changes("property-renamed", "field renamed", "To a client it is one field removed and another added."),
    _changes("type-changed", "type changed", "Neither the old data nor the old code fits the new type."),
    _narrows("required-property-added", "required field added", "Requests written before do not have it."),
    _narrows("property-required", "field newly required", "Requests that leave it out are now rejected."),
    _narrows("type-narrowed", "fewer types accepted", _REJECTED),
    _narrows("null-removed", "null no longer accepted", _REJECTED),
    _narrows("enum-added", "set of values fixed", _REJECTED),
    _narrows(
        "enum-value-removed", "value removed from an enum", "Requests with that value are now rejected."
    ),
    _narrows("bounds-narrowed", "limit set or tightened", _REJECTED),
    _narrows("multiple-of-narrowed", "multipleOf set or coarser", _REJECTED),
    _narrows("pattern-added", "pattern added", _REJECTED),
    _narrows("format-narrowed", "format added or narrower", "Validators that check formats reject the rest."),
    _narrows("encoding-added", "content encoding, type or schema of a text added", _REJECTED),
    _narrows("unique-items-added", "items must differ", "Requests that repeat an item are now rejected."),
    _narrows(
        "additional-properties-closed",
        "other fields forbidden",
        "Requests with a further field are rejected.",
    ),
    _narrows("property-forbidden", "field forbidden", "Requests that have it are now rejected."),
    _narrows("pattern-properties-added", "fields restricted by a pattern of their names", _REJECTED),
    _narrows("dependency-added", "one field newly requires another", _REJECTED),
    _narrows("contains-added", "array must contain something", _REJECTED),
    _narrows("alternative-removed", "alternative removed", "Requests of that form are now rejected."),
    _narrows("constraint-added", "condition added", _REJECTED),
    _widens("property-optional", "field no longer required", "Clients read the field without asking for it."),
    _widens("type-widened", "more types accepted", _UNEXPECTED),
    _widens("null-added", "null newly possible", "Clients use the value without asking for null."),
    _widens("enum-removed", "set of values open", _UNEXPECTED),
    _widens(
        "enum-value-added",
        "value added to an enum",
        "Clients that tell all values apart have no case for it, and generated code fails to read it.",
    ),
    _widens("bounds-widened", "limit loosened or removed", "Clients made room for the old limit."),
    _widens("multiple-of-widened", "multipleOf removed or finer", _UNEXPECTED),
    _widens("pattern-removed", "pattern removed", "Clients take the value apart by the old pattern."),
    _widens("format-widened", "format removed or wider", "Clients parse the value by the old format."),
    _widens("encoding-removed", "content encoding, type or schema of a text removed", _UNEXPECTED),
    _widens("unique-items-removed", "items may repeat", "Clients use the items as keys."),
    _widens("dependency-removed", "one field no longer requires another", _UNEXPECTED),
    _widens("contains-removed", "array need not contain something", _UNEXPECTED),
    _widens("alternative-added", "alternative added", _UNEXPECTED),
    _widens("constraint-removed", "condition removed", _UNEXPECTED),
    _changes("multiple-of-changed", "multipleOf changed", "Neither number is a multiple of the other."),
    _changes(
        "pattern-changed", "pattern changed: review", "Whether one pattern includes the other is not decided."
    ),
    _changes("format-changed", "format changed", "A value of the old format is no value of the new one."),
    _changes(
        "encoding-changed", "content encoding, type or schema of a text changed", "It is read differently."
    ),
    _changes(
        "pattern-properties-removed", "pattern of field names removed", "Fields of these names are gone."
    ),
    _changes(
        "undecided", "condition changed: review", "It may be narrower or wider; nothing here decides it."
    ),
    _changes("discriminator-changed", "discriminator changed", "Clients choose the type of an object by it."),
    _writes("became-read-only", "field newly read-only", "Requests may no longer set it."),
    _reads("became-write-only", "field newly write-only", "Responses no longer have it."),
    rule(
        Breaks.NEVER,
        Effect.CHANGES,
        "property-added",
        "optional field added",
        "Old requests leave it out, and clients pass over fields that they do not know.",
    ),
    _opens(
        "additional-properties-opened",
        "other fields allowed",
        "Clients pass over fields that they do not know.",
    ),
    _opens("property-allowed", "field no longer forbidden", "Nobody sent or read it before."),
    _opens(
        "pattern-properties-opened",
        "fields allowed by a pattern of their names",
        "Clients pass over fields that they do not know.",
    ),
    _harmless("no-longer-read-only", "field no longer read-only", "Requests may set it but need not."),
    _harmless("no-longer-write-only", "field no longer write-only", "Responses may have it."),
    _harmless("discriminator-added", "discriminator or mapping added", "The same data is accepted."),
    _harmless(
        "hidden-field-changed",
        "read-only field of a request, or write-only field of a response, added or removed",
        "Data that goes this way never has it.",
    ),
    _harmless("rewritten", "written differently", "The same data is accepted."),
    _harmless(
        "default-changed", "default changed", "The same data is accepted; say it in the release notes."
    ),
    _harmless(
        "deprecated-changed", "deprecation marked or taken back", "A mark; everything works as before."
    ),
    _harmless("documentation-changed", "description changed", "The same data is accepted."),
    _harmless(
        "keyword-changed", "unknown keyword changed", "Validators pass over keywords they do not know."
    ),
)
"""The rules for schemas and examples."""


def table(*groups: tuple[Rule, ...]) -> Mapping[str, Rule]:
    """Return the rules by their ids.

    >>> sorted(table(SCHEMA_RULES[:2]))
    ['property-removed', 'property-renamed']
    """
    return MappingProxyType({rule.id: rule for group in groups for rule in group})


RULES: Mapping[str, Rule] = table(SCHEMA_RULES)
"""Every rule by its id."""
