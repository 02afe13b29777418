"""Match the headers and body of a received request against the shapes of its provider's scheme."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hook_widgets.errors import InvalidJson, UnreadableMessage
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme import OlderHeader, Scheme
from hook_widgets.webhooks.verification.parsing.errors import ParseError, malformed


class ParsedRequest:
    """The template fields that a request carries.

    Several lines of a list header are one list (RFC 9110 section 5.3). Any other header may occur once: of
    two, receivers use the first, the last or both, so neither counts. A field that several places carry is
    taken from the first of them only.

    Attributes:
        places: field to the place that carries it, present or not.
        values: field to the texts at that place.
        inside: field to its text, for fields inside the body only.
    """

    def __init__(self, scheme: Scheme, headers: Headers, body: bytes) -> None:
        self.places: dict[str, str] = {}
        self.values: dict[str, list[str]] = {}
        self.inside: dict[str, str] = {}
        self._shapes: dict[str, Template] = {}
        self._present: set[str] = set()
        self._doubled: set[str] = set()
        for name, shapes in scheme.header_shapes.items():
            self._place(name, shapes, scheme.header_template(name))
            for number, element in enumerate(self._elements(scheme, name, headers.get_list(name))):
                # Without literal text in the shapes, only its position identifies an element.
                positional = len(shapes) > 1 and not any(shape.literal for shape in shapes)
                shape = shapes[min(number, len(shapes) - 1)]
                self._take(name, element, (shape,) if positional else shapes)
        for path, template in scheme.body_templates.items():
            self._inside(f"{path} in the body", value_of(body, path, scheme.json_in), template)
        for name, text in scheme.form.items():
            self._inside(f"{name} in the body", _parameter(body, name), Template(text))
        if isinstance(scheme.rotation, OlderHeader):
            self._take_older(scheme, scheme.rotation, headers)

    def all(self, field: str) -> list[str]:
        """Return every value of the field.

        Raises:
            ParseError: its place is missing, or has another shape.
        """
        if field in self.values:
            return self.values[field]
        place = self.places[field]
        if place in self._doubled:
            raise _twice(place, field)
        if place not in self._present:
            hint = "" if " in the body" in place else "; was it renamed or dropped by a proxy or framework?"
            raise ParseError(
                "missing_header", place, f"the request has no {place}, which carries the {field}{hint}"
            )
        shape = self._shapes[place].described
        raise malformed(place, f"{place} does not have the shape {shape}, so it holds no {field}")

    def one(self, field: str) -> str:
        """Return the field's first value.

        Raises:
            ParseError: see `all`; or a list has two different values for it, of which receivers use one or
                the other.
        """
        values = self.all(field)
        if len(set(values)) > 1:
            raise _twice(self.places[field], field, "with different values ")
        return values[0]

    def _elements(self, scheme: Scheme, name: str, lines: Sequence[str]) -> list[str]:
        """Return the elements of a header; none if it occurs more often than allowed."""
        separator = scheme.separator(name)
        if lines:
            self._present.add(name)
        if separator and lines:
            return [element.strip() for element in ", ".join(lines).split(separator)]
        if len(lines) > 1:
            self._doubled.add(name)
            return []
        return [line.strip() for line in lines]

    def _inside(self, place: str, value: str | None, shape: Template) -> None:
        self._place(place, (shape,), shape)
        if value is not None:
            self._present.add(place)
            self._take(place, value, (shape,))
            self.inside |= shape.match(value) or {}

    def _take_older(self, scheme: Scheme, rotation: OlderHeader, headers: Headers) -> None:
        """Take the signatures by previous secrets, which have headers of their own."""
        own = {name.lower() for name in scheme.headers}
        place = next(iter(scheme.carriers(scheme.signature_names)), "")
        shapes = scheme.header_shapes.get(place, ())
        pattern = re.compile(re.escape(rotation.header.lower()).replace(r"\{n\}", "[0-9]+"))
        for name in {name.lower() for name in headers} - own:
            if pattern.fullmatch(name) and len(lines := headers.get_list(name)) == 1:
                self._take(place, lines[0].strip(), shapes)

    def _take(self, place: str, text: str, shapes: tuple[Template, ...]) -> None:
        for shape in shapes:
            if (match := shape.match(text)) is not None:
                for field, value in match.items():
                    if self.places[field] == place:
                        self.values.setdefault(field, []).append(value)
                return

    def _place(self, place: str, shapes: tuple[Template, ...], shape: Template) -> None:
        self._shapes[place] = shape
        for field in frozenset[str]().union(*(s.names for s in shapes)):
            self.places.setdefault(field, place)


def _twice(place: str, field: str, how: str = "") -> ParseError:
    return malformed(
        place,
        f"{place} is there twice {how}and holds the {field}, which is to be checked; a proxy or a forger "
        "added one",
    )


def value_of(body: bytes, path: str, json_in: str) -> str | None:
    """Return the text of a JSON value of the body; None if there is no such value.

    Raises:
        ParseError: the body is not JSON.
    """
    try:
        return locators.written(locators.json_text(body, json_in), path)
    except InvalidJson as error:
        raise ParseError(
            "malformed_body", "Body", f"the signature stands inside the JSON body, but {error}"
        ) from None
    except UnreadableMessage:
        return None


def _parameter(body: bytes, name: str) -> str | None:
    try:
        return locators.parameter(body, name)
    except UnreadableMessage as error:
        raise ParseError("malformed_body", "Body", f"the form body cannot be read: {error}") from None
