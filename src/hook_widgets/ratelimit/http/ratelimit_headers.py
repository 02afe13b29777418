"""Build and parse the IETF fields ``RateLimit`` and ``RateLimit-Policy``.

Source: draft-ietf-httpapi-ratelimit-headers-10 (a draft of September 2025, not yet an RFC). The fields are
Lists of String Items (RFC 9651). Numbers are rounded so that a compliant client never retries too early.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from hook_widgets._arguments import several, shown
from hook_widgets._structured_fields import Bare
from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.rounding import down, up
from hook_widgets.ratelimit.http.structured_fields import MAX_INTEGER, Item, build_list, parse_list
from hook_widgets.ratelimit.units import Number

_POLICY = "RateLimit-Policy"
_LIMIT = "RateLimit"
_NAME = re.compile(r"[ -~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaPolicy:
    """One member of ``RateLimit-Policy``: the quota of a client per window.

    Attributes:
        name: the limit's name; printable ASCII.
        quota: units per window, a whole number (``q``).
        window_s: the window in whole seconds (``w``), or None if not specified.
        unit: ``"requests"``, ``"content-bytes"`` or ``"concurrent-requests"`` (``qu``).
        partition_key: identifies the owner of the quota (``pk``); must not contain anything sensitive.

    Raises:
        InvalidHeader: a value cannot be represented in the field.
    """

    name: str
    quota: int
    window_s: int | None = None
    unit: str = "requests"
    partition_key: bytes | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)
        _check_whole("q", self.quota, least=0)
        if self.window_s is not None:
            _check_whole("w", self.window_s, least=1)
        _check_name(self.unit, label="qu")
        _check_key(self.partition_key)

    @classmethod
    def rounded(cls, name: str, *, quota: Number, window_s: Number | timedelta | None = None) -> QuotaPolicy:
        """Create a policy from exact numbers that promises no more than they do: quota down, window up.

        >>> QuotaPolicy.rounded("burst", quota=10.5, window_s=0.5)
        QuotaPolicy(name='burst', quota=10, window_s=1, unit='requests', partition_key=None)
        """
        window = None if window_s is None else max(1, up("w", window_s))
        return cls(name=name, quota=down("q", quota), window_s=window)


@dataclass(frozen=True, slots=True)
class ServiceLimit:
    """One member of ``RateLimit``: the quota that remains now.

    Attributes:
        name: the policy's name.
        remaining: units left, a whole number (``r``); not a guarantee that they will be served.
        reset_s: whole seconds until *more* quota is available, not until all of it is (``t``), or None.
        partition_key: identifies the owner of the quota (``pk``).

    Raises:
        InvalidHeader: a value cannot be represented in the field.
    """

    name: str
    remaining: int
    reset_s: int | None = None
    partition_key: bytes | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)
        _check_whole("r", self.remaining, least=0)
        if self.reset_s is not None:
            _check_whole("t", self.reset_s, least=0)
        _check_key(self.partition_key)

    @classmethod
    def rounded(
        cls, name: str, *, remaining: Number, reset_s: Number | timedelta | None = None
    ) -> ServiceLimit:
        """Create a limit from exact numbers, rounding remaining down and reset up.

        >>> ServiceLimit.rounded("hourly", remaining=0.7, reset_s=2.88)
        ServiceLimit(name='hourly', remaining=0, reset_s=3, partition_key=None)
        """
        return cls(name, down("r", remaining), None if reset_s is None else up("t", reset_s))


def build_ratelimit_policy(policies: Iterable[QuotaPolicy]) -> str:
    """Return the value of ``RateLimit-Policy``.

    Args:
        policies: the policies, in output order.

    Raises:
        InvalidHeader: there is no policy; the field may not be empty.

    >>> build_ratelimit_policy([QuotaPolicy(name="daily", quota=1000, window_s=86400)])
    '"daily";q=1000;w=86400'
    """
    items = []
    for policy in several(policies, "policies", InvalidHeader):
        unit = None if policy.unit == "requests" else policy.unit
        items.append(_item(policy.name, q=policy.quota, qu=unit, w=policy.window_s, pk=policy.partition_key))
    return build_list(_POLICY, items)


def parse_ratelimit_policy(lines: str | Iterable[str]) -> tuple[QuotaPolicy, ...]:
    """Parse ``RateLimit-Policy``; parameters that the draft does not define are ignored.

    Args:
        lines: the field's value, or one string per occurrence of the field.

    Raises:
        InvalidHeader: the value is malformed, empty, or breaks a rule of the draft. A client ignores
            such a field.

    >>> parse_ratelimit_policy('"default";q=100;w=10')
    (QuotaPolicy(name='default', quota=100, window_s=10, unit='requests', partition_key=None),)
    """
    policies = []
    for item in parse_list(_POLICY, lines):
        name = _name(_POLICY, item)
        unit = item.parameters.get("qu", "requests")
        if not isinstance(unit, str) or not unit:
            raise InvalidHeader(f'{_POLICY}: qu of "{name}" must be a String such as "requests"')
        quota = _number(_POLICY, name, item, "q", least=0)
        if quota is None:
            raise InvalidHeader(f'{_POLICY}: "{name}" has no q, the quota it must have')
        window = _number(_POLICY, name, item, "w", least=1)
        policies.append(
            QuotaPolicy(
                name=name, quota=quota, window_s=window, unit=unit, partition_key=_key(_POLICY, name, item)
            )
        )
    if not policies:
        raise InvalidHeader(f"{_POLICY} is empty; it must have one policy or be left out")
    return tuple(policies)


def build_ratelimit(limits: Iterable[ServiceLimit]) -> str:
    """Return the value of ``RateLimit``.

    Args:
        limits: the limits, in output order.

    Raises:
        InvalidHeader: there is no limit; omit the field then.

    >>> build_ratelimit([ServiceLimit("default", 50, 30)])
    '"default";r=50;t=30'
    """
    items = [
        _item(each.name, r=each.remaining, t=each.reset_s, pk=each.partition_key)
        for each in several(limits, "limits", InvalidHeader)
    ]
    return build_list(_LIMIT, items)


def parse_ratelimit(lines: str | Iterable[str]) -> tuple[ServiceLimit, ...]:
    """Parse ``RateLimit``; parameters that the draft does not define are ignored.

    Args:
        lines: the field's value, or one string per occurrence of the field.

    Raises:
        InvalidHeader: the value is malformed or breaks a rule of the draft. A client ignores such a field.

    >>> parse_ratelimit('"default";r=50;t=30')
    (ServiceLimit(name='default', remaining=50, reset_s=30, partition_key=None),)
    """
    limits = []
    for item in parse_list(_LIMIT, lines):
        name = _name(_LIMIT, item)
        remaining = _number(_LIMIT, name, item, "r", least=0)
        if remaining is None:
            raise InvalidHeader(f'{_LIMIT}: "{name}" has no r, the remaining quota it must have')
        reset = _number(_LIMIT, name, item, "t", least=0)
        limits.append(ServiceLimit(name, remaining, reset, _key(_LIMIT, name, item)))
    return tuple(limits)


def _item(name: str, **parameters: Bare | None) -> Item:
    return Item(name, {key: value for key, value in parameters.items() if value is not None})


def _name(field: str, item: Item) -> str:
    if not isinstance(item.value, str) or not item.value:
        raise InvalidHeader(f"{field}: each member begins with the policy's name in double quotes")
    return item.value


def _number(field: str, name: str, item: Item, key: str, *, least: int) -> int | None:
    value = item.parameters.get(key)
    if value is None or (isinstance(value, int) and value >= least):
        return value
    raise InvalidHeader(f'{field}: {key} of "{name}" must be a whole number of at least {least}')


def _key(field: str, name: str, item: Item) -> bytes | None:
    value = item.parameters.get("pk")
    if value is None or isinstance(value, bytes):
        return value
    raise InvalidHeader(f'{field}: pk of "{name}" must be a Byte Sequence such as :cHMxMjM=:')


def _check_name(name: object, *, label: str = "a policy's name") -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidHeader(f"{label} must be printable ASCII text, not {shown(name)}")


def _check_whole(key: str, value: object, *, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MAX_INTEGER:
        raise InvalidHeader(
            f"{key} must be a whole number of at least {least} and at most 15 digits, not {shown(value)}; "
            "rounded() makes one of an exact number"
        )


def _check_key(key: object) -> None:
    if key is not None and not isinstance(key, bytes):
        raise InvalidHeader(f"a partition key is bytes, not {type(key).__name__}")
