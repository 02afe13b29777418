"""Varying a sample body by a few meaningful values, without breaking its shape."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from hook_widgets.webhooks.record import Record


class ParamKind(StrEnum):
    """What a parameter's value is."""

    ID = "id"
    INTEGER = "integer"
    DECIMAL = "decimal"
    CURRENCY = "currency"
    EMAIL = "email"
    REPOSITORY = "repository"
    TIME = "time"
    TEXT = "text"


class Param(Record):
    """One thing that may be varied in a provider's bodies.

    Attributes:
        kind: what it is.
        title: its name for people.
        sample: the text that is replaced wherever it stands in a body.
        paths: or the JSON paths whose values are replaced; those that a body lacks are passed over.
    """

    kind: ParamKind
    title: str = ""
    sample: str = ""
    paths: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if bool(self.sample) == bool(self.paths):
            raise ValueError("give either sample or paths, to say where it stands in the bodies")
        return self
