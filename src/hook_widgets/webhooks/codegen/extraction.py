"""Locate signed fields in a request, and emit the steps that extract them, with names for their variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hook_widgets.errors import UnsupportedScheme
from hook_widgets.webhooks.body.template import Field, Template
from hook_widgets.webhooks.codegen import ir, ir_values
from hook_widgets.webhooks.codegen.ir import Presented
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable
from hook_widgets.webhooks.scheme import OlderHeader, Scheme

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider

# Names reserved in one of the languages, and names of the variables that the emitters themselves use.
_RESERVED = """
abstract and any arguments as assert async await base begin bool boolean break byte bytes case catch chan
char class clone const continue crypto debugger declare def default defer del delete do document double echo
elif else elsif empty end ensure enum eval except exit export extends fallthrough false final finally float
fmt fn for foreach from func function global go goto hash hex hmac if implements import in include
instanceof int interface internal is isset json lambda len let list long loop map match math module native
new next nil none nonlocal not null object open or order package pass print private protected public puts
raise range raw redo regexp require rescue retry return self set short sort static str strictfp string
strings struct super switch synchronized system then this throw throws time transient true try type typeof
undef unless until use var void volatile when while with x509 xor yield
"""
_OWN = """
abs age any base64 belongs big block body certificate claims claims_text compare concat crc32 datetime
decoded der der_signature digest document ec ecdsa ed25519 element elements equal err error escape expected
find form form_pairs format hashes hashlib header headers hex_bytes host_of http json_value key
key_sum line mac md5 message method_of n name names next ok padding pair pairs parameter parameters parse
parsed part parts path_of pem presented public_key quote rsa secret sent serialization sha1 sha256 sha512
signatures signed_headers sort_and_join sorted sorted_parts str strconv sum text unicodedata utf8 utils
value values verify when x prefix zlib
"""
_TAKEN = frozenset(_RESERVED.split()) | frozenset(_OWN.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A part of the request that contains fields: a header, a JSON value or a form parameter."""

    header: str = ""
    path: str = ""
    parameter: str = ""
    shapes: tuple[Template, ...] = ()
    separator: str = ""


class FieldExtractor:
    """Base of the compiler: its steps and variables, and fields in headers, JSON values and parameters."""

    def __init__(self, provider: Provider, scheme: Scheme) -> None:
        self._provider = provider
        self._scheme = scheme
        self._signature = scheme.signatures[0]
        self._steps: list[ir.Step] = []
        self._parameters: dict[str, ir.Parameter] = {}
        self._fields: dict[str, tuple[ir_values.Atom, ...]] = {}
        self._used_names: set[str] = set()
        self._presented: Presented | None = None
        self._signed = scheme.closure(self._signature.template.names)
        self._locations = self._find_locations()
        self._required = self._expand_computed(self._signature.template.names) | {self._signature.name}
        if self._checks_time:
            self._required |= {"timestamp"}

    def _find_locations(self) -> dict[str, Location]:
        """Return the first location of each field."""
        scheme = self._scheme
        candidates = [
            Location(header=name, shapes=shapes, separator=scheme.separator(name))
            for name, shapes in scheme.header_shapes.items()
        ]
        candidates += [Location(path=path, shapes=(t,)) for path, t in scheme.body_templates.items()]
        candidates += [
            Location(parameter=name, shapes=(Template(text),)) for name, text in scheme.form.items()
        ]
        locations: dict[str, Location] = {}
        for location in candidates:
            for shape in location.shapes:
                for name in shape.names:
                    locations.setdefault(name, location)
        if self._checks_time:  # prefer a timestamp signed inside the body to a header with the same time
            in_body = [c for c in candidates if not c.header and "timestamp" in c.shapes[0].names]
            if in_body and "unsigned_body" in self._signed:
                locations["timestamp"] = in_body[0]
        return locations

    @property
    def _checks_time(self) -> bool:
        scheme = self._scheme
        if scheme.tolerance_s is None or scheme.timestamp is None:
            return False
        in_body = [*scheme.body_templates.values(), *map(Template, scheme.form.values())]
        return "timestamp" in self._signed or (
            "unsigned_body" in self._signed and any("timestamp" in t.names for t in in_body)
        )

    def _expand_computed(self, names: frozenset[str]) -> frozenset[str]:
        """Return these fields and the fields from which they are computed, except through tokens."""
        result, pending = set[str](), list(names)
        while pending:
            name = pending.pop()
            if name not in result:
                result.add(name)
                spec = self._scheme.fields.get(name)
                if spec is not None and spec.jwt is None:
                    pending += [n for text in spec.templates for n in Template(text).names]
        return frozenset(result)

    def _extract(self, location: Location) -> None:
        """Read a location and bind the required fields in it to variables."""
        if location.separator:
            self._extract_list(location)
            return
        (shape,) = location.shapes
        required = [name for name in shape.order if name in self._required and name not in self._fields]
        sole = len(shape.order) == 1
        signature = self._signature.name
        rotation = self._scheme.rotation
        if signature in required and sole and isinstance(rotation, OlderHeader):
            self._extract_headers(location, rotation, shape)
        elif sole and (shape.text == f"{{{required[0]}}}" or required == [signature]):
            variable = self._new_variable(required[0])
            self._read(location, variable)
            self._bind(required[0], variable)
            if required == [signature]:
                before, _, after = shape.text.partition(f"{{{signature}}}")
                self._presented = Presented(variable, before=_literal(before), after=after)
        else:
            source = self._new_variable("header" if location.header else "text", own=True)
            self._read(location, source)
            for name in required:
                self._bind(name, self._new_variable(name))
            match = self._new_variable("match", own=True)
            self._steps.append(ir.MatchPattern(source, tuple(self._pieces(shape, required)), match))
            if signature in required:
                self._presented = Presented(self._variable_of(signature))

    def _pieces(self, shape: Template, required: list[str]) -> list[Text | Variable | None]:
        return [
            (Variable(self._variable_of(s.name)) if s.name in required else None)
            if isinstance(s, Field)
            else Text(s)
            for s in shape.segments
        ]

    def _extract_headers(self, location: Location, rotation: OlderHeader, shape: Template) -> None:
        variable = self._new_variable("signatures", own=True)
        before, _, after = shape.text.partition(f"{{{self._signature.name}}}")
        pattern = Template(rotation.header)
        if not pattern.names:
            self._steps.append(ir.ReadHeaders(variable, names=(location.header, rotation.header)))
        elif rotation.name(1) == location.header:
            self._steps.append(ir.ReadHeaders(variable, numbered=rotation.header))
        else:
            raise UnsupportedScheme(
                f"{self._provider.title}: the previous signatures are in {rotation.header}, which does not "
                f"begin with {location.header}; check them with hook_widgets.webhooks.verify instead"
            )
        self._fields[self._signature.name] = ()
        self._presented = Presented(variable, is_list=True, before=_literal(before), after=after)

    def _extract_list(self, location: Location) -> None:
        header = self._new_variable("header", own=True)
        elements = self._new_variable("elements", own=True)
        self._read(location, header)
        self._steps.append(ir.SplitList(elements, header, location.separator))
        for position, shape in enumerate(location.shapes):
            if self._signature.name in shape.names:
                self._extract_signed_element(elements, shape)
                continue
            for name in shape.names & self._required - self._fields.keys():
                if shape.text == f"{{{name}}}":  # no label, so it is identified by its position
                    variable = self._new_variable(name)
                    self._steps.append(ir.PickElement(variable, elements, position))
                    self._bind(name, variable)
                else:
                    before, _, after = shape.text.partition(f"{{{name}}}")
                    self._find_element(name, elements, before, after, shape)

    def _extract_signed_element(self, elements: str, shape: Template) -> None:
        """Extract an element that holds the signature, and perhaps the timestamp before it."""
        start, _, after = shape.text.partition(f"{{{self._signature.name}}}")
        before = Template(start)
        for name in before.order:
            label, _, until = start.partition(f"{{{name}}}")
            self._find_element(name, elements, label, until, shape)
        if Template(after).names or (before.names and self._provider.key.type != "secret"):
            raise self._unsupported_element(shape)
        self._fields[self._signature.name] = ()
        self._presented = Presented(elements, is_list=True, before=self._prefix(before), after=after)

    def _prefix(self, before: Template) -> Join:
        """Return the text before a signature, including the extracted fields in it."""
        parts: list[ir_values.Atom] = []
        for segment in before.segments:
            parts += self._fields[segment.name] if isinstance(segment, Field) else [Text(segment)]
        return Join(tuple(parts))

    def _find_element(self, name: str, elements: str, label: str, until: str, shape: Template) -> None:
        if Template(label).names or Template(until).names or not label:
            raise self._unsupported_element(shape)
        variable = self._new_variable(name)
        self._steps.append(ir.FindElement(variable, elements, label, until))
        self._bind(name, variable)

    def _unsupported_element(self, shape: Template) -> UnsupportedScheme:
        return UnsupportedScheme(
            f"{self._provider.title}: a list's element {shape.text!r} is more than a label and a value; "
            "check it with hook_widgets.webhooks.verify instead"
        )

    def _read(self, location: Location, variable: str) -> None:
        if location.header:
            rotation = self._scheme.rotation
            repeated = (
                isinstance(rotation, OlderHeader) and rotation.header.lower() == location.header.lower()
            )
            self._steps.append(ir.ReadHeader(variable, location.header, repeated))
        elif location.path:
            self._let(variable, ir_values.JsonValue(self._document(), json_path(location.path)))
        else:
            self._let(variable, ir_values.FormValue(self._form(), location.parameter))

    # --- steps and variables -----------------------------------------------------------------------------

    def _document(self) -> str:
        """Return the variable with the parsed JSON of the body."""
        if "document" not in self._used_names:
            self._used_names.add("document")
            source: Body | Variable = Body()
            if self._scheme.json_in:
                name = f"{self._scheme.json_in}_field"
                self._parameter(name, f"the text of the form field {self._scheme.json_in!r}, decoded")
                source = Variable(name)
            self._steps.append(ir.ParseJson("document", source))
        return "document"

    def _form(self) -> str:
        """Return the variable with the parsed form of the body."""
        if "form" not in self._used_names:
            self._used_names.add("form")
            self._steps.append(ir.ParseForm("form", Body()))
        return "form"

    def _parameter(self, name: str, meaning: str) -> None:
        self._used_names.add(name)
        self._parameters[name] = ir.Parameter(name, meaning)
        self._fields[name] = (Variable(name),)

    def _define(self, name: str, value: ir_values.Value) -> None:
        """Assign a value to a new variable and bind the field to it."""
        variable = self._new_variable(name)
        self._let(variable, value)
        self._bind(name, variable)

    def _let(self, variable: str, value: ir_values.Value) -> None:
        self._steps.append(ir.Let(variable, value))

    def _bind(self, field: str, variable: str) -> None:
        self._fields[field] = (Variable(variable),)

    def _variable_of(self, field: str) -> str:
        (atom,) = self._fields[field]
        assert isinstance(atom, Variable)
        return atom.name

    def _new_variable(self, name: str, *, own: bool = False) -> str:
        """Return an unused variable name; if `own` is true, it may be reserved for the emitters."""
        if name in _TAKEN and not own:
            name += "_field"
        while name in self._used_names:
            name += "_2"
        self._used_names.add(name)
        return name


def _literal(text: str) -> Join:
    return Join((Text(text),) if text else ())


def json_path(text: str) -> tuple[str | int, ...]:
    """Split a dotted path into keys and indices."""
    return tuple(int(part) if part.isdigit() else part for part in text.split("."))
