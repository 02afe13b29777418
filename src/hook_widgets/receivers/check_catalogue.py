"""The catalogue of checks: what a receiver must do, why, and the change that makes it do so.

The table is data, in ``checks.toml`` in this package.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider

_SOURCE_URLS: Final = (
    (r"https://[^\s<>()\[\]\"'`|\\]+", r"\g<0>"),
    (r"CVE-\d+-\d+", r"https://www.cve.org/CVERecord?id=\g<0>"),
    (r"GHSA(-\w{4}){3}", r"https://github.com/advisories/\g<0>"),
    (r"([\w.-]+/[\w.-]+)#(\d+)", r"https://github.com/\1/issues/\2"),  # GitHub redirects to a pull request
    (r"RFC (\d+)", r"https://www.rfc-editor.org/rfc/rfc\1"),
    (r"RFC (\d+) section ([\d.]+)", r"https://www.rfc-editor.org/rfc/rfc\1#section-\2"),
)
_DOCUMENTATION: Final = "every provider's documentation"
AREAS: Final = MappingProxyType(
    {
        "A": "good requests",
        "B": "forged or changed requests",
        "C": "time and replay",
        "D": "delivery behaviour",
        "E": "secrets and rotation",
        "F": "HTTP forms",
        "G": "responses",
        "H": "handshakes",
    }
)
"""The areas of checks, by the first letter of an id."""


class Severity(StrEnum):
    """The severity of a failed check.

    ``critical``: a stranger can forge or replay events; ``high``: events are lost or done twice, or the
    provider switches the endpoint off; ``medium``: interoperability, denial of service, a leak of
    information; ``low``: hygiene; ``info``: only reported.
    """

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Fix:
    """The change to make in a receiver.

    Attributes:
        change: the change, in words.
        frameworks: pairs of a framework and its call that makes the change.
    """

    change: str
    frameworks: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The change, and a line for each framework."""
        return "\n".join([self.change, *(f"  {framework}: {call}" for framework, call in self.frameworks)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of a receiver.

    Attributes:
        id: a stable id such as ``"B11"``; its letter is the area.
        title: the situation, in words.
        severity: the severity of a failure.
        expected: the right behaviour.
        why: the consequence of another one.
        why_warned: the consequence of what is only a warning; empty if it is the same.
        fix: the change to make in the receiver.
        sources: advisories, documents and threads that report the fault.
        suite: the smallest suite that includes the check, ``"standard"`` or ``"full"``.
        oracle: True if it needs a count of what the receiver did.
        load: True if it looks like an attack: many, slow or large requests. On another machine it needs
            consent of its own.
        facts: what the check takes from the provider's data, such as ``"deliveries.account"``.
    """

    id: str
    title: str
    severity: Severity
    expected: str
    why: str
    fix: Fix
    sources: tuple[str, ...]
    suite: str = "standard"
    oracle: bool = False
    load: bool = False
    why_warned: str = ""
    facts: tuple[str, ...] = ()

    def consequence(self, *, warned: bool) -> str:
        """Return the consequence of a failure; with `warned`, that of a warning."""
        return (warned and self.why_warned) or self.why

    @property
    def area(self) -> str:
        """The area of the check, in words."""
        return AREAS[self.id[0]]


@cache
def catalogue() -> Mapping[str, Check]:
    """Return all checks by id, in the order in which they run.

    >>> catalogue()["B11"].title
    'An empty or truncated signature'
    """
    fixes = fixes_of("checks.toml")
    tables = read("checks.toml")
    return MappingProxyType(
        {name: _check(name, row, fixes, tables["warnings"]) for name, row in tables["checks"].items()}
    )


def sources_of(check: Check, provider: Provider) -> tuple[str, ...]:
    """Return the sources of what a check takes from a provider's data, and then those of the fault.

    A fact that is not confirmed is named in their place, with what was searched. Where the documentation of
    every provider is a source, it is that of this one.
    """
    sources: list[str] = []
    for fact in check.facts:
        table, _, name = fact.partition(".")
        record = getattr(provider, table)
        if value := getattr(record, name):
            sources += record.sources
            if searched := getattr(record, "searched", ()):
                what = f"{name} of {provider.title} ({value})"
                sources.append(f"{what} is not confirmed; searched: {', '.join(searched)}")
    for source in check.sources:
        sources += provider.docs[:1] if source == _DOCUMENTATION and provider.docs else [source]
    return tuple(dict.fromkeys(sources))


def source_url(source: str) -> str:
    """Return the URL of a source: an address, an advisory, a thread of GitHub or an RFC; "" for another one.

    >>> source_url("CVE-2024-21491"), source_url("stripe-php#884")
    ('https://www.cve.org/CVERecord?id=CVE-2024-21491', '')
    """
    for pattern, url in _SOURCE_URLS:
        if match := re.fullmatch(pattern, source):
            return match.expand(url)
    return ""


def read(file: str) -> dict[str, Any]:
    """Return the tables of a file of this package."""
    return tomllib.loads((files(__package__) / file).read_text(encoding="utf-8"))


def fixes_of(file: str) -> dict[str, Fix]:
    """Return the changes that a file of this package names."""
    return {name: Fix(row.pop("change"), tuple(row.items())) for name, row in read(file)["fixes"].items()}


def _check(name: str, row: dict[str, Any], fixes: Mapping[str, Fix], warnings: Mapping[str, str]) -> Check:
    if "warning" in row:
        row["why_warned"] = warnings[row.pop("warning")]
    row |= {
        "severity": Severity(row["severity"]),
        "fix": fixes[row["fix"]],
        "sources": tuple(row["sources"]),
        "facts": tuple(row.get("facts", ())),
    }
    return Check(id=name, **row)  # an unknown key is an error
