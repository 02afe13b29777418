"""The page of the rules is generated from the rules."""

from __future__ import annotations

from hook_widgets.versioning.compat import RULES
from scripts.rules import PAGE, page


def test_the_page_is_what_the_rules_say_now():
    assert page() == PAGE.read_text(encoding="utf-8"), "run: make rules"


def test_every_rule_stands_in_the_page_once():
    text = PAGE.read_text(encoding="utf-8")

    assert RULES
    assert {} == {rule: count for rule in RULES if (count := text.count(f"| `{rule}` |")) != 1}
