"""From a provider's scheme to the steps of its receiver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.derived import Derived, NumberClaim, Write
from hook_widgets.webhooks.fields import BUILT_IN
from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.steps import Body, Join, Let, Presented, Text, Variable
from hook_widgets.webhooks.scheme import HeaderValue, OlderHeader, PairKey, Scheme
from hook_widgets.webhooks.template import Field, Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider

# What JavaScript's encodeURIComponent and encodeURI leave as they are, beside letters and digits.
URI_COMPONENT = "-_.!~*'()"
URI = URI_COMPONENT + ";/?:@&=+$,#"

# Names that the emitters use themselves, or that one of the languages reserves.
_TAKEN = frozenset(
    "header headers body secret public_key key message expected elements element presented now sent age mac "
    "document form claims found value name text raw error err hash hex json time string bytes int type class "
    "default function new null true false nil none return import export package public static final for if in "
    "is not and or end begin def self this var let const switch case import_ match equal pairs".split()
)


@dataclass(frozen=True, slots=True)
class _Carrier:
    """A place of the request that holds fields: a header, a value of the JSON, or a form parameter."""

    header: str = ""
    path: str = ""
    parameter: str = ""
    shapes: tuple[Template, ...] = ()
    separator: str = ""


def compile_scheme(provider: Provider, scheme: Scheme) -> steps.Program:
    """The receiver's check of one scheme.

    Raises:
        InvalidRequest: the scheme cannot be checked with what a request carries.
    """
    return _Compiler(provider, scheme).program()


class _Compiler:
    def __init__(self, provider: Provider, scheme: Scheme) -> None:
        self._provider = provider
        self._scheme = scheme
        self._signature = scheme.signatures[0]
        self._steps: list[steps.Step] = []
        self._parameters: dict[str, steps.Parameter] = {}
        self._known: dict[str, tuple[steps.Atom, ...]] = {}
        self._made: set[str] = set()
        self._presented: Presented | None = None
        self._signed = scheme.closure(self._signature.template.names)
        self._carriers = self._find_carriers()
        self._wanted = self._direct(self._signature.template.names) | {self._signature.name}
        if self._checks_time:
            self._wanted |= {"timestamp"}

    def program(self) -> steps.Program:
        """The whole."""
        key, signature = self._provider.key, self._signature
        self._take(self._carriers[signature.name])
        if self._checks_time and "timestamp" in self._carriers:
            self._check_time()
        message = self._join(signature.message)
        for name in sorted(self._signed & self._scheme.fields.keys()):
            if self._scheme.fields[name].jwt is not None:
                self._check_claims(name)
        self._check_query()
        assert self._presented is not None  # its carrier was taken
        used = [part for step in self._steps for part in _atoms(step)] + list(message.parts)
        return steps.Program(
            title=f"{self._provider.title} ({self._scheme.title or self._scheme.name})",
            link=next(iter(self._provider.docs), ""),
            headers=any(
                isinstance(s, steps.ReadHeader | steps.ReadHeaders)
                or (isinstance(s, Let) and isinstance(s.value, steps.SignedHeaders))
                for s in self._steps
            ),
            body=Body() in used,
            parameters=tuple(self._parameters.values()),
            steps=tuple(self._steps),
            algorithm=signature.algorithm,
            message=message,
            encoding=signature.encoding,
            presented=self._presented,
            key_title=key.title,
            key=key.spec,
            public_form=key.public_form if isinstance(key, PairKey) else None,
            notes=tuple(self._notes()),
        )

    # --- carriers ----------------------------------------------------------------------------------------

    def _find_carriers(self) -> dict[str, _Carrier]:
        """Field to the first place that carries it."""
        scheme = self._scheme
        places = [
            _Carrier(header=name, shapes=shapes, separator=_separator(scheme, name, spec))
            for (name, shapes), spec in zip(
                scheme.header_shapes.items(), scheme.headers.values(), strict=True
            )
        ]
        places += [_Carrier(path=path, shapes=(t,)) for path, t in scheme.body_templates.items()]
        places += [_Carrier(parameter=name, shapes=(Template(text),)) for name, text in scheme.form.items()]
        found: dict[str, _Carrier] = {}
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

    def _take(self, carrier: _Carrier) -> None:
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
            self._steps.append(steps.TakeApart(whole, tuple(self._pieces(shape, wanted))))
            if signature in wanted:
                self._presented = Presented(self._variable(signature))

    def _pieces(self, shape: Template, wanted: list[str]) -> list[Text | Variable | None]:
        return [
            (Variable(self._variable(s.name)) if s.name in wanted else None)
            if isinstance(s, Field)
            else Text(s)
            for s in shape.segments
        ]

    def _take_several(self, carrier: _Carrier, rotation: OlderHeader, shape: Template) -> None:
        variable = self._new("signatures", own=True)
        before, _, after = shape.text.partition(f"{{{self._signature.name}}}")
        pattern = Template(rotation.header)
        if not pattern.names:
            self._steps.append(steps.ReadHeaders(variable, names=(carrier.header, rotation.header)))
        elif rotation.name(1) == carrier.header:
            self._steps.append(steps.ReadHeaders(variable, numbered=rotation.header))
        else:
            raise InvalidRequest(
                f"{self._provider.title}: the older signatures stand in {rotation.header}, which does not begin "
                f"with {carrier.header}; check them with hook_widgets.webhooks.verify instead"
            )
        self._known[self._signature.name] = ()
        self._presented = Presented(variable, several=True, before=_known(before), after=after)

    def _take_list(self, carrier: _Carrier) -> None:
        header = self._new("header", own=True)
        elements = self._new("elements", own=True)
        self._read(carrier, header)
        self._steps.append(steps.SplitList(elements, header, carrier.separator))
        for position, shape in enumerate(carrier.shapes):
            if self._signature.name in shape.names:
                self._take_signed_element(elements, shape)
                continue
            if shape.text in {
                f"{{{name}}}" for name in self._wanted
            }:  # told by its place, as it has no label
                variable = self._new(shape.order[0])
                self._steps.append(steps.PickElement(variable, elements, position))
                self._know(shape.order[0], variable)
                continue
            for name in shape.names & self._wanted - self._known.keys():
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
        self._presented = Presented(elements, several=True, before=self._join(start), after=after)

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

    def _read(self, carrier: _Carrier, variable: str) -> None:
        if carrier.header:
            rotation = self._scheme.rotation
            repeated = isinstance(rotation, OlderHeader) and rotation.header.lower() == carrier.header.lower()
            self._steps.append(steps.ReadHeader(variable, carrier.header, repeated))
        elif carrier.path:
            self._let(variable, steps.JsonValue(self._document(), _path(carrier.path)))
        else:
            self._let(variable, steps.FormValue(self._form(), carrier.parameter))

    # --- fields ------------------------------------------------------------------------------------------

    def _join(self, text: str) -> Join:
        """A template's parts."""
        parts: list[steps.Atom] = []
        for segment in Template(text).segments:
            parts += self._field(segment.name) if isinstance(segment, Field) else [Text(segment)]
        return Join(tuple(parts))

    def _field(self, name: str) -> tuple[steps.Atom, ...]:
        if name not in self._known:
            self._find(name)
        return self._known[name]

    def _find(self, name: str) -> None:
        spec = self._scheme.fields.get(name)
        if spec is not None and spec.jwt is None:
            self._derive(name, spec)
        elif name == "body":
            self._known[name] = (Body(),)
        elif name == "url":
            self._parameter(name, "the full URL as the sender called it, with its query")
        elif name == "method":
            self._parameter(name, "the HTTP method in capitals, such as POST")
        elif name in BUILT_IN:
            self._built_in(name)
        elif name in self._carriers:
            self._take(self._carriers[name])
        elif name in self._provider.parts:
            self._parameter(name, "signed, and not sent: from the provider's settings")
        else:
            raise InvalidRequest(
                f"{self._provider.title} signs {{{name}}}, which its requests do not carry; "
                "check them with hook_widgets.webhooks.verify instead"
            )

    def _derive(self, name: str, spec: Derived) -> None:
        if spec.text is not None:
            self._known[name] = self._join(spec.text).parts
            return
        value: steps.Value
        if spec.json_path is not None:
            value = steps.JsonValue(self._document(), _path(spec.json_path), spec.missing or "")
        elif spec.lines is not None:
            value = steps.JsonLines(self._document(), spec.lines)
        elif spec.form is not None:
            value = steps.FormValue(self._form(), spec.form)
        elif spec.hash is not None:
            value = steps.Digest(spec.hash, self._join(spec.of), spec.write)
        elif spec.when_query is not None:
            value = steps.WhenFilled(self._text("query"), spec.when_query)
        elif spec.signed_headers is not None:
            value = steps.SignedHeaders(spec.signed_headers)
        else:
            raise InvalidRequest(
                f"{self._provider.title} signs {{{name}}}, its time in another unit, which a receiver cannot "
                "know; check its requests with hook_widgets.webhooks.verify instead"
            )
        self._name(name, value)

    def _built_in(self, name: str) -> None:
        match name:
            case "body_sha256":
                self._name(name, steps.Digest("sha256", Join((Body(),)), Write.HEX))
            case "sorted_form":
                self._name(name, steps.SortedForm(self._form()))
            case "url_base":
                self._field("url")
                self._name(name, steps.UrlPart("base"))
            case "query" | "path" | "host":
                self._field("url")
                self._name(name, steps.UrlPart(name))
            case "sorted_query":
                self._name(name, steps.SortedQuery(self._text("query")))
            case "path_and_query":
                self._known[name] = self._path_and(self._text("query"))
            case "path_with_escaped_query":
                query = self._new("escaped_query")
                self._let(query, steps.Escaped(Join(self._field("query")), URI_COMPONENT))
                self._name(name, steps.Escaped(Join(self._path_and(query)), URI))
            case _:
                raise InvalidRequest(
                    f"no receiver can be written for the field {{{name}}} yet; "
                    "check the requests with hook_widgets.webhooks.verify instead"
                )

    def _path_and(self, query: str) -> tuple[steps.Atom, ...]:
        path, mark = self._field("path"), self._new("question_mark")
        self._let(mark, steps.WhenFilled(self._text("query"), "?"))
        return (*path, Variable(mark), Variable(query))

    # --- checks ------------------------------------------------------------------------------------------

    def _check_time(self) -> None:
        scheme = self._scheme
        variable = self._text("timestamp")
        if scheme.timestamp is not None and scheme.tolerance_s is not None:
            self._steps.append(steps.CheckTime(variable, scheme.timestamp, scheme.tolerance_s))

    def _check_claims(self, name: str) -> None:
        """Hold the claims of the token against the request."""
        jwt, scheme = self._scheme.fields[name].jwt, self._scheme
        assert jwt is not None
        checked = {
            claim: template
            for claim, template in jwt.templates.items()
            if not isinstance(jwt.claims[claim], NumberClaim) and self._is_known(template)
        }
        numbers = {n: c for n, c in jwt.claims.items() if isinstance(c, NumberClaim)}
        time = min(numbers, key=lambda n: numbers[n].plus_s) if numbers and scheme.tolerance_s else ""
        if not checked and not time:
            return
        claims = self._new("claims", own=True)
        self._steps.append(steps.ParseJson(claims, Variable(self._text(name)), claims=True))
        for claim, template in checked.items():
            expected = self._join(template.text)
            variable = self._new(f"{claim}_claim")
            self._let(variable, steps.JsonValue(claims, (claim,)))
            self._steps.append(steps.CheckEqual(variable, expected))
        if time and scheme.timestamp is not None and scheme.tolerance_s is not None:
            variable = self._new(f"{time}_claim")
            self._let(variable, steps.JsonValue(claims, (time,)))
            shift = -numbers[time].plus_s
            self._steps.append(steps.CheckTime(variable, scheme.timestamp, scheme.tolerance_s, shift))

    def _is_known(self, template: Template) -> bool:
        """Whether a receiver can work out what stands there."""
        sources = self._direct(template.names)
        return all(
            name in BUILT_IN or name in ("body", "url", "method") or name in self._scheme.fields
            for name in sources
        )

    def _check_query(self) -> None:
        """A value that binds the body to the URL, such as its hash, must be that of this body."""
        if "url" not in self._signed:
            return
        for name, text in self._scheme.query.items():
            if "body" in self._scheme.closure(Template(text).names):
                form = self._new("parameters", own=True)
                self._steps.append(steps.ParseForm(form, Variable(self._text("query"))))
                variable = self._new(f"{name}_parameter".lower().replace(".", "_"))
                self._let(variable, steps.FormValue(form, name))
                self._steps.append(steps.CheckEqual(variable, self._join(text)))

    def _notes(self) -> list[str]:
        repeated = [s.header for s in self._steps if isinstance(s, steps.ReadHeader) and s.repeated]
        if repeated:
            return [f"{repeated[0]} may stand there twice; headers: join its values with a comma."]
        if self._signature.algorithm.reveals_secret:
            return ["Nothing is signed: the request carries the secret itself, so insist on HTTPS."]
        fields = [self._scheme.fields[name] for name in self._signed & self._scheme.fields.keys()]
        whole = "body" in self._signed or any(f.form is not None or f.lines is not None for f in fields)
        if whole or any(isinstance(step, steps.CheckEqual) for step in self._steps):
            return []
        return ["The body is not signed as a whole: trust no more of it than what is part of the message."]

    # --- names -------------------------------------------------------------------------------------------

    def _document(self) -> str:
        """The variable with the parsed JSON of the body."""
        if "document" not in self._made:
            self._made.add("document")
            source: Body | Variable = Body()
            if self._scheme.json_in:
                name = f"{self._scheme.json_in}_field"
                self._parameter(name, f"the text of the form field {self._scheme.json_in!r}, decoded")
                source = Variable(name)
            self._steps.append(steps.ParseJson("document", source))
        return "document"

    def _form(self) -> str:
        """The variable with the parsed form of the body."""
        if "form" not in self._made:
            self._made.add("form")
            self._steps.append(steps.ParseForm("form", Body()))
        return "form"

    def _parameter(self, name: str, meaning: str) -> None:
        self._made.add(name)
        self._parameters[name] = steps.Parameter(name, meaning)
        self._known[name] = (Variable(name),)

    def _name(self, name: str, value: steps.Value) -> None:
        """Let a field's variable be this."""
        variable = self._new(name)
        self._let(variable, value)
        self._know(name, variable)

    def _let(self, variable: str, value: steps.Value) -> None:
        self._steps.append(Let(variable, value))

    def _know(self, field: str, variable: str) -> None:
        self._known[field] = (Variable(variable),)

    def _variable(self, field: str) -> str:
        (atom,) = self._known[field]
        assert isinstance(atom, Variable)
        return atom.name

    def _text(self, field: str) -> str:
        """The variable of a field; made if there is none yet."""
        self._field(field)
        return self._variable(field)

    def _new(self, name: str, *, own: bool = False) -> str:
        """A variable's name that nothing else has; `own` ones may be among the taken."""
        if name in _TAKEN and not own:
            name += "_value"
        while name in self._made:
            name += "_2"
        self._made.add(name)
        return name


def _separator(scheme: Scheme, name: str, spec: str | HeaderValue) -> str:
    """What divides the elements of a header; a repeated header arrives joined by commas (RFC 9110)."""
    if isinstance(spec, HeaderValue):
        return spec.list
    rotation = scheme.rotation
    return "," if isinstance(rotation, OlderHeader) and rotation.header.lower() == name.lower() else ""


def _known(text: str) -> Join:
    return Join((Text(text),) if text else ())


def _path(text: str) -> tuple[str | int, ...]:
    return tuple(int(part) if part.isdigit() else part for part in text.split("."))


def _atoms(step: steps.Step) -> tuple[steps.Atom, ...]:
    """What a step reads, as far as the body may be among it."""
    match step:
        case Let(value=Join() as join) | steps.CheckEqual(right=join):
            return join.parts
        case Let(value=steps.Digest(of=join) | steps.Escaped(of=join)):
            return join.parts
        case steps.ParseJson(source=source) | steps.ParseForm(source=source):
            return (source,)
    return ()
