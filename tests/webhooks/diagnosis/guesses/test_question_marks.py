"""A body in which a program replaced the characters that its encoding lacks by question marks."""

from __future__ import annotations

import pytest

from hook_widgets.webhooks import diagnose
from hook_widgets.webhooks.diagnosis.guesses.question_marks import lost_characters, marked_words
from tests.support.diagnosing import AT, causes, key_of, names, received, signed


@pytest.mark.parametrize("name", ["github", "slack", "shopify"])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ('{"name":"Plaça Pau Vila 1","url":"https://x.example/a?b=1"}', "ascii"),  # gitevents/core#173
        ('{"name":"Müller","again":"Müller"}', "ascii"),
        ('{"name":"it\u2019s"}', "latin-1"),
        ('{"name":"Łódka"}', "cp1252"),
    ],
)
def test_the_only_character_that_was_replaced_is_found(name, text, encoding):
    key = key_of(name)
    request = signed(name, text.encode(), key=key)
    body = text.encode(encoding, "replace").decode(encoding).encode()

    diagnosis = diagnose(name, received(request, body=body), key, now=AT)

    assert ("body-character-lost",) == names(diagnosis)
    assert next(c for c in text if not c.isascii()) in diagnosis.findings[0].title


def test_marks_for_each_byte_of_a_character_are_found():
    key = key_of("github")
    request = signed("github", '{"name":"Plaça"}'.encode(), key=key)

    assert ("body-character-lost",) == causes("github", received(request, body=b'{"name":"Pla??a"}'), key)


@pytest.mark.parametrize(
    ("body", "count", "words"),
    [
        (b'{"a":"M?ller","b":"Pla?a, caf?","c":"?????"}', 3, "has 3 words with"),
        (b'{"a":"M?ller"}', 1, "has a word with"),
        (b'{"a":"Really?","b":"https://x.example/a?b=c","c":"/search?q"}', 0, ""),
        (b'{"a":"Why does it fail???","b":"What?!???"}', 0, ""),
        (b'{"a":1}', 0, ""),
    ],
)
def test_words_with_marks_inside_are_a_hint_and_links_and_questions_are_none(body, count, words):
    key = key_of("github")
    request = signed("github", '{"a":"öé"}'.encode(), key=key)
    diagnosis = diagnose("github", received(request, body=body), key, now=AT)
    hints = {hint.cause: hint.title for hint in diagnosis.hints}

    assert count == marked_words(body)
    assert (words in hints["body-question-marks"]) if count else ("body-question-marks" not in hints)


def test_a_question_is_not_taken_for_a_lost_character():
    assert [] == list(lost_characters(b'{"text":"Where is my order? (It is late?)"}'))


@pytest.mark.parametrize("piece", [b"?", b"a?b", b"a", b" ?", b'"', b"?a ", b"\\", b"/"])
def test_a_long_body_takes_time_that_grows_with_its_length(piece):
    body = piece * (100_000 // len(piece))

    assert marked_words(body) <= len(body)
    assert len(list(lost_characters(body))) <= 200
