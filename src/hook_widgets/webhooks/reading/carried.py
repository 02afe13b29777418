"""What a received request carries, by the shapes of its provider's scheme."""

from __future__ import annotations

import re

from hook_widgets.errors import InvalidJson, InvalidRequest
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.reading.misread import Misread
from hook_widgets.webhooks.scheme import HeaderValue, OlderHeader, Scheme
from hook_widgets.webhooks.text import places
from hook_widgets.webhooks.text.template import Template


class Carried:
    """The template fields that a request carries.

    Attributes:
        places: field to the place where it stands, there or not.
        values: field to the texts that were found for it.
        inside: the same for what stands inside the body only.
    """

    def __init__(self, scheme: Scheme, headers: Headers, body: bytes) -> None:
        self.places: dict[str, str] = {}
        self.values: dict[str, list[str]] = {}
        self.inside: dict[str, str] = {}
        self._shapes: dict[str, str] = {}
        self._there: set[str] = set()
        self._differing: set[str] = set()
        for name, shapes in scheme.header_shapes.items():
            spec = scheme.headers[name]
            texts = headers.all(name)
            if len(set(texts)) > 1:
                self._differing.add(name)
            for text in texts:
                self._there.add(name)
                elements = spec.divided(text) if isinstance(spec, HeaderValue) else (text.strip(),)
                for number, element in enumerate(elements):
                    # Elements that are nothing but fields can be told by their position only.
                    bare = len(shapes) > 1 and not any(shape.literal for shape in shapes)
                    here = shapes[min(number, len(shapes) - 1)]
                    self._take(element, (here,) if bare else shapes)
            self._place(name, shapes, scheme.header_template(name).text)
        for path, template in scheme.body_templates.items():
            self._inside(f"{path} in the body", value_of(body, path, scheme.json_in), template)
        for name, text in scheme.form.items():
            self._inside(f"{name} in the body", _parameter(body, name), Template(text))
        if isinstance(scheme.rotation, OlderHeader):
            self._take_older(scheme, scheme.rotation, headers)

    def all(self, field: str) -> list[str]:
        """Every value of the field.

        Raises:
            Misread: its place is missing, or has another shape.
        """
        if field in self.values:
            return self.values[field]
        place = self.places[field]
        if place not in self._there:
            hint = "" if " in the body" in place else "; was it renamed or dropped by a proxy or framework?"
            raise Misread(
                "missing_header", place, f"the request has no {place}, which carries the {field}{hint}"
            )
        shape = re.sub(r"\{(\w+)\}", r"<\1>", self._shapes[place])
        raise Misread(
            "malformed_header", place, f"{place} does not have the shape {shape}, so it holds no {field}"
        )

    def one(self, field: str) -> str:
        """The field's first value.

        Raises:
            Misread: see `all`; or its header is there twice with different values, of which receivers take
                one or the other.
        """
        values, place = self.all(field), self.places[field]
        if place in self._differing:
            raise Misread(
                "malformed_header",
                place,
                f"{place} is there twice with different values, and it holds the {field}, which is signed; "
                "a proxy or a forger added one",
            )
        return values[0]

    def _inside(self, place: str, value: str | None, shape: Template) -> None:
        if value is not None:
            self._there.add(place)
            self._take(value, (shape,))
            self.inside |= shape.match(value) or {}
        self._place(place, (shape,), shape.text)

    def _take_older(self, scheme: Scheme, rotation: OlderHeader, headers: Headers) -> None:
        """The signatures by older secrets, which stand in headers of their own."""
        waits = scheme.signature_names
        own = {name.lower(): s for name, s in scheme.header_shapes.items()}
        shapes = next((s for s in own.values() if any(shape.names & waits for shape in s)), ())
        older = re.compile(re.escape(rotation.header.lower()).replace(r"\{n\}", "[0-9]+"))
        for name in headers:
            if name.lower() not in own and older.fullmatch(name.lower()):
                for text in headers.all(name):
                    self._take(text.strip(), shapes)

    def _take(self, text: str, shapes: tuple[Template, ...]) -> None:
        for shape in shapes:
            if (match := shape.match(text)) is not None:
                for field, value in match.items():
                    self.values.setdefault(field, []).append(value)
                return

    def _place(self, place: str, shapes: tuple[Template, ...], shape: str) -> None:
        self._shapes[place] = shape
        for field in frozenset[str]().union(*(s.names for s in shapes)):
            self.places.setdefault(field, place)


def value_of(body: bytes, path: str, json_in: str) -> str | None:
    """The text of a JSON value of the body; None when it is not there.

    Raises:
        Misread: the body is not JSON.
    """
    try:
        return places.written(places.json_text(body, json_in), path)
    except InvalidJson as error:
        raise Misread(
            "malformed_body", "Body", f"the signature stands inside the JSON body, but {error}"
        ) from None
    except InvalidRequest:
        return None


def _parameter(body: bytes, name: str) -> str | None:
    try:
        return places.parameter(body, name)
    except InvalidRequest as error:
        raise Misread("malformed_body", "Body", f"the form body cannot be read: {error}") from None
