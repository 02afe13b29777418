"""Static HTML of the version planner: timeline, sample response and notices to send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hook_widgets.versioning.planning import form_input
from hook_widgets.versioning.planning.announcement import announcements
from hook_widgets.versioning.planning.date_formatting import duration, in_full, local
from hook_widgets.versioning.planning.form_input import FormInput
from hook_widgets.versioning.planning.plotting.svg import draw_timeline_svg
from hook_widgets.versioning.planning.sample_exchange import exchange
from hook_widgets.versioning.planning.timeline import timeline, timeline_table
from hook_widgets.widgets.static_html.document import (
    Code,
    Items,
    Note,
    Part,
    Picture,
    StaticDocument,
    Table,
    call,
)

_WIDTH_PX: Final = 640
_STAGE, _BROWNOUTS = (
    [column.name for column in form_input.FORM_COLUMNS].index(name) for name in ("stage", "brownouts")
)


@dataclass(frozen=True, slots=True)
class Planning:
    """The content of a planner's static HTML."""

    values: Mapping[str, Any]
    form: FormInput
    python: str

    def documents(self) -> Iterator[StaticDocument]:
        """Yield three documents: with all parts, without dates and code, and with the response alone."""
        rows, answer, picture = self._table(), self._answer(), self._light()
        yield self._document(picture, rows, answer, *self._due(), Code("In Python", self.python))
        yield self._document(picture, rows, answer)
        yield self._document(answer, *self._due())

    def full_document(self, light: str, dark: str, alt: str) -> StaticDocument:
        """Return the whole content, for a page of its own."""
        texts = announcements(self.form.api, self.form.major)
        return self._document(
            Picture(alt, light, dark),
            self._table(),
            self._answer(),
            *(Note(advisory.text) for advisory in self.form.advisories),
            *(Code(f"{each.title} (due on {in_full(each.due)})", each.text) for each in texts),
            Table("Inputs", tuple(_inputs(self.values))),
            Code("In Python", self.python),
        )

    def _document(self, *parts: Part) -> StaticDocument:
        form = self.form
        shown = next(row for row in timeline(form.api, form.at) if row.major == form.major)
        title = f"Versions of {' '.join(form.api.name.split())}"
        return StaticDocument(title, f"{in_full(form.at)}. {shown.version}: {shown.summary}", parts)

    def _table(self) -> Table:
        rows = timeline_table(timeline(self.form.api, self.form.at))
        return Table(rows.caption, rows.rows, rows.columns)

    def _light(self) -> Picture:
        alt = "The versions in time; the table below says the same"
        return Picture(alt, draw_timeline_svg(self.form.api, self.form.at, width_px=_WIDTH_PX))

    def _answer(self) -> Code:
        sample = exchange(self.form.api, self.form.major, self.form.at)
        sent = [f"{name}: {value}" for name, value in sample.sent]
        lines = [sample.request, *sent, "", f"HTTP {sample.status} {sample.reason}", sample.text]
        body = f"\n\n{sample.body}" if sample.body else ""
        return Code(f"What clients of v{self.form.major} ask and get", "\n".join(lines) + body)

    def _due(self) -> tuple[Part, ...]:
        notices = announcements(self.form.api, self.form.major)
        due = tuple(f"{each.title}: {in_full(each.due)}" for each in notices)
        dates = self.form.api.release(self.form.major).lifecycle
        due += tuple(
            f"Brownout of v{self.form.major}: {in_full(local(each.starts, self.form.zone))}, "
            f"for {duration(each.length)}"
            for each in (dates.brownouts if dates else ())
        )
        return (Items("When to tell people", due),) if due else ()


def unusable(values: Mapping[str, Any], why: str, python: str) -> StaticDocument:
    """Return the static document while an input is invalid."""
    inputs = Table("Inputs", tuple(_inputs(values)))
    title = f"Versions of {values['name'] or 'an API'}"
    status = f"The inputs cannot be used at the moment: {why}"
    return StaticDocument(title, status, (inputs, Code("In Python", python)))


def python_of(values: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Return Python code that creates the same planner.

    Args:
        values: inputs.
        options: non-default arguments other than inputs.
    """
    inputs = {field.name: values[field.name] for field in form_input.FORM_FIELDS}
    defaults = {field.name: field.default for field in form_input.FORM_FIELDS}
    named = {name: value for name, value in inputs.items() if value != defaults[name]}
    return call("VersionPlanner", ([_row(row) for row in values["versions"]],), named | dict(options))


def _row(cells: list[str]) -> list[str]:
    """Return a row without default values at its end."""
    row = [*cells, ""][: len(form_input.FORM_COLUMNS)]
    if not row[_BROWNOUTS] and row[_STAGE] == "stable":
        row = row[:_STAGE]
    while row and not row[-1]:
        row.pop()
    return row


def _inputs(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for row in values["versions"]:
        dates = zip(form_input.FORM_COLUMNS[1:], row[1:], strict=False)  # it may have no brownouts
        cells = ", ".join(f"{column.label.lower()} {text}" for column, text in dates if text)
        yield f"Version {row[0]}", cells
    for field in form_input.FORM_FIELDS:
        if values[field.name]:
            yield field.label, values[field.name]
