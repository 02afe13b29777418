"""Report how fresh the catalogue is, and which facts about headers it lacks.

    python -m scripts.readings

Prints the providers by the day on which their current version was last read, the oldest first, then the
headers that are not known, each with its reason, and how many have which reason. docs/reference/readings.md
shows the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from hook_widgets.webhooks import Provider, providers
from hook_widgets.webhooks.models import Gap

KINDS = {
    "User-Agent": "no User-Agent is sent",
    "order": "the order of the headers is not confirmed",
    "charset": "the Content-Type is sent without a charset",
}
NOT_RECORDED = "not recorded"
SOURCED, SEARCHED, NOT_SEARCHED = "with a source", "searched in vain", "not searched"


def real() -> list[Provider]:
    """Return all providers except the neutral kinds."""
    return [provider for provider in providers() if provider.confidence.scheme != "seed"]


def by_age() -> list[tuple[str, Provider]]:
    """Return each provider with the day of its last reading, first those without one, then the oldest."""
    days = [(provider.current.read, provider) for provider in real()]
    return sorted(days, key=lambda entry: (entry[0], entry[1].id))


def gaps(provider: Provider) -> Iterator[tuple[str, Gap]]:
    """Yield the facts about headers that a provider lacks: a key of `KINDS`, and what was done about it."""
    scheme = provider.schemes[0]
    headers = {name.lower(): scheme.header_template(name).text for name in scheme.headers}
    if "user-agent" not in headers:
        yield "User-Agent", provider.header_gaps.user_agent
    if any(re.search("order of (the|its) headers", fact) for fact in provider.unconfirmed):
        yield "order", provider.header_gaps.order
    content_type = headers.get("content-type", "")
    if content_type and "charset" not in content_type.lower():
        yield "charset", provider.header_gaps.charset


def status(gap: Gap) -> str:
    """Return the state of a gap: `SOURCED`, `SEARCHED` or `NOT_SEARCHED`."""
    if gap.sources:
        return SOURCED
    return SEARCHED if gap.searched else NOT_SEARCHED


def counts(lacking: list[tuple[Provider, Gap]]) -> str:
    """Return in words how many gaps are in each state."""
    states = Counter(status(gap) for _, gap in lacking)
    return ", ".join(f"{states[state]} {state}" for state in (SOURCED, SEARCHED, NOT_SEARCHED))


def lacking(kind: str) -> list[tuple[Provider, Gap]]:
    """Return the providers that lack a fact of `KINDS`, each with what was done about it."""
    return [(known, gap) for known in real() for name, gap in gaps(known) if name == kind]


def report() -> Iterator[str]:
    """Yield the lines of the report."""
    days = by_age()
    yield f"{len(days)} providers, {sum(bool(day) for day, _ in days)} with the day of the last reading"
    for day, provider in days:
        version = f"  {provider.current.version}" if provider.current.version else ""
        yield f"{day or NOT_RECORDED:<13} {provider.id}{version}"
    for kind, meaning in KINDS.items():
        entries = lacking(kind)
        yield ""
        yield f"{len(entries)} providers: {meaning} ({counts(entries)})"
        yield from (f"  {known.id}: {gap.reason}" for known, gap in entries)


if __name__ == "__main__":
    print("\n".join(report()))
