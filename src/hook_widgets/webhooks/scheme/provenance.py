"""Records of a ``provider.toml`` beside the schemes: version, retries, and facts that could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from hook_widgets.webhooks.scheme.record import Limit, Record

_Positive = Annotated[int, Limit(gt=0)]
_NotNegative = Annotated[int, Limit(ge=0)]


@dataclass(frozen=True, kw_only=True)
class CurrentVersion(Record):
    """The version of a provider's webhooks that is the default today.

    Attributes:
        version: its name; "" if the provider has only one, or names none.
        read: the day on which the sources were read, as ``2026-11-22``; "" if it was not recorded.
        sources: URLs of the sources.
    """

    version: str = ""
    read: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RetryRules(Record):
    """The schedule on which a provider sends a failed delivery again.

    Attributes:
        retries: the number of retries after the first attempt, 0 for none; None if it is not published.
        delays_s: the pause before each retry, in seconds from the failure before it.
        period_s: the time during which it retries, in seconds; None if it is not published.
        in_order: True if the events after a failed one wait until it is delivered or given up.
        final_statuses: statuses of a response after which it does not retry.
        disabled_after: the number of failed attempts in a row after which the endpoint is disabled, or None.
        disabled_after_lost: the number of events given up in a row after which it is disabled, or None.
        disabled_after_s: the time with nothing but failures after which it is disabled, in seconds, or None.
        note: in words, what the numbers do not say.
        sources: URLs of the sources; without one, nothing is known.
    """

    retries: _NotNegative | None = None
    delays_s: tuple[_NotNegative, ...] = ()
    period_s: _Positive | None = None
    in_order: bool = False
    final_statuses: tuple[int, ...] = ()
    disabled_after: _Positive | None = None
    disabled_after_lost: _Positive | None = None
    disabled_after_s: _Positive | None = None
    note: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Gap(Record):
    """A fact about headers that the data lack, and what was done about it.

    Attributes:
        searched: where the fact was looked for in vain.
        sources: URLs of the sources which say that there is nothing to add.
    """

    searched: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The reason in words."""
        if self.sources:
            return f"read in: {', '.join(self.sources)}"
        if self.searched:
            return f"not confirmed; searched: {', '.join(self.searched)}"
        return "not confirmed"


@dataclass(frozen=True, kw_only=True)
class HeaderGaps(Record):
    """Facts about headers that the data lack, each with its reason.

    Attributes:
        user_agent: the User-Agent.
        order: the order of the headers.
        charset: the parameter ``charset`` of the Content-Type.
    """

    user_agent: Gap = Gap()
    order: Gap = Gap()
    charset: Gap = Gap()
