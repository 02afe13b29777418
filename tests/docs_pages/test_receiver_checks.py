"""The page of each check: everything that the catalogue knows, and sources as links."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from docs._ext.receiver_checks import page, table
from hook_widgets.receivers import catalogue
from hook_widgets.receivers.reporting.rendering import escape_markdown, link_to_source


@pytest.mark.parametrize("check", catalogue().values(), ids=lambda check: check.id)
def test_a_page_has_everything_that_the_catalogue_knows(check):
    text = page(check)
    rows = [line for line in text.splitlines() if line.startswith("| ")]

    assert text.startswith(f"# {check.id}: {escape_markdown(check.title)}\n")
    for part in (check.why, check.fix.change, str(check.severity)):
        assert escape_markdown(part) in text
    assert escape_markdown(check.expected[1:]) in text
    assert all(f"- {link_to_source(source)}\n" in text for source in check.sources)
    assert [escape_markdown(name) for name, _ in check.fix.frameworks] == [
        row.split(" | ")[0][2:] for row in rows[1:]
    ]
    assert 9 == len(check.fix.frameworks)
    assert re.search(r"passes if this holds: \w", text)


def test_the_table_has_every_check():
    rows = list(table())[2:]

    assert [f"| [{name}]({name}.md)" for name in catalogue()] == [row.split(" | ")[0] for row in rows]


def test_a_page_follows_from_the_data_alone():
    check = replace(catalogue()["B11"], title="A | new *title*", oracle=True, suite="full")

    assert "# B11: A \\| new \\*title\\*" in page(check)
    assert "the full suite only" in page(check)
    assert "needs an *oracle*" in page(check)


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("https://docs.stripe.com/webhooks", "https://docs.stripe.com/webhooks"),
        ("CVE-2024-21491", "https://www.cve.org/CVERecord?id=CVE-2024-21491"),
        ("GHSA-747x-5m58-mq97", "https://github.com/advisories/GHSA-747x-5m58-mq97"),
        ("octokit/webhooks.js#1155", "https://github.com/octokit/webhooks.js/issues/1155"),
        ("RFC 2104", "https://www.rfc-editor.org/rfc/rfc2104"),
        ("RFC 9110 section 5.1", "https://www.rfc-editor.org/rfc/rfc9110#section-5.1"),
        ("stripe-php#884", None),
        ("every provider's documentation", None),
    ],
)
def test_a_source_that_names_a_place_is_a_link(source: str, address: str | None):
    link = re.search(r"\]\((.*)\)$", link_to_source(source))

    assert address == (link and link[1])
