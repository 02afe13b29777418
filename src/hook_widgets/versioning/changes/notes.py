"""What does not touch the accepted data: marks, defaults, documentation, and words that are not known."""

from __future__ import annotations

from collections.abc import Mapping

from hook_widgets.versioning.changes.change import Direction
from hook_widgets.versioning.changes.discriminators import compare_discriminators
from hook_widgets.versioning.changes.forms import COUNTS, Form
from hook_widgets.versioning.changes.pair import Pair, moved, shown
from hook_widgets.versioning.changes.reading import canonical

_DOCUMENTATION = ("title", "description", "examples", "example", "externalDocs", "xml")
_LISTS = frozenset({"allOf", "anyOf", "oneOf"})
_SCALARS = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "pattern",
        "format",
        "uniqueItems",
        "const",
        "minContains",
        "maxContains",
        *COUNTS,
    }
)


def compare_notes(pair: Pair) -> None:
    """Compare the annotations and the unknown keywords."""
    if not pair.old_node or not pair.new_node:
        return
    same_words = pair.old_node[0].scope.dialect is pair.new_node[0].scope.dialect
    if same_words and not pair.findings and _words(pair.old) != _words(pair.new):
        pair.tell("rewritten", "It is written differently; the same data is accepted.")
    old, new = pair.old.notes, pair.new.notes
    if "discriminator" in old or "discriminator" in new:
        compare_discriminators(pair)  # also when they are the same: the names of components count
    for word in dict.fromkeys([*old, *new]):
        before, after = old.get(word), new.get(word)
        if canonical(before) == canonical(after) and (word in old) == (word in new):
            continue
        gone = word not in new
        detail = _moved(word, old, new)
        if word in _DOCUMENTATION:
            pair.tell("documentation-changed", f"The {word} is another one.", word, gone=gone)
        elif word == "default":
            pair.tell("default-changed", detail, word, gone=gone)
        elif word == "deprecated" and (before is True) != (after is True):
            said = "It is now marked deprecated." if after is True else "It is no longer marked deprecated."
            pair.tell("deprecated-changed", said, word, gone=gone)
        elif word in ("readOnly", "writeOnly") and (before is True) != (after is True):
            _mark(pair, "read" if word == "readOnly" else "write", set_=after is True)
    for word in dict.fromkeys([*pair.old.unknown, *pair.new.unknown]):
        before, after = pair.old.unknown.get(word), pair.new.unknown.get(word)
        if word.startswith("x-") and pair.old_node[0].scope.dialect.loose:
            continue  # an extension of OpenAPI
        if word == "nullable" and not same_words:
            continue  # a word of one of the two dialects: what it does to the types is told there
        if canonical(before) != canonical(after) or (word in pair.old.unknown) != (word in pair.new.unknown):
            gone = word not in pair.new.unknown
            pair.tell("keyword-changed", _moved(word, pair.old.unknown, pair.new.unknown), word, gone=gone)


def _words(form: Form) -> set[tuple[str, str]]:
    """The demands of a schema as they are written, without the schemas in it."""
    found = set()
    for part in form.parts:
        if isinstance(part.schema, dict):
            found |= {(word, repr(value)) for word, value in part.schema.items() if word in _SCALARS}
            found |= {
                (word, str(len(value)))
                for word, value in part.schema.items()
                if word in _LISTS and isinstance(value, list)
            }
    return found


def _mark(pair: Pair, word: str, *, set_: bool) -> None:
    if pair.direction is Direction.BOTH or (pair.direction is Direction.REQUEST) != (word == "read"):
        rule = f"became-{word}-only" if set_ else f"no-longer-{word}-only"
        pair.tell(rule, f"It is now {word}-only." if set_ else f"It is no longer {word}-only.", f"{word}Only")


def _moved(word: str, old: Mapping[str, object], new: Mapping[str, object]) -> str:
    return moved(word, *(shown(side[word]) if word in side else None for side in (old, new)))
