"""docs/reference/providers.md: the evidence for signatures, headers and bodies, and the counts in README.

    python -m tests.sdk.table

The counts of requests are those of the cases of `make test-sdk`, each of which is a test there. The pages of
the providers show them, too.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

from hook_widgets.webhooks import Provider, providers
from tests.sdk.cases import ACCEPTED, REJECTED, ROLLED, VARIED
from tests.sdk.reference_verifiers import VERIFIERS, Verifier

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/providers.md"
README = ROOT / "README.md"
TEXT = """\
# Providers

{total} providers besides the neutral kinds, with {events} events. Each has a page: how to verify its webhooks
in seven languages, what goes wrong, retries, a delivery, evidence and sources.

```{{provider-index}}
```

## The evidence

Signature, headers and bodies have evidence of their own: a library that accepts a signature says nothing
about the fields of the body. The table counts the best evidence of each part.

| part | evidence | what it means | providers |
|---|---|---|---|
{rows}

`make test-sdk` signs every event and hands it to verifiers: {accepted} requests that they must accept, some
of them with a varied body or two secrets, and {rejected} that they must reject, changed after signing, signed
with another secret or too old. For {serializers} providers it is known how they write JSON, and every body is
written so.

**Bodies that nobody could confirm**: {unconfirmed}.
"""
MEANINGS = {
    "scheme": {
        "sdk": "the provider's own library accepts what is signed here",
        "peer": "a third party's verifier does",
        "docs": "documentation or source code; no library is known that verifies it",
    },
    "headers": {
        "captured": "compared with a recorded delivery",
        "source": "read in the sender's source code",
        "docs": "written from documentation; nothing else confirms them",
        "unconfirmed": "no header but those of the signature has a source",
    },
    "bodies": {
        "model": "the types of a library fit most bodies, and their gaps are listed with reasons",
        "source": "the fields were read in the sender's source code",
        "captured": "the fields were compared with a recorded delivery",
        "docs": "written from documentation; nothing else confirms them",
        "unconfirmed": "the fields could not be confirmed",
    },
}
LABELS = {"scheme": "signature", "headers": "headers", "bodies": "bodies"}
NAMES = {
    "sdk": "own library",
    "peer": "another library",
    "model": "a library's types",
    "source": "source code",
    "captured": "recorded delivery",
    "docs": "documentation",
    "unconfirmed": "unconfirmed",
}


@cache
def _counts() -> tuple[Counter[Verifier], Counter[Verifier]]:
    yes, no = (Counter(case.verifier for case in cases) for cases in (ACCEPTED + VARIED + ROLLED, REJECTED))
    return yes, no


def verified_by(known: Provider) -> list[tuple[Verifier, int, int]]:
    """Return the verifiers of a provider, each with the numbers of requests to accept and to reject."""
    yes, no = _counts()
    return [(one, yes[one], no[one]) for one in VERIFIERS if one.provider == known.id]


def real() -> list[Provider]:
    """Return all providers except the neutral kinds."""
    return [known for known in providers() if known.confidence.scheme != "seed"]


def counts() -> dict[str, Counter[str]]:
    """Return for each part of `Provider.confidence` how many providers have which evidence."""
    return {part: Counter(getattr(known.confidence, part) for known in real()) for part in MEANINGS}


def page() -> str:
    """Return the text of the page."""
    known = real()
    numbers = counts()
    return TEXT.format(
        total=len(known),
        events=sum(len(one.events) for one in known),
        accepted=len(ACCEPTED + VARIED + ROLLED),
        rejected=len(REJECTED),
        serializers=sum(one.serializer is not None for one in known),
        rows="\n".join(
            f"| {LABELS[part]} | {NAMES[word]} | {meaning} | {numbers[part][word]} |"
            for part, meanings in MEANINGS.items()
            for word, meaning in meanings.items()
        ),
        unconfirmed=", ".join(one.title for one in known if one.confidence.bodies == "unconfirmed"),
    )


def readme(text: str) -> str:
    """Return README with the counts of today in its sentences about evidence."""
    numbers = counts()
    scheme, bodies = numbers["scheme"], numbers["bodies"]
    documented = 100 * scheme["docs"] / scheme.total()
    sentence = (
        f"{scheme['sdk']} of them are confirmed by the provider's own library, {scheme['peer']} by another;\n"
        f"**{scheme['docs']}, {documented:.0f}%, have documentation only**: no library "
        "confirms their signatures.\n"
        "The fields of the bodies have evidence of their own: a library's types for\n"
        f"{bodies['model']}, source code or a recorded delivery for {bodies['source'] + bodies['captured']}, "
        f"documentation for {bodies['docs']};\nfor {bodies['unconfirmed']}, nobody could confirm them."
    )
    pattern = r"\d+ of them are confirmed .*? nobody could confirm them\."
    return re.sub(pattern, sentence, text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
