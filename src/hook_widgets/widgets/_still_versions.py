"""The still form of the version planner: the timeline, the answers that clients get, the texts to send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hook_widgets.versioning.planning import entered
from hook_widgets.versioning.planning.announcement import announcements
from hook_widgets.versioning.planning.datewords import in_full
from hook_widgets.versioning.planning.entered import Entered
from hook_widgets.versioning.planning.exchange import exchange
from hook_widgets.versioning.planning.sketch import sketch
from hook_widgets.versioning.planning.timeline import table, timeline
from hook_widgets.widgets._planned import standing
from hook_widgets.widgets._still import Code, Facts, Items, Note, Part, Picture, Still, Table, call

_WIDTH_PX: Final = 640
_SMALL_PX: Final = 400


@dataclass(frozen=True, slots=True)
class Planning:
    """What there is to tell of a planner.

    Attributes:
        values: the inputs.
        found: what they stand for.
        python: the lines that make the same widget.
    """

    values: Mapping[str, Any]
    found: Entered
    python: str

    def stills(self) -> Iterator[Still]:
        """From the form that tells most to the one that tells least."""
        rows, answer, made = self._table(), self._answer(), Code("In Python", self.python)
        due = self._due()
        picture = self._light(_WIDTH_PX)
        yield self._still(picture, rows, answer, *due, made)
        yield self._still(picture, rows, answer, made)
        yield self._still(picture, rows, answer)
        yield self._still(self._light(_SMALL_PX), rows, answer)
        yield self._still(rows, answer, made)
        yield self._still(rows, answer)
        yield self._still(answer)

    def whole(self, light: str, dark: str, alt: str) -> Still:
        """Everything, for a page of its own.

        Args:
            light: the picture on a light ground, SVG.
            dark: the same on a dark ground.
            alt: what it shows, in words.
        """
        texts = announcements(self.found.api, self.found.major)
        return self._still(
            Picture(alt, light, dark),
            self._table(),
            self._answer(),
            *self._questions(),
            *(Code(f"{each.title} (due on {in_full(each.due)})", each.text) for each in texts),
            Facts("Inputs", tuple(_inputs(self.values))),
            Code("In Python", self.python),
        )

    def _still(self, *parts: Part) -> Still:
        found = self.found
        shown = next(row for row in timeline(found.api, found.at) if row.major == found.major)
        title = f"Versions of {' '.join(found.api.name.split())}"
        return Still(title, f"{in_full(found.at)}. {shown.version}: {standing(shown)}", parts)

    def _table(self) -> Table:
        told = table(timeline(self.found.api, self.found.at))
        return Table(told.caption, told.columns, told.rows)

    def _light(self, width_px: int) -> Picture:
        alt = "The versions in time; the table below says the same"
        return Picture(alt, sketch(self.found.api, self.found.at, width_px=width_px))

    def _answer(self) -> Code:
        got = exchange(self.found.api, self.found.major, self.found.at)
        sent = [f"{name}: {value}" for name, value in got.sent]
        lines = [got.request, *sent, "", f"HTTP {got.status} {got.reason}", got.text]
        body = f"\n\n{got.body}" if got.body else ""
        return Code(f"What clients of v{self.found.major} ask and get", "\n".join(lines) + body)

    def _due(self) -> tuple[Part, ...]:
        told = announcements(self.found.api, self.found.major)
        due = tuple(f"{each.title}: {in_full(each.due)}" for each in told)
        return (Items("When to tell people", due),) if due else ()

    def _questions(self) -> tuple[Part, ...]:
        return tuple(Note(question.text) for question in self.found.questions)


def unusable(values: Mapping[str, Any], why: str, python: str) -> Still:
    """The still form while an input cannot be used.

    Args:
        values: the inputs.
        why: what is wrong, in words.
        python: the lines that make the same widget.
    """
    inputs = Facts("Inputs", tuple(_inputs(values)))
    title = f"Versions of {values['name'] or 'an API'}"
    status = f"The inputs cannot be used at the moment: {why}"
    return Still(title, status, (inputs, Code("In Python", python)))


def python_of(values: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """The lines that make the same planner.

    Args:
        values: the inputs.
        options: the arguments that are no inputs, and not what they usually are.
    """
    given = {field.name: values[field.name] for field in entered.FIELDS}
    usual = {field.name: field.default for field in entered.FIELDS}
    named = {name: value for name, value in given.items() if value != usual[name]}
    return call("VersionPlanner", ([_row(row) for row in values["versions"]],), named | dict(options))


def _row(cells: list[str]) -> list[str]:
    """A row without what stands at its end anyway."""
    row = cells[:-1] if cells[-1] == "stable" else list(cells)
    while row and not row[-1]:
        row.pop()
    return row


def _inputs(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for row in values["versions"]:
        dates = zip(entered.COLUMNS[1:], row[1:], strict=True)
        told = ", ".join(f"{column.label.lower()} {text}" for column, text in dates if text)
        yield f"Version {row[0]}", told
    for field in entered.FIELDS:
        if values[field.name]:
            yield field.label, values[field.name]
