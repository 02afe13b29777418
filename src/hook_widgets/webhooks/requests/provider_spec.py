"""The root record of a ``provider.toml``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from hook_widgets.webhooks.requests.handshake import Handshake
from hook_widgets.webhooks.samples.variation import Param
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Event, Part, Scheme, SharedSecretSpec
from hook_widgets.webhooks.scheme.record import Record


class Kind(StrEnum):
    """The subject area of a provider's webhooks; long lists of providers are filtered by it."""

    PAYMENT = "payment"
    CODE_HOSTING = "code-hosting"
    CHAT = "chat"
    STOREFRONT = "storefront"
    TELEPHONY = "telephony"
    EMAIL_DELIVERY = "email-delivery"
    MESSAGING_INTERACTION = "messaging-interaction"
    MAIL_DELIVERY = "mail-delivery"
    GENERIC = "generic"
    AI = "ai"
    AUTH = "auth"
    AUTOMATION = "automation"
    BANKING = "banking"
    BILLING = "billing"
    CI = "ci"
    CMS = "cms"
    COMMUNICATION = "communication"
    CRM = "crm"
    DOCUMENTS = "documents"
    FORMS = "forms"
    HOSTING = "hosting"
    HR = "hr"
    IDENTITY = "identity"
    INCIDENTS = "incidents"
    ISSUE_TRACKING = "issue-tracking"
    MESSAGING = "messaging"
    OBSERVABILITY = "observability"
    QUEUE = "queue"
    SCHEDULING = "scheduling"
    SOCIAL = "social"
    STORAGE = "storage"
    SUPPORT = "support"
    VIDEO = "video"


class ProviderSpec(Record):
    """The data of a provider; see `Provider` for the other fields.

    Attributes:
        inherits: the id of a provider whose key, schemes and parts it uses, and its events if it lists none.
        replaces: True if it may replace a provider with the same id; only for the user's own files.
    """

    id: str
    kind: Kind
    title: str
    confidence: Literal["sdk", "peer", "docs", "seed"]
    key: Annotated[SharedSecretSpec | AsymmetricKeySpec, Field(discriminator="type")]
    schemes: tuple[Scheme, ...]
    events: tuple[Event, ...]
    docs: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    parts: dict[str, Part] = Field(default_factory=dict)
    params: dict[str, Param] = Field(default_factory=dict)
    handshakes: tuple[Handshake, ...] = ()
    inherits: str | None = None
    replaces: bool = False
