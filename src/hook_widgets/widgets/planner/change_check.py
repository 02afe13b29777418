"""Tables for a tab: the changes between two API documents, who breaks, and the version that they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any, Final

from hook_widgets.versioning.compat.change import Breaks, Change, Comparison, DocumentKind
from hook_widgets.versioning.planning.form_input import FormInput
from hook_widgets.versioning.planning.timeline import TimelineTable
from hook_widgets.versioning.release import MAX_MAJOR, Status

_MAX_ROWS: Final = 200
_WHO: Final = {
    Breaks.ALWAYS: "all clients",
    Breaks.REQUEST: "clients that send it",
    Breaks.RESPONSE: "clients that read it",
    Breaks.NEVER: "no client",
}
_WHY_NOT: Final = {
    Breaks.ALWAYS: "No client sends or reads it here.",
    Breaks.REQUEST: "Only clients that send it would break, and none does here.",
    Breaks.RESPONSE: "Only clients that read it would break, and none does here.",
}
_KINDS: Final = {
    DocumentKind.OPENAPI: "OpenAPI documents",
    DocumentKind.SCHEMA: "JSON Schemas",
    DocumentKind.EXAMPLE: "example payloads",
}


def check_changes(old: bytes, new: bytes, form: FormInput) -> tuple[dict[str, Any], list[bytes]]:
    """Return the changes for a tab, and as text.

    Raises:
        InvalidDocument: a document cannot be read or compared, or a package is missing.
    """
    # Only now: it needs packages of the extra [openapi].
    from hook_widgets.versioning.compat.comparison import compare

    comparison = compare(old, new, as_of=form.at)
    changes = comparison.distinct()
    breaking = [change for change in changes if change.breaking]
    others = [change for change in changes if not change.breaking]
    tables = [
        _table("Breaking changes", breaking),
        _table("Changes that break no client", others),
    ]
    value = {
        "level": "bad" if breaking else "ok",
        "verdict": _verdict(comparison, form),
        "next": _next_release(comparison, form),
        "summary": _summary(comparison, len(breaking), len(others)),
        "tables": [asdict(table) for table in tables if table.rows],
        "not_compared": [str(each) for each in comparison.not_compared[:_MAX_ROWS]],
    }
    return value, [f"{comparison}\n".encode("utf-8", "replace")]


def _verdict(comparison: Comparison, form: FormInput) -> str:
    if not comparison.changes:
        return "Needs no new version: no difference" + (
            " in what was compared" if comparison.not_compared else ""
        )
    if not comparison.needs_major:
        return "Needs no new version: a minor change, which breaks no client"
    if planned := _planned(form):
        return f"Needs a new major version: v{planned[0]}, which is planned"
    return f"Needs a new major version: v{form.api.majors[-1] + 1}"


def _planned(form: FormInput) -> list[int]:
    return [major for major in form.api.majors if form.api.status(major, form.at) is Status.PLANNED]


def _next_release(comparison: Comparison, form: FormInput) -> dict[str, str] | None:
    """Return a version that is not planned yet, released on the first of next month; None if not needed."""
    last = form.api.majors[-1]
    if not comparison.needs_major or _planned(form) or last == MAX_MAJOR:
        return None
    released = (form.at.astimezone(form.zone).replace(day=1) + timedelta(days=31)).replace(day=1)
    return {"version": str(last + 1), "released": f"{released:%Y-%m-%d}"}


def _summary(comparison: Comparison, breaking: int, others: int) -> str:
    counted = f"{breaking} breaking and {others} other change{'s' * (others != 1)}"
    left_out = len(comparison.not_compared)
    rest = ""
    if left_out:
        constructs = "1 construct could not be compared; review it"
        if left_out > 1:
            constructs = f"{left_out:,} constructs could not be compared; review them"
        rest = f" {constructs}."
    return f"{counted} between the {_KINDS[comparison.kind]}.{rest}"


def _table(title: str, changes: Sequence[Change]) -> TimelineTable:
    from hook_widgets.versioning.compat import RULES

    rows = []
    for change in changes[:_MAX_ROWS]:
        rule = RULES[change.rule]
        who = _WHO[rule.breaks] if change.breaking else _WHO[Breaks.NEVER]
        why = rule.reason if change.breaking else _WHY_NOT.get(rule.breaks, rule.reason)
        rows.append((change.location or "the document", change.detail, who, why, change.rule))
    caption = f"{title}: {len(changes):,}" + (f", the first {_MAX_ROWS}" if len(changes) > _MAX_ROWS else "")
    return TimelineTable(caption, ("Where", "Change", "Who breaks", "Why", "Rule"), tuple(rows))
