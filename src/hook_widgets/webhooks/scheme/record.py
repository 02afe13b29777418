"""The base class of all records that are read from a ``provider.toml``."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A strict, frozen record: an unknown key is an error, so that typing mistakes are reported."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True)
