"""Kinds of providers."""

from __future__ import annotations

from enum import StrEnum


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
