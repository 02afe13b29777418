"""Swagger 2.0 in the terms of OpenAPI 3: bodies, media types, styles and servers have other names there.

Definitions stay where they are, so that references in schemas need no change.
"""

from __future__ import annotations

from collections.abc import Mapping

from hook_widgets.versioning.changes.openapi.operations import METHODS
from hook_widgets.versioning.changes.openapi.place import Place, Root, child

_JSON = "application/json"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_SCHEMA = frozenset(
    {"type", "format", "items", "default", "enum", "multipleOf", "pattern", "uniqueItems"}
    | {"maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"}
    | {"maxLength", "minLength", "maxItems", "minItems"}
)
_STYLES = {"ssv": "spaceDelimited", "pipes": "pipeDelimited", "tsv": "tabDelimited"}
_FLOWS = {"application": "clientCredentials", "accessCode": "authorizationCode"}


def converted(document: Mapping[str, object], name: str) -> Root:
    """The document as OpenAPI 3.0.

    Args:
        document: a parsed document of version 2.0.
        name: ``"old"`` or ``"new"``.

    Raises:
        InvalidDocument: it has not the form of one, or a reference in it leads nowhere.

    >>> converted({"swagger": "2.0", "host": "api.example.com", "basePath": "/v1"}, "old").value["servers"]
    [{'url': 'https://api.example.com/v1'}]
    """
    top = Place(document, "", Root(document, name, "3.0", {}))
    made = _Making(top)
    paths = {path: made.item(place) for path, place in top.member("paths").members(follow=False).items()}
    schemes = {key: _scheme(place) for key, place in top.member("securityDefinitions").members().items()}
    made.written["/components/securitySchemes"] = "/securityDefinitions"
    made.written["/servers"] = "/host" if top.text("host") else "/basePath"
    value = {
        **document,
        "openapi": "3.0.3",
        "servers": _servers(top),
        "paths": paths,
        "components": {"securitySchemes": schemes},
    }
    return Root(value, name, "3.0", made.written)


class _Making:
    """Paths of OpenAPI 3, and where their generated parts were written."""

    def __init__(self, top: Place) -> None:
        self._top = top
        self.written: dict[str, str] = {}

    def item(self, place: Place) -> dict[str, object]:
        target = place.followed()
        members = target.members()
        shared = members["parameters"].items() if "parameters" in members else []
        made: dict[str, object] = {}
        for name, member in members.items():
            pointer = child(place.pointer, name)
            made[name] = self._operation(member, shared, pointer) if name in METHODS else member.value
            self.written.setdefault(pointer, member.pointer)
        made.pop("parameters", None)  # each operation has them now
        return made

    def _operation(self, operation: Place, shared: list[Place], pointer: str) -> dict[str, object]:
        operation.members(follow=False)
        made: dict[str, object] = dict(operation.value) if isinstance(operation.value, Mapping) else {}
        every = {
            (each.text("in"), each.text("name")): each
            for each in [*shared, *operation.at("parameters").items()]
        }
        plain: list[dict[str, object]] = []
        form: list[Place] = []
        for (located, _), parameter in every.items():
            if located == "body":
                self._put_body(made, operation, parameter, pointer)
            elif located == "formData":
                form.append(parameter)
            else:
                self.written[f"{pointer}/parameters/{len(plain)}/schema"] = parameter.pointer
                self.written[f"{pointer}/parameters/{len(plain)}"] = parameter.pointer
                plain.append(_parameter(parameter))
        if form:
            self._put_form(made, operation, form, pointer)
        made["parameters"] = plain
        made["responses"] = {
            status: self._response(operation, response, f"{pointer}/responses/{status}")
            for status, response in operation.at("responses").members().items()
        }
        return made

    def _put_body(self, made: dict[str, object], operation: Place, body: Place, pointer: str) -> None:
        media = {"schema": body.at("schema").value}
        made["requestBody"] = {
            "description": body.at("description").value,
            "required": body.flag("required"),
            "content": dict.fromkeys(self._types(operation, "consumes"), media),
        }
        self.written[f"{pointer}/requestBody"] = body.pointer
        for name in self._types(operation, "consumes"):
            self.written[child(f"{pointer}/requestBody/content", name)] = body.pointer

    def _put_form(self, made: dict[str, object], operation: Place, form: list[Place], pointer: str) -> None:
        schema = {
            "type": "object",
            "properties": {field.text("name"): _schema(field) for field in form},
            "required": [field.text("name") for field in form if field.flag("required")],
        }
        types = [name for name in self._types(operation, "consumes") if name in _FORMS]
        if not types:
            types = [_FORMS[any(field.text("type") == "file" for field in form)]]
        made["requestBody"] = {
            "required": any(field.flag("required") for field in form),
            "content": {name: {"schema": schema} for name in types},
        }
        self.written[f"{pointer}/requestBody"] = f"{operation.pointer}/parameters"
        for name in types:
            place = child(f"{pointer}/requestBody/content", name) + "/schema"
            self.written[place] = f"{operation.pointer}/parameters"
            for field in form:
                self.written[child(f"{place}/properties", field.text("name"))] = field.pointer

    def _response(self, operation: Place, response: Place, pointer: str) -> dict[str, object]:
        made: dict[str, object] = {"description": response.at("description").value}
        self.written[pointer] = response.pointer
        schema = response.at("schema")
        if schema.exists:
            whole = _schema(schema) if schema.followed().value == {"type": "file"} else schema.value
            made["content"] = {name: {"schema": whole} for name in self._types(operation, "produces")}
            for name in self._types(operation, "produces"):
                self.written[child(f"{pointer}/content", name)] = response.pointer
        headers = response.at("headers").members()
        if headers:
            made["headers"] = {
                name: {"description": header.at("description").value, "schema": _schema(header)}
                for name, header in headers.items()
            }
            for name, header in headers.items():
                self.written[child(f"{pointer}/headers", name) + "/schema"] = header.pointer
        return made

    def _types(self, operation: Place, word: str) -> list[str]:
        own = operation.at(word)
        names = (own if own.exists else self._top.at(word)).items()
        for name in names:
            if not isinstance(name.value, str):
                raise name.wrong("a media type")
        return [str(name.value) for name in names] or [_JSON]


def _parameter(parameter: Place) -> dict[str, object]:
    members = {name: place.value for name, place in parameter.members(follow=False).items()}
    made = {name: value for name, value in members.items() if name not in _SCHEMA | {"collectionFormat"}}
    if parameter.at("x-sunset").exists:
        made["x-sunset"] = parameter.at("x-sunset").value
    made["schema"] = _schema(parameter)
    separator = parameter.text("collectionFormat")
    if members.get("type") == "array":
        plain = "form" if parameter.text("in") in ("query", "cookie") else "simple"
        made["style"] = _STYLES.get(separator, plain)
        made["explode"] = separator == "multi"
    return made


def _schema(place: Place) -> dict[str, object]:
    members = place.members(follow=False)
    made = {name: members[name].value for name in members if name in _SCHEMA}
    return {"type": "string", "format": "binary"} if made.get("type") == "file" else made


def _servers(top: Place) -> list[dict[str, str]]:
    host, base = top.text("host"), top.text("basePath")
    if not host:
        return [{"url": base}] if base else []
    schemes = [str(scheme.value) for scheme in top.at("schemes").items()] or ["https"]
    return [{"url": f"{scheme}://{host}{base}"} for scheme in schemes]


def _scheme(place: Place) -> dict[str, object]:
    made = {name: member.value for name, member in place.members(follow=False).items()}
    if made.get("type") == "basic":
        return {**made, "type": "http", "scheme": "basic"}
    if made.get("type") == "oauth2":
        flow = place.text("flow")
        urls = {name: made.pop(name) for name in ("authorizationUrl", "tokenUrl", "scopes") if name in made}
        made.pop("flow", None)
        return {**made, "flows": {_FLOWS.get(flow, flow): urls}}
    return made
