"""Write docs/reference/versioning-rules.md: the table of the rules for changes.

python scripts/rules.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from hook_widgets.versioning.compat.change import Breaks
from hook_widgets.versioning.compat.rules import OPENAPI_RULES, SCHEMA_RULES, Rule

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "versioning-rules.md"

_INTRODUCTION = """# Which change breaks clients

The rules of `hook_widgets.versioning.compare`, made from `RULES` by `make rules`. A difference breaks
*requests* when a client that writes the data can be rejected now, and *responses* when a client that reads it
can meet what it was never prepared for. How to use them stands in
[versioning.md](../explanation/versioning.md#when-is-it-a-new-version).
"""
_BREAKS = {
    Breaks.ALWAYS: "always",
    Breaks.REQUEST: "requests",
    Breaks.RESPONSE: "responses",
    Breaks.NEVER: "nobody",
}


def page() -> str:
    """Return the whole page."""
    return "\n".join(
        [
            _INTRODUCTION,
            *_section("OpenAPI documents", OPENAPI_RULES),
            "",
            *_section("JSON Schemas and examples", SCHEMA_RULES),
            "",
        ]
    )


def _section(title: str, rules: Iterable[Rule]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| rule | breaks | difference | why |"
    yield "|---|---|---|---|"
    order = list(Breaks)
    for rule in sorted(rules, key=lambda rule: order.index(rule.breaks)):
        cells = (f"`{rule.id}`", _BREAKS[rule.breaks], rule.title, rule.reason)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
