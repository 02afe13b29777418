"""The fields that a receiver works out from a request, as steps."""

from __future__ import annotations

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.receiving import values
from hook_widgets.webhooks.receiving.taking import Taking, json_path
from hook_widgets.webhooks.receiving.values import Body, Join, Text, Variable
from hook_widgets.webhooks.scheme.derived import Derived, Write
from hook_widgets.webhooks.scheme.fields import BUILT_IN
from hook_widgets.webhooks.text.template import Field, Template

# What JavaScript's encodeURIComponent and encodeURI leave as they are, beside letters and digits.
_URI_COMPONENT = "-_.!~*'()"
_URI = _URI_COMPONENT + ";/?:@&=+$,#"


class Deriving(Taking):
    """Finds every field of a template, wherever it comes from."""

    def _join(self, text: str) -> Join:
        """A template's parts."""
        parts: list[values.Atom] = []
        for segment in Template(text).segments:
            parts += self._field(segment.name) if isinstance(segment, Field) else [Text(segment)]
        return Join(tuple(parts))

    def _field(self, name: str) -> tuple[values.Atom, ...]:
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
        value: values.Value
        if spec.json_path is not None:
            value = values.JsonValue(self._document(), json_path(spec.json_path), spec.missing or "")
        elif spec.lines is not None:
            value = values.JsonLines(self._document(), spec.lines)
        elif spec.form is not None:
            value = values.FormValue(self._form(), spec.form)
        elif spec.hash is not None:
            value = values.Digest(spec.hash, self._join(spec.of), spec.write)
        elif spec.when_query is not None:
            value = values.WhenFilled(self._text("query"), spec.when_query)
        elif spec.signed_headers is not None:
            value = values.SignedHeaders(spec.signed_headers)
        else:
            raise InvalidRequest(
                f"{self._provider.title} signs {{{name}}}, its time in another unit, which a receiver cannot "
                "know; check its requests with hook_widgets.webhooks.verify instead"
            )
        self._name(name, value)

    def _built_in(self, name: str) -> None:
        match name:
            case "body_sha256":
                self._name(name, values.Digest("sha256", Join((Body(),)), Write.HEX))
            case "sorted_form":
                self._name(name, values.SortedForm(self._form()))
            case "url_base":
                self._field("url")
                self._name(name, values.UrlPart("base"))
            case "query" | "path" | "host":
                self._field("url")
                self._name(name, values.UrlPart(name))
            case "sorted_query":
                self._name(name, values.SortedQuery(self._text("query")))
            case "path_and_query":
                self._known[name] = self._path_and(self._text("query"))
            case "path_with_escaped_query":
                query = self._new("escaped_query")
                self._let(query, values.Escaped(Join(self._field("query")), _URI_COMPONENT))
                self._name(name, values.Escaped(Join(self._path_and(query)), _URI))
            case _:
                raise InvalidRequest(
                    f"no receiver can be written for the field {{{name}}} yet; "
                    "check the requests with hook_widgets.webhooks.verify instead"
                )

    def _path_and(self, query: str) -> tuple[values.Atom, ...]:
        path, mark = self._field("path"), self._new("question_mark")
        self._let(mark, values.WhenFilled(self._text("query"), "?"))
        return (*path, Variable(mark), Variable(query))

    def _text(self, field: str) -> str:
        """The variable of a field; made if there is none yet."""
        self._field(field)
        return self._variable(field)
