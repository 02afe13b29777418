"""The base class of all records that are read from a ``provider.toml``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

_NAMES_IN_FILES = {"json_path": "json", "json_members": "json"}


def file_name(field: str) -> str:
    """Return the name of a record's field in a file.

    >>> file_name("json_path"), file_name("title")
    ('json', 'title')
    """
    return _NAMES_IN_FILES.get(field, field)


@dataclass(frozen=True, kw_only=True)
class Record:
    """A strict record: an unknown key is an error, so that typing mistakes are reported.

    Its subclasses are plain dataclasses, which pydantic validates when a file is read; nothing else loads
    pydantic, which takes longer than to verify a request.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "alias_generator": file_name,
    }


class Limit:
    """A constraint of a field's type, such as ``Annotated[int, Limit(gt=0)]``, in pydantic's words.

    Args:
        constraints: keys of pydantic's core schema.
    """

    def __init__(self, **constraints: int) -> None:
        self._constraints = constraints

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> Any:
        return handler(source) | self._constraints
