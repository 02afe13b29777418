"""The page of each provider: its question as the title, the answer first, then all that the data say."""

from __future__ import annotations

import pytest

from docs._ext.provider_pages import table
from docs._ext.provider_text import page, receivers
from hook_widgets.webhooks import languages, provider, providers

REAL = [known.id for known in providers() if known.confidence.scheme != "seed"]


@pytest.fixture(scope="module")
def pages():
    return {name: page(provider(name)) for name in REAL}


@pytest.mark.parametrize("name", REAL)
def test_a_page_answers_in_each_language_before_anything_else(pages, name):
    known = provider(name)
    first, *_ = pages[name].partition("\n## ")

    assert first.startswith("---\norphan: true\n---\n\n# Verify ")
    assert f"```{{provider-receivers}} {name} {known.schemes[0].name}\n" in first
    for scheme in known.schemes:
        answers = list(receivers(known, scheme))

        assert [language for language, _ in languages()] == [language for language, *_ in answers]
        assert all(bool(snippet) != bool(reason) for _, _, snippet, reason in answers)
        assert "def verify(" in answers[0][2]


@pytest.mark.parametrize("name", REAL)
def test_a_page_has_a_delivery_its_evidence_and_a_command_that_sends_one(pages, name):
    known, text = provider(name), pages[name]

    assert f'href="../../vectors/{name}.json"' in text
    assert f"```{{provider-widget}} {name}\n" in text
    assert f"{len(known.events)} events." in text
    assert f"Last read: {known.current.read or 'not recorded'}." in text


def test_a_page_states_the_published_retries_and_says_where_none_was_read(pages):
    assert "- 3 retries, after 5 min, 20 min, 1 h.\n" in pages["zoom"]
    assert "- Respond within 3 s.\n" in pages["zoom"]
    assert "- A failed delivery is not sent again.\n" in pages["github"]
    assert "- Retries, for 3 days.\n" in pages["stripe"]
    unread = [name for name in REAL if "- Its schedule of retries was not read.\n" in pages[name]]
    assert [name for name in REAL if not provider(name).retries.sources] == unread


def test_a_page_names_the_traps_of_its_scheme(pages):
    assert "- The body is not signed." in pages["mailgun"]
    assert "- Nothing is signed." in pages["deepgram"]
    assert "- The signature covers the bytes of the body." in pages["stripe"]
    assert "- The parameters of the form are signed, not the bytes of the body." in pages["twilio"]
    assert "- Some values of the body are signed, not its bytes." in pages["aws-sns"]
    assert "- The URL is signed as the sender called it." in pages["square"]
    assert "- The prefix `whsec_` is part of the key." in pages["stripe"]
    assert "- It sends wrong signatures on purpose; respond with 401." in pages["discord"]
    assert "Deliveries can use another scheme: `json`" in pages["twilio"]
    assert "\n## Scheme `json`: " in pages["twilio"]


def test_a_handshake_shows_what_to_respond(pages):
    assert "## Handshake" in pages["x"]
    assert "Query: `crc_token={challenge}`." in pages["x"]
    assert "'response\\_token' of the JSON body: `sha256={answer}`" in pages["x"]


def test_the_index_has_a_row_with_six_cells_for_each_provider():
    header, line, *rows = table()

    assert len(REAL) == len(rows)
    assert {7} == {row.count("|") for row in (header, line, *rows)}
    assert all(f"](providers/{name}.md)" in "\n".join(rows) for name in REAL)


@pytest.mark.parametrize("name", REAL)
def test_a_page_begins_with_it_if_nobody_could_confirm_the_bodies(pages, name):
    first = pages[name].split("\n\n")[1:3][-1]

    unconfirmed = provider(name).confidence.bodies == "unconfirmed"
    assert unconfirmed == first.startswith("**Nobody could confirm the bodies of these events:**")


def test_a_page_names_the_evidence_for_each_part(pages):
    assert (
        "- Signature: its own library\n- Headers: a recorded delivery\n- Bodies: a library's types\n"
        in pages["github"]
    )
    assert "- Headers as in a recorded delivery: hookdeck/webhook" in pages["github"]
    assert (
        "- Every body fits the types `githubkit.webhooks.parse_obj`, except `push.form`, "
        "`repository_advisory.published`\n" in pages["github"]
    )
    assert "- Fields of the bodies as the sender's source code writes them: go-gitea/gitea" in pages["gitea"]


def test_the_index_shows_the_three_words_of_each_provider():
    (row,) = [row for row in table() if "](providers/snyk.md)" in row]

    assert row.endswith(" | documentation | documentation | a recorded delivery |")
