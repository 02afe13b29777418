"""The root record of a ``provider.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from hook_widgets.webhooks.requests.provider import ProviderData
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Scheme, SchemeConfidence, SharedSecretSpec
from hook_widgets.webhooks.scheme.record import Record


@dataclass(frozen=True, kw_only=True)
class ProviderSpec(ProviderData, Record):
    """The data of a provider; see `Provider` for the other fields.

    Attributes:
        confidence: who accepts the signatures: `Confidence.scheme`.
        inherits: the id of a provider whose key, schemes and parts it uses, and its events if it lists none.
        replaces: True if it may replace a provider with the same id; only for the user's own files.
    """

    id: str
    title: str
    confidence: SchemeConfidence
    key: Annotated[SharedSecretSpec | AsymmetricKeySpec, Field(discriminator="type")]
    schemes: tuple[Scheme, ...]
    inherits: str | None = None
    replaces: bool = False
