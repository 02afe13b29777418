"""Validate JSON Schemas against the meta-schema of their draft with the library jsonschema.

A meta-schema constrains each keyword of each schema independently. So each distinct keyword and value is
validated only once: a large document has thousands of keywords, but few that differ in more than their names
and texts. Validating a document of one megabyte as a whole would take many seconds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hook_widgets._optional import require
from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.budget import charge_text, spend
from hook_widgets.versioning.compat.documents.references import Dialect, Scope, dialect_of, escape
from hook_widgets.versioning.compat.json_schema.normalization import canonical
from hook_widgets.versioning.compat.json_schema.normalized import COUNTS

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_CANDIDATES = (Dialect.DRAFT2020, Dialect.DRAFT7, Dialect.DRAFT4)
_MAPS = frozenset({
    "$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies",
    "dependentRequired",
})  # fmt: skip
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_SINGLE = frozenset({
    "items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties",
    "contains", "propertyNames", "not", "if", "then", "else", "contentSchema",
})  # fmt: skip
_TEXTS = frozenset(
    {"title", "description", "$comment", "$ref", "pattern", "format", "contentEncoding", "contentMediaType"}
)
KEYWORDS = _MAPS | _LISTS | _SINGLE | _TEXTS | set(COUNTS) | {
    "$id", "id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "$vocabulary",
    "enum", "type", "required", "minContains", "maxContains", "examples", "readOnly", "writeOnly",
    "deprecated",
}  # fmt: skip
"""The keywords that a meta-schema constrains."""
_MAX_LIST = 100
"""Longer lists are sampled instead of validated item by item."""
_WORDS = re.compile(r"[A-Za-z]+")
_DIGITS = re.compile(r"[0-9]+")
_COMPANIONS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}  # of draft 4


def schema_scope(document: object, *, name: str = "given") -> Scope:
    """Validate a schema and return its scope.

    A schema without ``$schema`` is read as the newest draft for which it is valid. `name` is the name of the
    document in messages, and the ``field`` of errors.

    >>> schema_scope({"maximum": 5, "exclusiveMaximum": True}).dialect.name
    'DRAFT4'
    """
    named = document.get("$schema") if isinstance(document, dict) else None
    if isinstance(named, str):
        dialect = dialect_of(document)
        if dialect is None:
            known = ", ".join(dialect.value for dialect in _CANDIDATES)
            raise InvalidDocument(
                f"the {name} document has the unknown $schema {named[:80]!r}; choose from {known}", field=name
            )
        problem = _problem(document, dialect)
    else:
        attempts = [(_CANDIDATES[0], _problem(document, _CANDIDATES[0]))]
        if attempts[0][1]:
            attempts += [(dialect, _problem(document, dialect)) for dialect in _CANDIDATES[1:]]
        dialect, problem = next((pair for pair in attempts if not pair[1]), attempts[0])
    if problem:
        raise InvalidDocument(f"the {name} document is not a JSON Schema: {problem}", field=name)
    return Scope(document, dialect=dialect, name=name)


def _problem(document: object, dialect: Dialect) -> str:
    """Return the first violation of the draft's meta-schema, or an empty string."""
    validator = _validator(dialect)
    valid: set[tuple[str, str]] = set()
    pending: list[tuple[object, str]] = [(document, "")]
    while pending:
        schema, pointer = pending.pop()
        if isinstance(schema, bool) and (pointer or dialect.base is not Dialect.DRAFT4):
            continue
        if not isinstance(schema, dict):
            return f"at {pointer or 'its top'}: a schema must be an object, or true or false"
        for keyword, value in schema.items():
            spend(2)
            if keyword not in KEYWORDS:
                continue
            shallow, below = _shallow(keyword, value)
            pending += [(subschema, charge_text(f"{pointer}/{keyword}{step}")) for step, subschema in below]
            companion = (
                {_COMPANIONS[keyword]: 0} if keyword in _COMPANIONS and _COMPANIONS[keyword] in schema else {}
            )
            key = keyword, canonical([_representative(keyword, shallow), companion])
            if key not in valid:
                spend(300 + 50 * len(shallow) if isinstance(shallow, dict | list) else 300)
                error = next(
                    validator.iter_errors(
                        {keyword: shallow, **companion}  # type: ignore[dict-item]
                    ),
                    None,
                )
                if error is not None:
                    place = pointer + "".join(f"/{escape(str(step))}" for step in error.absolute_path)
                    return f"at {place or 'its top'}: {error.message[:200]}"
                valid.add(key)
    return ""


def _shallow(keyword: str, value: object) -> tuple[object, list[tuple[str, object]]]:
    """Return a keyword's value without its subschemas, and the subschemas with their pointers."""
    if keyword in _MAPS and isinstance(value, dict):
        schemas = {name: below for name, below in value.items() if isinstance(below, dict)}
        rest = {name: _sample(below) for name, below in value.items() if name not in schemas}
        if len(rest) > _MAX_LIST:
            rest = dict({canonical(below): (name, below) for name, below in rest.items()}.values())
        empty: dict[str, object] = {"": {}} if schemas else {}
        return empty | rest, [(f"/{escape(name)}", below) for name, below in schemas.items()]
    if keyword in _LISTS and isinstance(value, list):
        items = _sample([{} if isinstance(below, dict) else below for below in value], keep_duplicate=False)
        return items, [(f"/{index}", below) for index, below in enumerate(value) if isinstance(below, dict)]
    if keyword in _SINGLE and isinstance(value, dict):
        return {}, [("", value)]
    return "" if isinstance(value, str) and keyword in _TEXTS else _sample(value), []


def _sample(value: object, *, keep_duplicate: bool = True) -> object:
    """Return one item of each type from a long list, and one duplicate if there is any.

    A meta-schema checks no more than the types and the uniqueness of such items.
    """
    if not isinstance(value, list) or len(value) <= _MAX_LIST:
        return value
    spend(len(value))
    types = {type(item): item for item in reversed(value)}
    sample = list(types.values())
    keys: set[str] = set()
    for item in value if keep_duplicate else ():
        key = canonical(item)
        if key in keys:
            return [*sample, item, item]
        keys.add(key)
    return sample


def _representative(keyword: str, value: object) -> object:
    """Map values that a meta-schema treats alike to one representative."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return ["number", (value > 0) - (value < 0), value == int(value)]
    if isinstance(value, str) and keyword != "type":
        # The patterns of meta-schemas only distinguish letters and digits.
        return _DIGITS.sub("0", _WORDS.sub("a", value))
    return value


def _validator(dialect: Dialect) -> Validator:
    jsonschema = require("jsonschema", "jsonschema", "comparing schemas", InvalidDocument)
    cls = jsonschema.validators.validator_for({"$schema": dialect.base.value})
    validator: Validator = cls(cls.META_SCHEMA)
    return validator
