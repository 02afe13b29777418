"""Convert Swagger 2.0 to the structure of OpenAPI 3.

Bodies, media types, styles and servers are converted. Definitions stay in place, so that references in
schemas remain valid.
"""

from __future__ import annotations

from collections.abc import Mapping

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.openapi.document.located import Place, Root, child
from hook_widgets.versioning.compat.openapi.operations import METHODS

_JSON = "application/json"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_SCHEMA = frozenset(
    {"type", "format", "items", "default", "enum", "multipleOf", "pattern", "uniqueItems"}
    | {"maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"}
    | {"maxLength", "minLength", "maxItems", "minItems"}
)
_STYLES = {"ssv": "spaceDelimited", "pipes": "pipeDelimited", "tsv": "tabDelimited"}
_FLOWS = {"application": "clientCredentials", "accessCode": "authorizationCode"}


def convert_swagger(document: Mapping[str, object], name: str) -> Root:
    """Convert a document to OpenAPI 3.0.

    >>> document = {"swagger": "2.0", "host": "api.example.com", "basePath": "/v1"}
    >>> convert_swagger(document, "old").value["servers"]
    [{'url': 'https://api.example.com/v1'}]
    """
    top = Place(document, "", Root(document, name, "3.0", {}))
    converter = _SwaggerConverter(top)
    paths = {
        path: converter.path_item(place) for path, place in top.member("paths").members(follow=False).items()
    }
    schemes = {key: _scheme(place) for key, place in top.member("securityDefinitions").entries().items()}
    converter.source_pointers["/components/securitySchemes"] = "/securityDefinitions"
    converter.source_pointers["/servers"] = "/host" if top.text("host") else "/basePath"
    value = {
        **document,
        "openapi": "3.0.3",
        "servers": _servers(top, top.at("schemes")),
        "paths": paths,
        "components": {"securitySchemes": schemes},
    }
    return Root(value, name, "3.0", converter.source_pointers, top.root.unresolved)


class _SwaggerConverter:
    """Converter for paths, which records the source pointers of the generated parts."""

    def __init__(self, top: Place) -> None:
        self._top = top
        self.source_pointers: dict[str, str] = {}

    def path_item(self, place: Place) -> dict[str, object]:
        target = place.followed()
        members = target.members()
        shared = members["parameters"].items() if "parameters" in members else []
        result: dict[str, object] = {}
        for name, member in members.items():
            pointer = child(place.pointer, name)
            result[name] = self._operation(member, shared, pointer) if name in METHODS else member.value
            self.source_pointers.setdefault(pointer, member.pointer)
        result.pop("parameters", None)  # merged into each operation
        return result

    def _operation(self, operation: Place, shared: list[Place], pointer: str) -> dict[str, object]:
        result = {name: place.value for name, place in operation.entries(follow=False).items()}
        parameters = {
            (parameter.text("in"), parameter.text("name")): parameter
            for parameter in [*shared, *operation.at("parameters").items()]
            if parameter.known
        }
        plain: list[dict[str, object]] = []
        form: list[Place] = []
        for (location, _), parameter in parameters.items():
            if location == "body":
                self._put_body(result, operation, parameter, pointer)
            elif location == "formData":
                form.append(parameter)
            else:
                self.source_pointers[f"{pointer}/parameters/{len(plain)}/schema"] = parameter.pointer
                self.source_pointers[f"{pointer}/parameters/{len(plain)}"] = parameter.pointer
                plain.append(_parameter(parameter))
        if form:
            self._put_form(result, operation, form, pointer)
        if (schemes := operation.at("schemes")).exists:
            result["servers"] = _servers(self._top, schemes)
            self.source_pointers[f"{pointer}/servers"] = schemes.pointer
        result["parameters"] = plain
        result["responses"] = {
            status: self._response(operation, response, f"{pointer}/responses/{status}")
            for status, response in operation.at("responses").members().items()
        }
        return result

    def _put_body(self, result: dict[str, object], operation: Place, body: Place, pointer: str) -> None:
        media = {"schema": body.at("schema").value}
        result["requestBody"] = {
            "description": body.at("description").value,
            "required": body.flag("required"),
            "content": dict.fromkeys(self._types(operation, "consumes"), media),
        }
        self.source_pointers[f"{pointer}/requestBody"] = body.pointer
        for name in self._types(operation, "consumes"):
            self.source_pointers[child(f"{pointer}/requestBody/content", name)] = body.pointer

    def _put_form(self, result: dict[str, object], operation: Place, form: list[Place], pointer: str) -> None:
        schema = {
            "type": "object",
            "properties": {field.text("name"): _schema(field, "description") for field in form},
            "required": [field.text("name") for field in form if field.flag("required")],
        }
        encoding = {field.text("name"): style for field in form if (style := _style(field))}
        types = [name for name in self._types(operation, "consumes") if name in _FORMS]
        if not types:
            types = [_FORMS[any(field.text("type") == "file" for field in form)]]
        result["requestBody"] = {
            "required": any(field.flag("required") for field in form),
            "content": {name: {"schema": schema, "encoding": encoding} for name in types},
        }
        self.source_pointers[f"{pointer}/requestBody"] = f"{operation.pointer}/parameters"
        for name in types:
            place = child(f"{pointer}/requestBody/content", name) + "/schema"
            self.source_pointers[place] = f"{operation.pointer}/parameters"
            for field in form:
                self.source_pointers[child(f"{place}/properties", field.text("name"))] = field.pointer

    def _response(self, operation: Place, response: Place, pointer: str) -> dict[str, object]:
        result: dict[str, object] = {"description": response.at("description").value}
        self.source_pointers[pointer] = response.pointer
        schema = response.at("schema")
        if schema.exists:
            converted = _schema(schema) if schema.followed().value == {"type": "file"} else schema.value
            result["content"] = {name: {"schema": converted} for name in self._types(operation, "produces")}
            for name in self._types(operation, "produces"):
                self.source_pointers[child(f"{pointer}/content", name)] = response.pointer
        headers = response.at("headers").entries()
        result["headers"] = {
            name: {"description": header.at("description").value, "schema": _schema(header), **_style(header)}
            for name, header in headers.items()
        }
        for name, header in headers.items():
            self.source_pointers[child(f"{pointer}/headers", name) + "/schema"] = header.pointer
        return result

    def _types(self, operation: Place, word: str) -> list[str]:
        own = operation.at(word)
        spend(5)
        names = (own if own.exists else self._top.at(word)).items()
        for name in names:
            if not isinstance(name.value, str):
                raise name.wrong("a media type")
        return [str(name.value) for name in names] or [_JSON]


def _parameter(parameter: Place) -> dict[str, object]:
    members = parameter.entries(follow=False)
    result = {name: members[name].value for name in members if name not in _SCHEMA | {"collectionFormat"}}
    return result | {"schema": _schema(parameter)} | _style(parameter)


def _style(place: Place) -> dict[str, object]:
    if place.at("type").value != "array":
        return {}
    separator = place.text("collectionFormat")
    plain = "form" if place.text("in") in ("query", "formData") else "simple"
    return {"style": _STYLES.get(separator, plain), "explode": separator == "multi"}


def _schema(place: Place, *more: str) -> dict[str, object]:
    members = place.members(follow=False)
    result = {name: members[name].value for name in members if name in _SCHEMA or name in more}
    return {"type": "string", "format": "binary"} if result.get("type") == "file" else result


def _servers(top: Place, schemes: Place) -> list[dict[str, str]]:
    host, base = top.text("host"), top.text("basePath")
    if not host:
        return [{"url": base}] if base else []
    names = [str(scheme.value) for scheme in schemes.items()] or ["https"]
    return [{"url": f"{name}://{host}{base}"} for name in names]


def _scheme(place: Place) -> dict[str, object]:
    result = {name: member.value for name, member in place.members(follow=False).items()}
    if result.get("type") == "basic":
        return {**result, "type": "http", "scheme": "basic"}
    if result.get("type") == "oauth2":
        flow = place.text("flow")
        urls = {
            name: result.pop(name) for name in ("authorizationUrl", "tokenUrl", "scopes") if name in result
        }
        return {**result, "flows": {_FLOWS.get(flow, flow): urls}}
    return result
