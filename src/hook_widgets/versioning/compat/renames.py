"""Match removed and added names by their similarity."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from hook_widgets.versioning.compat.budget import spend

_MAX_PAIRS = 2_500
"""The maximum number of pairs of names in which renames are recognized."""
_MAX_NAME_LENGTH = 100
"""Longer names are similar only if they are equal; in characters."""
_MIN_SIMILARITY = 0.6
"""The minimum similarity of two names, the default of `difflib.get_close_matches`."""


def match_renamed(
    removed: Iterable[str],
    added: Iterable[str],
    same: Callable[[str, str], bool],
    *,
    places: tuple[list[str], list[str]] = ([], []),
) -> dict[str, str]:
    """Return pairs of similar names with the same content, most similar first; each name is used once.

    `places` are all old and new names in their order: a single name may also be renamed at its place.

    >>> match_renamed(["page_size", "sort"], ["pageSize"], lambda old, new: True)
    {'page_size': 'pageSize'}
    """
    names, others = list(removed), list(added)
    if len(names) * len(others) > _MAX_PAIRS:
        return {}
    old_order, new_order = ({name: place for place, name in enumerate(side)} for side in places)
    candidates = []
    for old in names:
        for new in others:
            similarity = _similarity(old, new)
            same_place = old in old_order and old_order[old] == new_order.get(new)
            if similarity >= _MIN_SIMILARITY or (same_place and len(names) == len(others) == 1):
                candidates.append((similarity + 0.1 * same_place, old, new))
    pairs: dict[str, str] = {}
    for _, old, new in sorted(candidates, key=lambda candidate: -candidate[0]):
        if old not in pairs and new not in pairs.values() and same(old, new):
            pairs[old] = new
    return pairs


def _similarity(old: str, new: str) -> float:
    plain = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in (old, new)]
    if max(len(old), len(new)) > _MAX_NAME_LENGTH or plain[0] == plain[1]:
        return float(plain[0] == plain[1])
    spend(10 + len(old) * len(new) // 2)
    return SequenceMatcher(None, plain[0], plain[1]).ratio()
