"""Whether a document is a JSON Schema at all: by the meta-schema of its draft and the library jsonschema.

A meta-schema judges each keyword of each schema by itself, so each is asked about once: a large document has
thousands of keywords, but few that differ in more than their words. Asked as a whole, the library would take
many seconds for a megabyte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidDocument
from hook_widgets.libraries import needed
from hook_widgets.versioning.changes.reading import canonical
from hook_widgets.versioning.changes.refs import Dialect, Scope, dialect_of, escape

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_GUESSED = (Dialect.DRAFT2020, Dialect.DRAFT7, Dialect.DRAFT4)
_MAPS = frozenset(
    {
        "$defs",
        "definitions",
        "properties",
        "patternProperties",
        "dependentSchemas",
        "dependencies",
    }
)
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_SINGLE = frozenset(
    {
        "items",
        "additionalItems",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "contentSchema",
    }
)
_TOGETHER = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}  # of draft 4


def schema_scope(document: object, *, name: str = "given") -> Scope:
    """A checked schema. One that names no draft is read as the newest draft that it is right for.

    Args:
        document: the schema.
        name: which one it is, for messages; the ``field`` of errors.

    Raises:
        InvalidDocument: the draft is not known, or the schema is wrong; says where.

    >>> schema_scope({"maximum": 5, "exclusiveMaximum": True}).dialect.name
    'DRAFT4'
    """
    named = document.get("$schema") if isinstance(document, dict) else None
    if isinstance(named, str):
        dialect = dialect_of(document)
        if dialect is None:
            known = ", ".join(each.value for each in _GUESSED)
            raise InvalidDocument(
                f"The {name} document has the $schema {named[:80]!r}, which is not known. Choose from "
                f"{known}.",
                field=name,
            )
        problem = _problem(document, dialect)
    else:
        found = [(_GUESSED[0], _problem(document, _GUESSED[0]))]
        if found[0][1]:
            found += [(dialect, _problem(document, dialect)) for dialect in _GUESSED[1:]]
        dialect, problem = next((pair for pair in found if not pair[1]), found[0])
    if problem:
        raise InvalidDocument(f"The {name} document is no JSON Schema: {problem}.", field=name)
    return Scope(document, dialect=dialect, name=name)


def _problem(document: object, dialect: Dialect) -> str:
    """What is wrong by the meta-schema of the draft, or nothing."""
    validator = _validator(dialect)
    fine: set[tuple[str, str]] = set()
    waiting: list[tuple[object, str]] = [(document, "")]
    while waiting:
        schema, pointer = waiting.pop()
        if isinstance(schema, bool) and (pointer or dialect.base is not Dialect.DRAFT4):
            continue
        if not isinstance(schema, dict):
            return f"at {pointer or 'its top'}: a schema is an object, or true or false"
        for word, value in schema.items():
            shallow, below = _shallow(word, value)
            waiting += [(each, f"{pointer}/{escape(word)}{step}") for step, each in below]
            also = {_TOGETHER[word]: 0} if word in _TOGETHER and _TOGETHER[word] in schema else {}
            key = word, canonical([shallow, also])
            if key not in fine:
                error = next(
                    validator.iter_errors(
                        {word: shallow, **also}  # type: ignore[dict-item]
                    ),
                    None,
                )
                if error is not None:
                    place = pointer + "".join(f"/{escape(str(step))}" for step in error.absolute_path)
                    return f"at {place or 'its top'}: {error.message[:200]}"
                fine.add(key)
    return ""


def _shallow(word: str, value: object) -> tuple[object, list[tuple[str, object]]]:
    """A keyword's value without the schemas in it, and these with their places."""
    if word in _MAPS and isinstance(value, dict):
        schemas = {name: below for name, below in value.items() if isinstance(below, dict)}
        rest = {name: below for name, below in value.items() if name not in schemas}
        empty: dict[str, object] = {"": {}} if schemas else {}
        return empty | rest, [(f"/{escape(name)}", below) for name, below in schemas.items()]
    if word in _LISTS and isinstance(value, list):
        items = [{} if isinstance(below, dict) else below for below in value]
        return items, [(f"/{index}", below) for index, below in enumerate(value) if isinstance(below, dict)]
    if word in _SINGLE and isinstance(value, dict):
        return {}, [("", value)]
    return ("" if isinstance(value, str) and word in ("title", "description", "$comment") else value), []


def _validator(dialect: Dialect) -> Validator:
    jsonschema = needed("jsonschema", "jsonschema", "Comparing schemas", InvalidDocument)
    cls = {
        Dialect.DRAFT4: jsonschema.Draft4Validator,
        Dialect.DRAFT6: jsonschema.Draft6Validator,
        Dialect.DRAFT7: jsonschema.Draft7Validator,
        Dialect.DRAFT2019: jsonschema.Draft201909Validator,
        Dialect.DRAFT2020: jsonschema.Draft202012Validator,
    }[dialect.base]
    validator: Validator = cls(cls.META_SCHEMA)
    return validator
