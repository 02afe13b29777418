"""Which of the removed names is which of the added ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from hook_widgets.versioning.changes.openapi.place import Place

_MOST = 2500
"""So many pairs of names are looked at; beyond, no renames are recognised."""
_ALIKE = 0.6
"""So much of two names must be the same; the value that difflib takes for a close match."""


def renamed(
    removed: Iterable[str],
    added: Iterable[str],
    *,
    before: Callable[[str], Place],
    after: Callable[[str], Place],
) -> dict[str, str]:
    """Pairs of names that carry the same thing, closest names first; each name is in one pair at most.

    Args:
        removed: the names that are gone.
        added: the new names.
        before: what an old name stands for.
        after: what a new name stands for.

    >>> from hook_widgets.versioning.changes.openapi.place import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> place = Place({"schema": {"type": "integer"}}, "", root)
    >>> renamed(["page_size", "sort"], ["pageSize"], before=lambda _: place, after=lambda _: place)
    {'page_size': 'pageSize'}
    """
    gone, fresh = list(removed), list(added)
    if len(gone) * len(fresh) > _MOST:
        return {}
    candidates = [
        (alike, old, new)
        for old in gone
        for new in fresh
        if (alike := _alike(old, new)) >= _ALIKE and _same(before(old), after(new))
    ]
    pairs: dict[str, str] = {}
    for _, old, new in sorted(candidates, key=lambda candidate: -candidate[0]):
        if old not in pairs and new not in pairs.values():
            pairs[old] = new
    return pairs


def _alike(old: str, new: str) -> float:
    plain = [name.replace("_", "").replace("-", "").lower() for name in (old, new)]
    return 1.0 if plain[0] == plain[1] else SequenceMatcher(None, plain[0], plain[1]).ratio()


def _same(old: Place, new: Place) -> bool:
    members = [
        {
            name: place.value
            for name, place in side.members(follow=False).items()
            if name not in ("name", "description", "example", "examples")
        }
        for side in (old, new)
    ]
    return members[0] == members[1]
