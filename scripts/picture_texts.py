"""Texts in README's pictures that change with the code and the data, to find a stale picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from hook_widgets.ratelimit import plan
from hook_widgets.webhooks import provider

FILE: Final = Path(__file__).parents[1] / "docs/images/texts.json"
"""The texts when the pictures were taken, written by `scripts.pictures`."""


def texts() -> dict[str, object]:
    """Return the texts of today, by picture."""
    planned = plan(
        "1000/hour", clients=12, steady="700/hour", burst=200, latency_s="250 ms", timeout_s="30 s"
    )
    return {
        "calculator.png": {"advice": [str(sentence) for sentence in planned.advice]},
        "generator.png": {"unverified details": len(provider("stripe").unconfirmed)},
    }


def write(file: Path = FILE) -> None:
    """Write the texts of today beside the pictures."""
    file.write_text(json.dumps(texts(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
