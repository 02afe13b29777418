"""docs/reference/providers.md: every provider, who verified it, and how often.

    python -m tests.sdk.table

The counts are those of the cases of `make test-sdk`, each of which is a test there.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hook_widgets.webhooks import providers
from hook_widgets.webhooks.registry import Provider
from tests.sdk.cases import ACCEPTED, REJECTED, ROLLED, VARIED
from tests.sdk.reference_verifiers import UNVERIFIED, VERIFIERS

PAGE = Path(__file__).parents[2] / "docs/reference/providers.md"
COLUMNS = (
    "Provider",
    "Kind",
    "Events",
    "Scheme",
    "Confidence",
    "Verifier",
    "Accepted",
    "Rejected",
    "Unconfirmed",
)
TEXT = """\
# Providers

{total} providers besides the neutral kinds, with {events} events.

| confidence | what it means | providers |
|---|---|---|
| sdk | the provider's own SDK accepts what is signed here | {sdk} |
| peer | a third party's verifier does | {peer} |
| docs | written from documentation and source code; no library verifies it | {docs} |

`make test-sdk` signs every event and hands it to the verifiers, some again with a varied body or with two
secrets as while one is rolled, and some changed after signing, with another secret or an old time. *Accepted*
and *rejected* count these requests: {accepted} and {rejected}. **Bold** are the provider's own libraries:
{own} providers have one. *Unconfirmed* are facts that no published source confirms; the widget says so, too.

{table}
"""


def cell(text: object) -> str:
    """Text that fits a cell of a Markdown table."""
    return str(text).replace("|", "\\|")


def algorithms(known: Provider) -> str:
    """How it signs, as its data says: algorithm and encoding of what receivers check."""
    firsts = [scheme.signatures[0] for scheme in known.schemes if scheme.signatures]
    return ", ".join(dict.fromkeys(f"{first.algorithm} {first.encoding}" for first in firsts))


def rows(known: Provider) -> list[tuple[object, ...]]:
    """One row for each verifier; the provider's own columns stand in the first."""
    head = (known.title, known.kind, len(known.events), algorithms(known), known.confidence)
    tail = "; ".join(known.unconfirmed)
    yes, no = (Counter(case.verifier for case in cases) for cases in (ACCEPTED + VARIED + ROLLED, REJECTED))
    verified = [
        (f"**{verifier.call}**" if verifier.own else verifier.call, yes[verifier], no[verifier])
        for verifier in VERIFIERS
        if verifier.provider == known.id
    ] or [(f"none: {UNVERIFIED[known.id]}", 0, 0)]
    return [
        (*(head if first else ("",) * len(head)), *verifier, tail if first else "")
        for first, verifier in zip((True, *(False,) * len(verified)), verified, strict=False)
    ]


def page() -> str:
    """The page's text."""
    real = [known for known in providers() if known.confidence != "seed"]
    lines = [COLUMNS, ("---",) * len(COLUMNS), *(row for known in real for row in rows(known))]
    confidence = Counter(known.confidence for known in real)
    return TEXT.format(
        total=len(real),
        events=sum(len(known.events) for known in real),
        sdk=confidence["sdk"],
        peer=confidence["peer"],
        docs=confidence["docs"],
        accepted=len(ACCEPTED + VARIED + ROLLED),
        rejected=len(REJECTED),
        own=len({verifier.provider for verifier in VERIFIERS if verifier.own}),
        table="\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines),
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
