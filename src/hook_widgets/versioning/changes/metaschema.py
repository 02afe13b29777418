"""Whether a document is a JSON Schema at all: by the meta-schema of its draft and the library jsonschema."""

from __future__ import annotations

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes.refs import Dialect, Scope, dialect_of, escape

_OLDER = (Dialect.DRAFT2020, Dialect.DRAFT7, Dialect.DRAFT4)


def schema_scope(document: object, *, name: str = "given") -> Scope:
    """A checked schema. One that names no draft is read as the newest draft that it is right for.

    Args:
        document: the schema.
        name: what it is called in messages, and the ``field`` of errors.

    Raises:
        InvalidDocument: the draft is not known, or the schema is wrong; says where.

    >>> schema_scope({"maximum": 5, "exclusiveMaximum": True}).dialect.name
    'DRAFT4'
    """
    named = document.get("$schema") if isinstance(document, dict) else None
    if isinstance(named, str):
        dialect = dialect_of(document)
        if dialect is None:
            known = ", ".join(each.value for each in _OLDER)
            raise InvalidDocument(
                f"The {name} document has the $schema {named[:80]!r}, which is not known here. Choose from {known}.",
                field=name,
            )
        problem = _problem(document, dialect)
    else:
        found = [(dialect, _problem(document, dialect)) for dialect in _OLDER[:1]]
        if found[0][1]:
            found += [(dialect, _problem(document, dialect)) for dialect in _OLDER[1:]]
        dialect, problem = next((pair for pair in found if not pair[1]), found[0])
    if problem:
        raise InvalidDocument(f"The {name} document is no JSON Schema: {problem}.", field=name)
    return Scope(document, dialect=dialect)


def _problem(document: object, dialect: Dialect) -> str:
    """What is wrong by the meta-schema of the draft, or nothing."""
    try:
        import jsonschema
    except ImportError:
        raise InvalidDocument("comparing schemas needs the package jsonschema; install jsonschema") from None
    validator = {
        Dialect.DRAFT4: jsonschema.Draft4Validator,
        Dialect.DRAFT6: jsonschema.Draft6Validator,
        Dialect.DRAFT7: jsonschema.Draft7Validator,
        Dialect.DRAFT2019: jsonschema.Draft201909Validator,
        Dialect.DRAFT2020: jsonschema.Draft202012Validator,
    }[dialect.base]
    if not isinstance(document, dict | bool):
        return "a schema is an object, or true or false"
    try:
        validator.check_schema(document)
    except jsonschema.SchemaError as error:
        place = "".join(f"/{escape(str(step))}" for step in error.absolute_path)
        return f"at {place or 'its top'}: {error.message[:200]}"
    except RecursionError:
        return "it is nested too deeply; move parts into $defs"
    return ""
