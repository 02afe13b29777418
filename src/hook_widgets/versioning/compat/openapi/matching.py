"""Match removed and added names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.openapi.document.located import Place

_MAX_PAIRS = 2500
"""The maximum number of pairs of names in which renames are recognized."""
_MAX_NAME_LENGTH = 100
"""Longer names are similar only if they are equal; in characters."""
_MIN_SIMILARITY = 0.6
"""The minimum similarity of two names, the default of `difflib.get_close_matches`."""


def match_renamed(
    removed: Iterable[str],
    added: Iterable[str],
    *,
    before: Callable[[str], Place],
    after: Callable[[str], Place],
) -> dict[str, str]:
    """Return pairs of similar names with the same content, most similar first; each name is used once.

    Args:
        removed: the removed names.
        added: the added names.
        before: returns the content of an old name.
        after: returns the content of a new name.

    >>> from hook_widgets.versioning.compat.openapi.document.located import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> place = Place({"schema": {"type": "integer"}}, "", root)
    >>> match_renamed(["page_size", "sort"], ["pageSize"], before=lambda _: place, after=lambda _: place)
    {'page_size': 'pageSize'}
    """
    removed_names, added_names = list(removed), list(added)
    if len(removed_names) * len(added_names) > _MAX_PAIRS:
        return {}
    candidates = [
        (similarity, old, new)
        for old in removed_names
        for new in added_names
        if (similarity := _similarity(old, new)) >= _MIN_SIMILARITY and _same(before(old), after(new))
    ]
    pairs: dict[str, str] = {}
    for _, old, new in sorted(candidates, key=lambda candidate: -candidate[0]):
        if old not in pairs and new not in pairs.values():
            pairs[old] = new
    return pairs


def _similarity(old: str, new: str) -> float:
    if max(len(old), len(new)) > _MAX_NAME_LENGTH:
        return float(old == new)
    spend(10 + len(old) * len(new) // 2)
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
