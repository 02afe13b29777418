"""Compile a provider's scheme to the steps of its receiver."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hook_widgets.errors import UnsupportedScheme
from hook_widgets.webhooks.body.template import Field, Template
from hook_widgets.webhooks.codegen import ir, ir_values
from hook_widgets.webhooks.codegen.extraction import FieldExtractor, json_path
from hook_widgets.webhooks.codegen.ir import Let
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable
from hook_widgets.webhooks.scheme import AsymmetricKeySpec
from hook_widgets.webhooks.scheme.computed_fields import Derived, HashEncoding, NumberClaim
from hook_widgets.webhooks.scheme.fields import BUILT_IN, URI, URI_COMPONENT

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider
    from hook_widgets.webhooks.scheme import Scheme


def compile_scheme(provider: Provider, scheme: Scheme) -> ir.Program:
    """Compile one scheme to the program of its receiver.

    Raises:
        UnsupportedScheme: a request does not carry everything that is needed to verify it.
    """
    return _Compiler(provider, scheme).program()


class _Compiler(FieldExtractor):
    def program(self) -> ir.Program:
        """Return the program."""
        key, signature = self._provider.key, self._signature
        self._extract(self._locations[signature.name])
        if self._checks_time:
            self._check_time()
        message = self._join(signature.message)
        for name in sorted(self._signed & self._scheme.fields.keys()):
            if self._scheme.fields[name].jwt is not None:
                self._check_claims(name)
        self._check_query()
        self._check_absent()
        assert self._presented is not None  # set when the signature's location was extracted
        used = [part for step in self._steps for part in _atoms(step)] + list(message.parts)
        return ir.Program(
            title=f"{self._provider.title} ({self._scheme.title or self._scheme.name})",
            link=next(iter(self._provider.docs), ""),
            headers=any(
                isinstance(s, ir.ReadHeader | ir.ReadHeaders)
                or (isinstance(s, Let) and isinstance(s.value, ir_values.SignedHeaders))
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
            public_form=key.public_form if isinstance(key, AsymmetricKeySpec) else None,
            notes=tuple(self._notes()),
        )

    # --- fields ------------------------------------------------------------------------------------------

    def _join(self, text: str) -> Join:
        """Return the parts of a template."""
        parts: list[ir_values.Atom] = []
        for segment in Template(text).segments:
            parts += self._field(segment.name) if isinstance(segment, Field) else [Text(segment)]
        return Join(tuple(parts))

    def _field(self, name: str) -> tuple[ir_values.Atom, ...]:
        if name not in self._fields:
            self._compile_field(name)
        return self._fields[name]

    def _compile_field(self, name: str) -> None:
        spec = self._scheme.fields.get(name)
        if spec is not None and spec.jwt is None:
            self._compile_computed(name, spec)
        elif name == "body":
            self._fields[name] = (Body(),)
        elif name == "url":
            self._parameter(name, "the full URL as the sender called it, with its query")
        elif name == "method":
            self._parameter(name, "the HTTP method in capitals, such as POST")
        elif name in BUILT_IN:
            self._compile_built_in(name)
        elif name in self._locations:
            self._extract(self._locations[name])
        elif name in self._provider.parts:
            self._parameter(name, "signed, and not sent: from the provider's settings")
        else:
            raise UnsupportedScheme(
                f"{self._provider.title} signs {{{name}}}, which its requests do not carry; "
                "check them with hook_widgets.webhooks.verify instead"
            )

    def _compile_computed(self, name: str, spec: Derived) -> None:
        if spec.text is not None:
            self._fields[name] = self._join(spec.text).parts
            return
        value: ir_values.Value
        if spec.json_path is not None:
            value = ir_values.JsonValue(self._document(), json_path(spec.json_path), spec.missing or "")
        elif spec.lines is not None:
            value = ir_values.JsonLines(self._document(), spec.lines)
        elif spec.form is not None:
            value = ir_values.FormValue(self._form(), spec.form)
        elif spec.hash is not None:
            value = ir_values.Digest(spec.hash, self._join(spec.of), spec.write)
        elif spec.when_query is not None:
            value = ir_values.IfNotEmpty(self._field_variable("query"), Join((Text(spec.when_query),)))
            if spec.and_form:
                variable = self._new_variable("with_query")
                self._let(variable, value)
                value = ir_values.IfNotEmpty(self._field_variable("sorted_form"), Join((Variable(variable),)))
        elif spec.signed_headers is not None:
            value = ir_values.SignedHeaders(spec.signed_headers)
        else:
            raise UnsupportedScheme(
                f"{self._provider.title} signs {{{name}}}, its time in another unit, which a receiver cannot "
                "know; check its requests with hook_widgets.webhooks.verify instead"
            )
        self._define(name, value)

    def _compile_built_in(self, name: str) -> None:
        match name:
            case "body_sha256":
                self._define(name, ir_values.Digest("sha256", Join((Body(),)), HashEncoding.HEX))
            case "sorted_form":
                self._define(name, ir_values.SortedForm(self._form()))
            case "url_base":
                self._field("url")
                self._define(name, ir_values.UrlPart("base"))
            case "query" | "path" | "host":
                self._field("url")
                self._define(name, ir_values.UrlPart(name))
            case "decoded_query":
                self._define(name, ir_values.SortedPairs(self._query_form()))
            case "sorted_query":
                self._define(name, ir_values.SortedQuery(self._field_variable("query")))
            case "path_and_query":
                self._fields[name] = self._path_and(self._field_variable("query"))
            case "path_with_escaped_query":
                query = self._new_variable("escaped_query")
                self._let(query, ir_values.Escaped(Join(self._field("query")), URI_COMPONENT))
                self._define(name, ir_values.Escaped(Join(self._path_and(query)), URI))
            case _:
                raise UnsupportedScheme(
                    f"no receiver can be written for the field {{{name}}} yet; "
                    "check the requests with hook_widgets.webhooks.verify instead"
                )

    def _path_and(self, query: str) -> tuple[ir_values.Atom, ...]:
        path, mark = self._field("path"), self._new_variable("question_mark")
        self._let(mark, ir_values.IfNotEmpty(self._field_variable("query"), Join((Text("?"),))))
        return (*path, Variable(mark), Variable(query))

    def _field_variable(self, field: str) -> str:
        """Return the variable of a field, compiling the field first if necessary."""
        self._field(field)
        return self._variable_of(field)

    # --- checks ------------------------------------------------------------------------------------------

    def _check_time(self) -> None:
        scheme = self._scheme
        in_token = (
            any(f.jwt is not None for f in scheme.fields.values()) and "timestamp" not in self._locations
        )
        if not in_token and scheme.timestamp is not None and scheme.tolerance_s is not None:
            variable = self._field_variable("timestamp")
            self._steps.append(ir.CheckTime(variable, scheme.timestamp, scheme.tolerance_s))

    def _check_claims(self, name: str) -> None:
        """Check the claims of the token against the request."""
        jwt, scheme = self._scheme.fields[name].jwt, self._scheme
        assert jwt is not None
        checked = {
            claim: template
            for claim, template in jwt.templates.items()
            if not isinstance(jwt.claims[claim], NumberClaim) and self._is_known(template)
        }
        numbers = {n: c for n, c in jwt.claims.items() if isinstance(c, NumberClaim)}
        time = min(numbers, key=lambda n: numbers[n].plus_s) if numbers and scheme.tolerance_s else ""
        if not checked and not time and not scheme.absent.claims:
            return
        claims = self._new_variable("claims", own=True)
        self._steps.append(ir.ParseJson(claims, Variable(self._field_variable(name)), claims=True))
        for claim, template in checked.items():
            expected = self._join(template.text)
            variable = self._new_variable(f"{claim}_claim")
            self._let(variable, ir_values.JsonValue(claims, (claim,)))
            self._steps.append(ir.CheckEqual(variable, expected))
        for claim in scheme.absent.claims:
            self._check_empty(f"{claim}_claim", ir_values.JsonValue(claims, (claim,)))
        if time and scheme.timestamp is not None and scheme.tolerance_s is not None:
            variable = self._new_variable(f"{time}_claim")
            self._let(variable, ir_values.JsonValue(claims, (time,)))
            shift = -numbers[time].plus_s
            self._steps.append(ir.CheckTime(variable, scheme.timestamp, scheme.tolerance_s, shift))

    def _is_known(self, template: Template) -> bool:
        """Return True if a receiver can compute all fields of a template."""
        sources = self._expand_computed(template.names)
        return all(
            name in BUILT_IN or name in ("body", "url", "method") or name in self._scheme.fields
            for name in sources
        )

    def _check_query(self) -> None:
        """Check the signed query parameters, and those that bind the body to the URL, against the request."""
        for name, text in self._scheme.bound_query.items():
            form = self._query_form()
            variable = self._new_variable(_parameter(name))
            self._let(variable, ir_values.FormValue(form, name))
            self._steps.append(ir.CheckEqual(variable, self._join(text)))

    def _check_absent(self) -> None:
        """Reject parts that no request of the scheme has, except claims, which `_check_claims` checks."""
        if self._scheme.absent.body:
            self._steps.append(ir.CheckEmpty(Body()))
        for name in self._scheme.absent.query:
            self._check_empty(_parameter(name), ir_values.FormValue(self._query_form(), name))

    def _check_empty(self, name: str, value: ir_values.Value) -> None:
        variable = self._new_variable(name)
        self._let(variable, value)
        self._steps.append(ir.CheckEmpty(Variable(variable)))

    def _query_form(self) -> str:
        """Return the variable with the parsed query of the URL."""
        if "parameters" not in self._used_names:
            query = Variable(self._field_variable("query"))
            self._steps.append(ir.ParseForm(self._new_variable("parameters", own=True), query))
        return "parameters"

    def _notes(self) -> list[str]:
        repeated = [s.header for s in self._steps if isinstance(s, ir.ReadHeader) and s.repeated]
        if repeated:
            return [f"{repeated[0]} may stand there twice; headers: join its values with a comma."]
        if self._signature.algorithm.reveals_secret:
            return ["Nothing is signed: the request carries the secret itself, so insist on HTTPS."]
        fields = [self._scheme.fields[name] for name in self._signed & self._scheme.fields.keys()]
        signs_body = "body" in self._signed or any(f.form is not None or f.lines is not None for f in fields)
        if signs_body or any(isinstance(step, ir.CheckEqual) for step in self._steps):
            return []
        return ["The body is not signed as a whole: trust no more of it than what is part of the message."]


def _parameter(name: str) -> str:
    """Return a variable name for a parameter of the URL."""
    return re.sub(r"\W", "_", f"{name}_parameter".lower())


def _atoms(step: ir.Step) -> tuple[ir_values.Atom, ...]:
    """Return the values that a step reads, for the steps that may read the body."""
    match step:
        case Let(value=Join() as join) | ir.CheckEqual(right=join):
            return join.parts
        case Let(value=ir_values.Digest(data=join) | ir_values.Escaped(text=join)):
            return join.parts
        case ir.ParseJson(source=source) | ir.ParseForm(source=source) | ir.CheckEmpty(source=source):
            return (source,)
    return ()
