"""A sender of webhooks: when it sends a failed delivery again, and when it gives up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import InvalidArgument, InvalidArrivals
from hook_widgets.ratelimit import Duration
from hook_widgets.ratelimit.formatting import seconds
from hook_widgets.ratelimit.units import duration

if TYPE_CHECKING:
    from hook_widgets.webhooks import Provider
    from hook_widgets.webhooks.models import RetryRules

MOST_RETRIES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Sender:
    """The rules by which one system delivers webhooks to an endpoint.

    Attributes:
        delays_s: the pause before each retry, in seconds from the failure before it; none for no retries.
        timeout_s: the time within which a response must come, in seconds; None if there is no limit.
        accepted_statuses: the only statuses that mean "delivered"; any 2xx if there is none.
        final_statuses: statuses after which an event is not sent again.
        in_order: True if the events after a failed one wait until it is delivered or given up.
        disabled_after: the number of failed attempts in a row after which the endpoint is disabled, or None.
        disabled_after_lost: the number of events given up in a row after which it is disabled, or None.
        disabled_after_s: the time with nothing but failures after which it is disabled, in seconds, or None.
        name: the name of the sender.
        assumption: what is assumed because the sender does not publish it; empty if nothing is.
    """

    delays_s: tuple[Fraction, ...]
    timeout_s: Fraction | None
    accepted_statuses: tuple[int, ...]
    final_statuses: tuple[int, ...]
    in_order: bool
    disabled_after: int | None
    disabled_after_lost: int | None
    disabled_after_s: Fraction | None
    name: str
    assumption: str

    def __init__(
        self,
        delays_s: Iterable[Duration] = (),
        *,
        timeout_s: Duration | None = None,
        accepted_statuses: Iterable[int] = (),
        final_statuses: Iterable[int] = (),
        in_order: bool = False,
        disabled_after: int | None = None,
        disabled_after_lost: int | None = None,
        disabled_after_s: Duration | None = None,
        name: str = "sender",
        assumption: str = "",
    ) -> None:
        """Check the rules.

        Args:
            delays_s: the pauses, as seconds or as text such as ``"5 min"``.
            timeout_s: the time limit for a response.
            accepted_statuses: the statuses that mean "delivered", instead of every 2xx.
            final_statuses: the statuses that end the retries of an event.
            in_order: whether the next events wait for a failed one.
            disabled_after: how many attempts fail in a row before the endpoint is disabled.
            disabled_after_lost: how many events are given up in a row before it is disabled.
            disabled_after_s: how long nothing succeeds before it is disabled.
            name: the name of the sender.
            assumption: what is assumed.

        Raises:
            InvalidArrivals: a time, a count or a status is invalid, or there are more than 1,000 retries.
        """
        pauses = tuple(
            duration(pause, f"delays_s[{i}]", positive=False, error=InvalidArrivals)
            for i, pause in enumerate(delays_s)
        )
        if len(pauses) > MOST_RETRIES:
            raise InvalidArrivals(f"there are {len(pauses)} retries; give at most {MOST_RETRIES:,}")
        for label, count in (
            ("disabled_after", disabled_after),
            ("disabled_after_lost", disabled_after_lost),
        ):
            if count is not None and (type(count) is not int or count < 1):
                raise InvalidArrivals(f"is {count!r}; give a whole number of at least 1", subject=label)
        values: dict[str, object] = {
            "delays_s": pauses,
            "timeout_s": _optional(timeout_s, "timeout_s"),
            "accepted_statuses": _statuses(accepted_statuses, "accepted_statuses"),
            "final_statuses": _statuses(final_statuses, "final_statuses"),
            "in_order": in_order,
            "disabled_after": disabled_after,
            "disabled_after_lost": disabled_after_lost,
            "disabled_after_s": _optional(disabled_after_s, "disabled_after_s"),
            "name": name,
            "assumption": assumption,
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @classmethod
    def of(cls, provider_id: str, *, retries: int | None = None) -> Sender:
        """Return the sender of a provider of the catalogue, as its `[retries]` and `[response]` state it.

        Args:
            provider_id: the provider's id, such as ``"svix"``.
            retries: the number of retries, for a provider that publishes only how long it retries.

        Returns:
            The sender. If the pauses are not published, they double and add up to the published time; the
            attribute `assumption` says so.

        Raises:
            UnknownName: there is no such provider.
            InvalidArgument: the provider publishes no schedule, or `retries` is missing, not used, or outside
                1 to 1,000.

        >>> Sender.of("zoom").delays_s
        (Fraction(300, 1), Fraction(1200, 1), Fraction(3600, 1))
        """
        from hook_widgets.webhooks import provider

        known = provider(provider_id)
        rules = known.retries
        if not rules.sources:
            raise InvalidArgument(
                f"no retry schedule of {known.title} is known; give one, such as Sender(['1 min', '1 hour'])"
            )
        delays_s, assumption = _delays(known, rules, retries)
        response = known.responses
        return cls(
            delays_s,
            timeout_s=None if response.within_s is None else Fraction(str(response.within_s)),
            accepted_statuses=response.accepted_statuses,
            final_statuses=rules.final_statuses,
            in_order=rules.in_order,
            disabled_after=rules.disabled_after,
            disabled_after_lost=rules.disabled_after_lost,
            disabled_after_s=rules.disabled_after_s,
            name=known.title,
            assumption=assumption,
        )

    def accepts(self, status: int | None) -> bool:
        """Return True if the sender takes a status for a delivery; None stands for no response in time."""
        if status is None:
            return False
        return status in self.accepted_statuses if self.accepted_statuses else 200 <= status < 300


def _delays(known: Provider, rules: RetryRules, retries: int | None) -> tuple[tuple[Fraction, ...], str]:
    """Return the pauses, and what is assumed about them."""
    period_s = None if rules.period_s is None else Fraction(str(rules.period_s))
    published = rules.retries is not None or rules.delays_s
    if retries is not None and published:
        raise InvalidArgument(f"{known.title} publishes its retries; leave retries out")
    if rules.delays_s:
        return _continued([Fraction(str(pause)) for pause in rules.delays_s], period_s), ""
    count = rules.retries if retries is None else retries
    if count == 0 and published:
        return (), ""
    if count is None or period_s is None:
        period = "" if period_s is None else f", only that it retries for {seconds(period_s)}"
        how = "give a Sender with delays_s" if period_s is None else "give retries="
        raise InvalidArgument(f"{known.title} does not publish its pauses{period}; {how}")
    if type(count) is not int or not 1 <= count <= MOST_RETRIES:
        raise InvalidArgument(f"retries is {count!r}; give a number from 1 to {MOST_RETRIES:,}")
    first = period_s / (2**count - 1)
    assumption = f"{count} pauses that double and add up to {seconds(period_s)}"
    return tuple(first * 2**n for n in range(count)), assumption


def _continued(pauses: list[Fraction], period_s: Fraction | None) -> tuple[Fraction, ...]:
    """Repeat the last pause until the end of the period, if one is published."""
    if period_s is not None and pauses[-1] > 0:
        more = (period_s - sum(pauses)) // pauses[-1]
        pauses = pauses + pauses[-1:] * min(int(more), MOST_RETRIES - len(pauses))
    return tuple(pauses)


def _optional(value: Duration | None, name: str) -> Fraction | None:
    return None if value is None else duration(value, name, error=InvalidArrivals)


def _statuses(values: Iterable[int], name: str) -> tuple[int, ...]:
    statuses = tuple(values)
    for status in statuses:
        if type(status) is not int or not 100 <= status <= 599:
            raise InvalidArrivals(f"has {status!r}; give HTTP statuses, such as 200", subject=name)
    return statuses
