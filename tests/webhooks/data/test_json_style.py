"""Bodies are as the serializers of their senders write them, and varied values get the same escapes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.webhooks import provider, providers
from hook_widgets.webhooks.models import JsonStyle, Param, ParamKind, Serializer, Variation
from hook_widgets.webhooks.registry.body_checks import body_faults

TEXT = '{"b": "É/<a&b> \\" \\n\u2028 \U0001f600", "a": [1.50, [], {}]}'
#: What programs write for the same text, see the file.
WRITTEN = json.loads((Path(__file__).parents[2] / "vectors" / "json_styles.json").read_text("utf-8"))[
    "written"
]
STATED = [known for known in providers() if known.serializer is not None]
MIXED = {
    "aws-sns": "spaces on both sides of a colon",
    "datadog": "a template with four spaces, whose values have escapes",
    "forgejo": "new repositories and pages of a wiki are indented by one space, the others by two",
    "gitea": "new repositories and pages of a wiki are indented by one space, the others by two",
    "meta": "changes have the spaces of Python, messages have none",
    "sendgrid": "sorted keys, and CRLF at the end",
    "shopify": "Events are compact, the webhooks of Rails have escapes",
    "stripe": "thin events are compact, the others indented",
    "telegram": "a line break after update_id",
    "zendesk": "the body of a trigger is a template of the account",
    "xero": "indented events, and a space after the last three colons",
}
"""Providers whose bodies have no style in common, each with the reason."""
CHANGES = (
    "page.feed",
    "page.leadgen",
    "page.mention",
    "instagram.comments",
    "instagram.live_comments",
    "instagram.mentions",
)
"""The events of Meta that are no messages."""
SORTED_KEYS = ("clerk", "discord", "plaid", "resend", "sendgrid", "telnyx")
"""Providers whose recorded deliveries have the keys of every object in alphabetical order."""
CHARACTERS = st.characters(exclude_categories=["Cs"])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 2**53, 2**53 - 1)
    | st.text(CHARACTERS),  # exact in JavaScript
    lambda inner: st.lists(inner) | st.dictionaries(st.text(CHARACTERS), inner),
    max_leaves=20,
)


@pytest.mark.parametrize("known", STATED, ids=lambda known: known.id)
def test_every_body_is_as_the_stated_serializer_writes_it(known):
    assert [] == list(body_faults(known))
    assert known.serializer.sources


@pytest.mark.parametrize("known", providers(), ids=lambda known: known.id)
def test_one_serializer_can_have_written_all_bodies_of_a_provider(known):
    bodies = [known.template(event.name).decode() for event in known.events]
    texts = [body for body in bodies if body[:1] in ("{", "[")]
    uniform = any(all(text == style.write(text) for text in texts) for style in JsonStyle)

    assert (known.id in MIXED) != uniform


@pytest.mark.parametrize("name", SORTED_KEYS)
def test_keys_are_sorted_where_deliveries_have_them_so(name):
    known = provider(name)
    for event in known.events:
        body = json.loads(known.template(event.name))
        assert json.dumps(body) == json.dumps(body, sort_keys=True), event.name


def test_xero_indents_each_event_and_nothing_else():
    """As in a delivery of 19 October 2025 that a public repository keeps."""
    api, contact = "https://api.xero.com/api.xro/2.0/Contacts/", "d44dd5c5-bfb7-49a3-814d-292297f5e620"

    assert provider("xero").template("CONTACT.CREATE").decode() == (
        '{"events":[{\n'
        f'  "resourceUrl": "{api}{contact}",\n'
        f'  "resourceId": "{contact}",\n'
        '  "tenantId": "92023b3e-b714-4bfb-9d63-96bc0bb972e7",\n'
        '  "tenantType": "ORGANISATION",\n'
        '  "eventCategory": "CONTACT",\n'
        '  "eventType": "CREATE",\n'
        '  "eventDateUtc": "2026-09-14T09:05:10.740"\n'
        '}],"firstEventSequence": 3,"lastEventSequence": 3, "entropy": "MJHQXTRPLDOEVKSZNBYA"}'
    )


@pytest.mark.parametrize("name", ["gitea", "forgejo"])
def test_two_events_of_gitea_are_indented_by_one_space(name):
    """As in modules/structs/hook.go, JSONPayload: Gitea 9d3f04eb and Forgejo d883bd8f, July 2026."""
    for event in ("repository.created", "wiki.created"):
        assert provider(name).template(event).startswith(b'{\n "action": "created",\n "repository": {\n  "')
    assert provider(name).template("push").startswith(b'{\n  "ref":')


@pytest.mark.parametrize("event", CHANGES)
def test_a_change_of_meta_is_as_python_writes_it_and_comes_from_another_program(event):
    """As in the raw bodies of leads and comments of February to June 2026 that public repositories keep.

    One of them has its signature. The headers are those of a comment of December 2024.
    """
    meta = provider("meta")
    subject = event.partition(".")[0]
    sent = meta.template(event).decode()

    assert sent.startswith('{"entry": [{"id": "')
    assert sent.endswith(f'}}]}}], "object": "{subject}"}}')
    assert {"User-Agent": "Webhooks/1.0 (https://fb.me/webhooks)", "Accept-Encoding": ""} == (
        meta.event(event).headers
    )


def test_a_body_that_another_program_writes_has_the_style_of_that_one():
    meta = provider("meta")
    written = meta.serializer
    assert written is not None
    one = replace(meta, serializer=replace(written, others={}))

    assert not list(body_faults(meta))
    assert set(CHANGES) == {meta.events[int(fault.path[1])].name for fault in body_faults(one)}


def test_a_body_in_another_style_is_a_fault_that_shows_the_difference():
    grafana = provider("grafana")
    other = replace(grafana, serializer=Serializer(style=JsonStyle.PYTHON, sources=("test",)))

    first = next(body_faults(other))

    assert ("events", 0, "body") == first.path
    assert """writes 'receiver": "hooks", ' and not 'receiver":"hooks","s'""" in first.text


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("node", '{"b":"É/<a&b> \\" \\n\u2028 😀","a":[1.5,[],{}]}'),
        ("compact", '{"b":"É/<a&b> \\" \\n\u2028 😀","a":[1.50,[],{}]}'),
        ("compact-ascii", '{"b":"\\u00c9/<a&b> \\" \\n\\u2028 \\ud83d\\ude00","a":[1.50,[],{}]}'),
        ("indented", '{\n  "b": "É/<a&b> \\" \\n\u2028 😀",\n  "a": [\n    1.50,\n    [],\n    {}\n  ]\n}'),
        ("python", '{"b": "\\u00c9/<a&b> \\" \\n\\u2028 \\ud83d\\ude00", "a": [1.50, [], {}]}'),
        ("python-sorted", '{"a": [1.50, [], {}], "b": "\\u00c9/<a&b> \\" \\n\\u2028 \\ud83d\\ude00"}'),
        ("php", '{"b":"\\u00c9\\/<a&b> \\" \\n\\u2028 \\ud83d\\ude00","a":[1.50,[],{}]}'),
        ("go", '{"b":"É/\\u003ca\\u0026b\\u003e \\" \\n\\u2028 😀","a":[1.50,[],{}]}'),
        ("go-line", '{"b":"É/\\u003ca\\u0026b\\u003e \\" \\n\\u2028 😀","a":[1.50,[],{}]}\n'),
        ("rails", '{"b":"É/\\u003ca\\u0026b\\u003e \\" \\n\\u2028 😀","a":[1.50,[],{}]}'),
    ],
)
def test_each_style_has_its_separators_escapes_order_and_end(style, expected):
    assert expected == JsonStyle(style).write(TEXT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42.0", "42"),
        ("-0.0", "0"),
        ("2499.10", "2499.1"),
        ("1E5", "100000"),
        ("0.00000123", "0.00000123"),
        ("1.5e-7", "1.5e-7"),
        ("1e-7", "1e-7"),
        ("123456789012345680000", "123456789012345680000"),
        ("1.25e21", "1.25e+21"),
        ("1e21", "1e+21"),
        ("9007199254740993", "9007199254740992"),
        ("1152921504606846976", "1152921504606847000"),
        ("1e400", "null"),
        ('{"b":1,"10":2,"2":3,"4294967295":4}', '{"2":3,"10":2,"b":1,"4294967295":4}'),
        ('{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'),
    ],
)
def test_node_writes_numbers_and_keys_as_javascript_does(text, expected):
    """Known answers of JSON.stringify(JSON.parse(text)) in Node 20."""
    assert expected == JsonStyle.NODE.write(text)


@pytest.mark.parametrize("style", sorted(WRITTEN))
def test_a_style_escapes_what_its_program_escapes(style):
    text = "".join(map(chr, range(1, 128))) + "é\u2028\u2029\U0001f600"

    assert WRITTEN[style] == f'"{JsonStyle(style).quote(text)}"'


# restfbmessenger#11 has %, conversation-connector#56 the other three.
def test_meta_escapes_four_characters_of_ascii_and_all_others():
    assert r"100\u0025 a\u0040b \u003Cx> \/ \u00e9 '&\"" == JsonStyle.META.quote("100% a@b <x> / é '&\"")


@pytest.mark.parametrize(
    ("name", "event", "values", "expected"),
    [
        ("whatsapp", "messages.text", {"name": "100% a/b"}, rb'"name":"100\u0025 a\/b"'),
        ("whatsapp", "messages.text", {"name": "ë <a@b> 😀"}, rb'"\u00eb \u003Ca\u0040b> \ud83d\ude00"'),
    ],
)
def test_what_the_user_types_is_escaped_as_the_sender_does(name, event, values, expected):
    assert expected in provider(name).sample(event, seed=3, values=values).body


@given(JSON)
def test_python_writes_the_styles_of_python(value):
    text = json.dumps(value)

    assert text == JsonStyle.PYTHON.write(text)
    assert json.dumps(value, sort_keys=True) == JsonStyle.PYTHON_SORTED.write(text)
    assert json.dumps(value, separators=(",", ":"), ensure_ascii=False) == JsonStyle.COMPACT.write(text)
    assert json.dumps(value, separators=(",", ":")) == JsonStyle.COMPACT_ASCII.write(text)


@given(JSON, st.sampled_from(JsonStyle))
def test_what_a_style_writes_means_the_same_and_is_written_again_without_a_change(value, style):
    written = style.write(json.dumps(value))

    assert value == json.loads(written)
    assert written == style.write(written)


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (None, '{"name":"Zoë & <Co>/1"}'),
        (JsonStyle.PHP, '{"name":"Zo\\u00eb & <Co>\\/1"}'),
        (JsonStyle.GO, '{"name":"Zoë \\u0026 \\u003cCo\\u003e/1"}'),
    ],
)
def test_a_varied_value_gets_the_escapes_of_the_serializer(style, expected):
    name = Param(kind=ParamKind.TEXT, paths=("name",))
    sample = Param(kind=ParamKind.TEXT, sample="Ada")
    for params in ({"name": name}, {"name": sample}):
        variation = Variation(b'{"name":"Ada"}', params, style=style)

        assert expected == variation.vary({"name": "Zoë & <Co>/1"}).decode()
