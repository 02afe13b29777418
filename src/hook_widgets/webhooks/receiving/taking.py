"""Where a request carries what, and the steps that take it from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.receiving import steps, values
from hook_widgets.webhooks.receiving.building import Building
from hook_widgets.webhooks.receiving.steps import Presented
from hook_widgets.webhooks.receiving.values import Join, Text, Variable
from hook_widgets.webhooks.scheme import HeaderValue, OlderHeader, Scheme
from hook_widgets.webhooks.text.template import Field, Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider


@dataclass(frozen=True, slots=True)
class Carrier:
    """A place of the request that holds fields: a header, a value of the JSON, or a form parameter."""

    header: str = ""
    path: str = ""
    parameter: str = ""
    shapes: tuple[Template, ...] = ()
    separator: str = ""


class Taking(Building):
    """Takes fields out of headers, JSON values and form parameters."""

    def __init__(self, provider: Provider, scheme: Scheme) -> None:
        super().__init__(provider, scheme)
        self._presented: Presented | None = None
        self._signed = scheme.closure(self._signature.template.names)
        self._carriers = self._find_carriers()
        self._wanted = self._direct(self._signature.template.names) | {self._signature.name}
        if self._checks_time:
            self._wanted |= {"timestamp"}

    def _find_carriers(self) -> dict[str, Carrier]:
        """Field to the first place that carries it."""
        scheme = self._scheme
        places = [
            Carrier(header=name, shapes=shapes, separator=_separator(scheme, name, spec))
            for (name, shapes), spec in zip(
                scheme.header_shapes.items(), scheme.headers.values(), strict=True
            )
        ]
        places += [Carrier(path=path, shapes=(t,)) for path, t in scheme.body_templates.items()]
        places += [Carrier(parameter=name, shapes=(Template(text),)) for name, text in scheme.form.items()]
        found: dict[str, Carrier] = {}
        for place in places:
            for shape in place.shapes:
                for name in shape.names:
                    found.setdefault(name, place)
        if self._checks_time:  # a time that is signed inside the body, not a header that says the same
            inside = [p for p in places if not p.header and "timestamp" in p.shapes[0].names]
            if inside and "unsigned_body" in self._signed:
                found["timestamp"] = inside[0]
        return found

    @property
    def _checks_time(self) -> bool:
        scheme = self._scheme
        if scheme.tolerance_s is None or scheme.timestamp is None:
            return False
        inside = [*scheme.body_templates.values(), *map(Template, scheme.form.values())]
        return "timestamp" in self._signed or (
            "unsigned_body" in self._signed and any("timestamp" in t.names for t in inside)
        )

    def _direct(self, names: frozenset[str]) -> frozenset[str]:
        """These fields and those of the templates in them."""
        found, waiting = set[str](), list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                spec = self._scheme.fields.get(name)
                if spec is not None and spec.jwt is None:
                    waiting += [n for text in spec.templates for n in Template(text).names]
        return frozenset(found)

    def _take(self, carrier: Carrier) -> None:
        """Read a place, and know the wanted fields that it carries."""
        if carrier.separator:
            self._take_list(carrier)
            return
        (shape,) = carrier.shapes
        wanted = [name for name in shape.order if name in self._wanted and name not in self._known]
        sole = len(shape.order) == 1
        signature = self._signature.name
        rotation = self._scheme.rotation
        if signature in wanted and sole and isinstance(rotation, OlderHeader):
            self._take_several(carrier, rotation, shape)
        elif sole and (shape.text == f"{{{wanted[0]}}}" or wanted == [signature]):
            variable = self._new(wanted[0])
            self._read(carrier, variable)
            self._know(wanted[0], variable)
            if wanted == [signature]:
                before, _, after = shape.text.partition(f"{{{signature}}}")
                self._presented = Presented(variable, before=_known(before), after=after)
        else:
            whole = self._new("header" if carrier.header else "text", own=True)
            self._read(carrier, whole)
            for name in wanted:
                self._know(name, self._new(name))
            match = self._new("match", own=True)
            self._steps.append(steps.TakeApart(whole, tuple(self._pieces(shape, wanted)), match))
            if signature in wanted:
                self._presented = Presented(self._variable(signature))

    def _pieces(self, shape: Template, wanted: list[str]) -> list[Text | Variable | None]:
        return [
            (Variable(self._variable(s.name)) if s.name in wanted else None)
            if isinstance(s, Field)
            else Text(s)
            for s in shape.segments
        ]

    def _take_several(self, carrier: Carrier, rotation: OlderHeader, shape: Template) -> None:
        variable = self._new("signatures", own=True)
        before, _, after = shape.text.partition(f"{{{self._signature.name}}}")
        pattern = Template(rotation.header)
        if not pattern.names:
            self._steps.append(steps.ReadHeaders(variable, names=(carrier.header, rotation.header)))
        elif rotation.name(1) == carrier.header:
            self._steps.append(steps.ReadHeaders(variable, numbered=rotation.header))
        else:
            raise InvalidRequest(
                f"{self._provider.title}: the older signatures stand in {rotation.header}, which does not "
                f"begin with {carrier.header}; check them with hook_widgets.webhooks.verify instead"
            )
        self._known[self._signature.name] = ()
        self._presented = Presented(variable, several=True, before=_known(before), after=after)

    def _take_list(self, carrier: Carrier) -> None:
        header = self._new("header", own=True)
        elements = self._new("elements", own=True)
        self._read(carrier, header)
        self._steps.append(steps.SplitList(elements, header, carrier.separator))
        for position, shape in enumerate(carrier.shapes):
            if self._signature.name in shape.names:
                self._take_signed_element(elements, shape)
                continue
            for name in shape.names & self._wanted - self._known.keys():
                if shape.text == f"{{{name}}}":  # has no label, so that its place tells it
                    variable = self._new(name)
                    self._steps.append(steps.PickElement(variable, elements, position))
                    self._know(name, variable)
                else:
                    before, _, after = shape.text.partition(f"{{{name}}}")
                    self._find_element(name, elements, before, after, shape)

    def _take_signed_element(self, elements: str, shape: Template) -> None:
        """An element that holds the signature, and perhaps the time before it."""
        start, _, after = shape.text.partition(f"{{{self._signature.name}}}")
        before = Template(start)
        for name in before.order:
            label, _, until = start.partition(f"{{{name}}}")
            self._find_element(name, elements, label, until, shape)
        if Template(after).names or (before.names and self._provider.key.type != "secret"):
            raise self._too_much(shape)
        self._known[self._signature.name] = ()
        self._presented = Presented(elements, several=True, before=self._taken(before), after=after)

    def _taken(self, before: Template) -> Join:
        """The text before a signature, with the fields that were found in it."""
        parts: list[values.Atom] = []
        for segment in before.segments:
            parts += self._known[segment.name] if isinstance(segment, Field) else [Text(segment)]
        return Join(tuple(parts))

    def _find_element(self, name: str, elements: str, label: str, until: str, shape: Template) -> None:
        if Template(label).names or Template(until).names or not label:
            raise self._too_much(shape)
        variable = self._new(name)
        self._steps.append(steps.FindElement(variable, elements, label, until))
        self._know(name, variable)

    def _too_much(self, shape: Template) -> InvalidRequest:
        return InvalidRequest(
            f"{self._provider.title}: a list's element {shape.text!r} is more than a label and a value; "
            "check it with hook_widgets.webhooks.verify instead"
        )

    def _read(self, carrier: Carrier, variable: str) -> None:
        if carrier.header:
            rotation = self._scheme.rotation
            repeated = isinstance(rotation, OlderHeader) and rotation.header.lower() == carrier.header.lower()
            self._steps.append(steps.ReadHeader(variable, carrier.header, repeated))
        elif carrier.path:
            self._let(variable, values.JsonValue(self._document(), json_path(carrier.path)))
        else:
            self._let(variable, values.FormValue(self._form(), carrier.parameter))


def _separator(scheme: Scheme, name: str, spec: str | HeaderValue) -> str:
    """What divides the elements of a header; a repeated header arrives joined by commas (RFC 9110)."""
    if isinstance(spec, HeaderValue):
        return spec.list
    rotation = scheme.rotation
    return "," if isinstance(rotation, OlderHeader) and rotation.header.lower() == name.lower() else ""


def _known(text: str) -> Join:
    return Join((Text(text),) if text else ())


def json_path(text: str) -> tuple[str | int, ...]:
    """A dotted path as keys and positions."""
    return tuple(int(part) if part.isdigit() else part for part in text.split("."))
