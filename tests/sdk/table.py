"""docs/reference/providers.md: by what evidence each provider is in the catalogue, and the counts in README.

    python -m tests.sdk.table

The counts of requests are those of the cases of `make test-sdk`, each of which is a test there. The pages of
the providers show them, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from hook_widgets.webhooks import Provider, providers
from tests.sdk import body_models, typescript_models
from tests.sdk.cases import ACCEPTED, REJECTED, ROLLED, VARIED
from tests.sdk.reference_verifiers import VERIFIERS, Verifier

MODELS = (*body_models.MODELS, *typescript_models.MODELS)

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

`make test-sdk` signs every event and hands it to verifiers: {accepted} requests that they must accept, some
of them with a varied body or two secrets, and {rejected} that they must reject, changed after signing, signed
with another secret or too old. A provider can be in several rows of this table.

| evidence | what it means | providers |
|---|---|---|
{rows}

{lists}
"""
MEANINGS = {
    "own library": "the provider's own library accepts what is signed here",
    "another library": "a third party's verifier does",
    "typed model": "the types of a library fit every body, and their gaps are listed with reasons",
    "open sender": "the source code of the sender says how it writes JSON, and every body is written so",
    "documentation only": "none of these: written from documentation and source code",
}


@cache
def _counts() -> tuple[Counter[Verifier], Counter[Verifier]]:
    yes, no = (Counter(case.verifier for case in cases) for cases in (ACCEPTED + VARIED + ROLLED, REJECTED))
    return yes, no


def verified_by(known: Provider) -> list[tuple[Verifier, int, int]]:
    """Return the verifiers of a provider, each with the numbers of requests to accept and to reject."""
    yes, no = _counts()
    return [(one, yes[one], no[one]) for one in VERIFIERS if one.provider == known.id]


def evidence(known: Provider) -> Iterator[str]:
    """Yield the names of the evidence that there is for a provider."""
    verifiers = [verifier for verifier, _, _ in verified_by(known)]
    names = [
        *(["own library"] if any(verifier.own for verifier in verifiers) else []),
        *(["another library"] if not all(verifier.own for verifier in verifiers) else []),
        *(["typed model"] if known.id in {model.provider for model in MODELS} else []),
        *(["open sender"] if known.serializer is not None else []),
    ]
    yield from names or ["documentation only"]


def by_evidence() -> dict[str, list[Provider]]:
    """Return the providers by evidence, in the order of the page."""
    real = [known for known in providers() if known.confidence != "seed"]
    return {name: [known for known in real if name in evidence(known)] for name in MEANINGS}


def page() -> str:
    """Return the text of the page."""
    real = [known for known in providers() if known.confidence != "seed"]
    groups = by_evidence()
    return TEXT.format(
        total=len(real),
        events=sum(len(known.events) for known in real),
        accepted=len(ACCEPTED + VARIED + ROLLED),
        rejected=len(REJECTED),
        rows="\n".join(f"| {name} | {MEANINGS[name]} | {len(group)} |" for name, group in groups.items()),
        lists="\n\n".join(
            f"**{name.capitalize()}**: {', '.join(known.title for known in group)}."
            for name, group in groups.items()
        ),
    )


def readme(text: str) -> str:
    """Return README with the counts of today in its sentence about evidence."""
    groups = by_evidence()
    counts = [str(len(groups[name])) for name in MEANINGS]
    sentence = (
        "{} of them are confirmed by the provider's own library, {} by another library.\n"
        "For {}, a library's types fit each body; for {}, the sender's open source says how it writes them.\n"
        "{} rest on documentation only."
    ).format(*counts)
    pattern = r"\d+ of them are confirmed .*? rest on documentation only\."
    return re.sub(pattern, sentence, text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
