"""The base of every record that is read from a ``provider.toml``."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A strict, frozen record: a key that it does not know is an error, to find slips of the pen."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
