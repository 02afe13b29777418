"""The root record of a ``provider.toml``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from hook_widgets.webhooks.requests.handshake import Handshake
from hook_widgets.webhooks.requests.kind import Kind
from hook_widgets.webhooks.samples.variation import Param
from hook_widgets.webhooks.scheme import (
    AsymmetricKeySpec,
    CurrentVersion,
    DeliveryRules,
    Event,
    Evidence,
    HeaderGaps,
    Part,
    ResponseRules,
    RetryRules,
    Scheme,
    SchemeConfidence,
    Serializer,
    SharedSecretSpec,
)
from hook_widgets.webhooks.scheme.record import Record


@dataclass(frozen=True, kw_only=True)
class ProviderSpec(Record):
    """The data of a provider; see `Provider` for the other fields.

    Attributes:
        confidence: who accepts the signatures: `Confidence.scheme`.
        inherits: the id of a provider whose key, schemes and parts it uses, and its events if it lists none.
        replaces: True if it may replace a provider with the same id; only for the user's own files.
    """

    id: str
    kind: Kind
    title: str
    confidence: SchemeConfidence
    key: Annotated[SharedSecretSpec | AsymmetricKeySpec, Field(discriminator="type")]
    schemes: tuple[Scheme, ...]
    events: tuple[Event, ...]
    docs: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    parts: dict[str, Part] = field(default_factory=dict)
    params: dict[str, Param] = field(default_factory=dict)
    handshakes: tuple[Handshake, ...] = ()
    responses: ResponseRules = ResponseRules()  # noqa: RUF009 - it is frozen
    serializer: Serializer | None = None
    deliveries: DeliveryRules = DeliveryRules()  # noqa: RUF009 - it is frozen
    retries: RetryRules = RetryRules()  # noqa: RUF009 - it is frozen
    current: CurrentVersion = CurrentVersion()  # noqa: RUF009 - it is frozen
    header_gaps: HeaderGaps = HeaderGaps()  # noqa: RUF009 - it is frozen
    evidence: Evidence = Evidence()  # noqa: RUF009 - it is frozen
    inherits: str | None = None
    replaces: bool = False
