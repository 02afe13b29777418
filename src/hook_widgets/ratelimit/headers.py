"""The IETF fields ``RateLimit`` and ``RateLimit-Policy``: build and parse.

Source: draft-ietf-httpapi-ratelimit-headers-10 (a draft of September 2025, not yet an RFC), Lists of
String Items by RFC 9651. Every number is rounded so that a client that obeys is never early.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.fields import MOST_INTEGER, Bare, Item, build_list, parse_list
from hook_widgets.ratelimit.quantity import Number
from hook_widgets.ratelimit.rounding import down, up

POLICY = "RateLimit-Policy"
LIMIT = "RateLimit"
_NAME = re.compile(r"[ -~]+")


@dataclass(frozen=True, slots=True)
class Policy:
    """One member of ``RateLimit-Policy``: what a client may use in a window.

    Attributes:
        name: how the limit is called; printable ASCII.
        quota: units a window, a whole number (``q``).
        window_s: the window in whole seconds (``w``), or None when it is not told.
        unit: ``"requests"``, ``"content-bytes"`` or ``"concurrent-requests"`` (``qu``).
        partition_key: whose quota this is (``pk``); never put anything sensitive into it.

    Raises:
        InvalidHeader: a value that the field cannot carry.
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
        _check_name(self.unit, what="qu")
        _check_key(self.partition_key)

    @classmethod
    def rounded(cls, name: str, *, quota: Number, window_s: Number | None = None) -> Policy:
        """The policy that promises no more than these exact numbers do: quota down, window up.

        >>> Policy.rounded("burst", quota=10.5, window_s=0.5)
        Policy(name='burst', quota=10, window_s=1, unit='requests', partition_key=None)
        """
        window = None if window_s is None else max(1, up("w", window_s))
        return cls(name, down("q", quota), window)


@dataclass(frozen=True, slots=True)
class ServiceLimit:
    """One member of ``RateLimit``: what is left now.

    Attributes:
        name: the policy's name.
        remaining: units left, a whole number (``r``); no promise that they will be served.
        reset_s: whole seconds until *more* quota is there, not until all of it is (``t``), or None.
        partition_key: whose quota this is (``pk``).

    Raises:
        InvalidHeader: a value that the field cannot carry.
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
    def rounded(cls, name: str, *, remaining: Number, reset_s: Number | None = None) -> ServiceLimit:
        """What may be told of these exact numbers: remaining down, reset up.

        >>> ServiceLimit.rounded("hourly", remaining=0.7, reset_s=2.88)
        ServiceLimit(name='hourly', remaining=0, reset_s=3, partition_key=None)
        """
        return cls(name, down("r", remaining), None if reset_s is None else up("t", reset_s))


def build_policy(policies: Iterable[Policy]) -> str:
    """The value of ``RateLimit-Policy``.

    Args:
        policies: in the order in which they are to stand.

    Raises:
        InvalidHeader: there is no policy; the field may not be empty.

    >>> build_policy([Policy("burst", 100, 60), Policy("daily", 1000, 86400)])
    '"burst";q=100;w=60, "daily";q=1000;w=86400'
    """
    items = []
    for policy in policies:
        parameters: dict[str, Bare] = {"q": policy.quota}
        if policy.unit != "requests":
            parameters["qu"] = policy.unit
        if policy.window_s is not None:
            parameters["w"] = policy.window_s
        if policy.partition_key is not None:
            parameters["pk"] = policy.partition_key
        items.append(Item(policy.name, parameters))
    return build_list(POLICY, items)


def parse_policy(lines: str | Iterable[str]) -> tuple[Policy, ...]:
    """The policies in ``RateLimit-Policy``; parameters that the draft does not define are passed over.

    Args:
        lines: the field's value, or one text for each time it occurs.

    Raises:
        InvalidHeader: the value is malformed, empty, or breaks a rule of the draft. A client ignores
            such a field.

    >>> parse_policy('"default";q=100;w=10')
    (Policy(name='default', quota=100, window_s=10, unit='requests', partition_key=None),)
    """
    policies = []
    for item in parse_list(POLICY, lines):
        name = _name(POLICY, item)
        unit = item.parameters.get("qu", "requests")
        if not isinstance(unit, str) or not unit:
            raise InvalidHeader(f'{POLICY}: qu of "{name}" must be a String such as "requests"')
        quota = _number(POLICY, name, item, "q", least=0)
        if quota is None:
            raise InvalidHeader(f'{POLICY}: "{name}" has no q, the quota it must have')
        window = _number(POLICY, name, item, "w", least=1)
        policies.append(Policy(name, quota, window, unit, _key(POLICY, name, item)))
    if not policies:
        raise InvalidHeader(f"{POLICY} is empty; it must have one policy or be left out")
    return tuple(policies)


def build_ratelimit(limits: Iterable[ServiceLimit]) -> str:
    """The value of ``RateLimit``.

    Args:
        limits: in the order in which they are to stand.

    Raises:
        InvalidHeader: there is no limit; the field is then left out.

    >>> build_ratelimit([ServiceLimit("default", 50, 30)])
    '"default";r=50;t=30'
    """
    items = []
    for limit in limits:
        parameters: dict[str, Bare] = {"r": limit.remaining}
        if limit.reset_s is not None:
            parameters["t"] = limit.reset_s
        if limit.partition_key is not None:
            parameters["pk"] = limit.partition_key
        items.append(Item(limit.name, parameters))
    return build_list(LIMIT, items)


def parse_ratelimit(lines: str | Iterable[str]) -> tuple[ServiceLimit, ...]:
    """The limits in ``RateLimit``; parameters that the draft does not define are passed over.

    Args:
        lines: the field's value, or one text for each time it occurs.

    Raises:
        InvalidHeader: the value is malformed or breaks a rule of the draft. A client ignores such a field.

    >>> parse_ratelimit('"default";r=50;t=30')
    (ServiceLimit(name='default', remaining=50, reset_s=30, partition_key=None),)
    """
    limits = []
    for item in parse_list(LIMIT, lines):
        name = _name(LIMIT, item)
        remaining = _number(LIMIT, name, item, "r", least=0)
        if remaining is None:
            raise InvalidHeader(f'{LIMIT}: "{name}" has no r, the remaining quota it must have')
        reset = _number(LIMIT, name, item, "t", least=0)
        limits.append(ServiceLimit(name, remaining, reset, _key(LIMIT, name, item)))
    return tuple(limits)


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


def _check_name(name: object, *, what: str = "a policy's name") -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidHeader(f"{what} must be printable ASCII text, not {name!r}")


def _check_whole(key: str, value: object, *, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST_INTEGER:
        raise InvalidHeader(
            f"{key} must be a whole number of at least {least} and at most 15 digits, not {value!r}; "
            "rounded() makes one of an exact number"
        )


def _check_key(key: object) -> None:
    if key is not None and not isinstance(key, bytes):
        raise InvalidHeader(f"a partition key is bytes, not {type(key).__name__}")
