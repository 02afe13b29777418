"""Compile the fields that a receiver computes from a request."""

from __future__ import annotations

from hook_widgets.errors import UnsupportedScheme
from hook_widgets.webhooks.body.template import Field, Template
from hook_widgets.webhooks.codegen import ir_values
from hook_widgets.webhooks.codegen.extraction import FieldExtractor, json_path
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable
from hook_widgets.webhooks.scheme.computed_fields import Derived, HashEncoding
from hook_widgets.webhooks.scheme.fields import BUILT_IN, URI, URI_COMPONENT


class FieldCompiler(FieldExtractor):
    """A step builder for every field of a template, extracted or computed."""

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
            value = ir_values.IfNotEmpty(self._field_variable("query"), spec.when_query)
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
        self._let(mark, ir_values.IfNotEmpty(self._field_variable("query"), "?"))
        return (*path, Variable(mark), Variable(query))

    def _field_variable(self, field: str) -> str:
        """Return the variable of a field, compiling the field first if necessary."""
        self._field(field)
        return self._variable_of(field)
