"""The catalogue is strict: a slip in a data file is found when it is read, and named by file and field."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields

import pytest

from hook_widgets.errors import CatalogError, UnknownName
from hook_widgets.webhooks import provider, providers
from hook_widgets.webhooks.registry import read_provider
from hook_widgets.webhooks.registry.body_checks import body_faults
from hook_widgets.webhooks.registry.validation_errors import EXAMPLES
from hook_widgets.webhooks.scheme.record import file_name
from tests.support.provider_records import provider_records

GOOD = """
id = "acme"
kind = "payment"
title = "Acme"
confidence = "docs"

[key]
type = "secret"
title = "Signing secret"
example = { prefix = "ac_", alphabet = "hex", length = 20 }

[parts]
id = { make = "uuid" }

[[schemes]]
name = "v1"
timestamp = "s"
tolerance_s = 300

[schemes.headers]
"Acme-Id" = "{id}"
"Acme-Signature" = { value = "t={timestamp},v1={signature}", list = "," }

[[schemes.signatures]]
algorithm = "hmac-sha256"
message = "{id}.{timestamp}.{body}"
encoding = "hex"

[[events]]
name = "order.created"
category = "order"
"""


@pytest.fixture
def acme(tmp_path):
    def write(text):
        folder = tmp_path / "acme"
        (folder / "events").mkdir(parents=True)
        (folder / "events" / "order.created.json").write_bytes(b"{}")
        (folder / "provider.toml").write_text(text, encoding="utf-8")
        return folder

    return write


def test_a_folder_of_data_is_a_provider(acme):
    parsed = read_provider(acme(GOOD))

    assert ("acme", "order.created", 300) == (
        parsed.id,
        parsed.events[0].name,
        parsed.schemes[0].tolerance_s,
    )
    assert re.fullmatch(r"ac_[0-9a-f]{20}", parsed.example_secret().reveal())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "payment"', "", 'kind: it is missing; add kind = "payment"'),
        (
            'kind = "payment"',
            'kinds = "a"\nkind = "forms"',
            "3: kinds: there is no such field; did you mean 'kind'?",
        ),
        ('kind = "payment"', "kind = 3", "3: kind: it cannot be a number; use one such as payment, "),
        ('kind = "payment"', 'kind = "paymnt"', "3: kind: it cannot be 'paymnt'; did you mean 'payment'?"),
        ('kind = "payment"', 'kind = "payment', "3: it is not TOML: Illegal character"),
        ('id = "acme"\n', 'id = "acne"\n', "2: id: it is 'acne', but the folder is named for 'acme'"),
        (
            'confidence = "docs"',
            'confidence = "sure"',
            "5: confidence: it cannot be 'sure'; choose from: docs, peer",
        ),
        ('title = "Acme"', 'title = ["Acme"]', "4: title: it is a list; write text in quotes"),
        ('type = "secret"', 'type = "pair"', "8: key.type: it cannot be 'pair'; did you mean 'key-pair'?"),
        ('type = "secret"', "", "7: key.type: it is missing"),
        ("length = 20", "length = 0", "10: key.example.length: it is 0; it must be greater than 0"),
        ("length = 20", 'length = "20"', "10: key.example.length: it is text; write a whole number"),
        ("length = 20", "lenght = 20", "lenght: there is no such field; did you mean 'length'?"),
        (
            'algorithm = "hmac-sha256"',
            'algorithm = "sha256"',
            "25: schemes[0].signatures[0].algorithm: it cannot",
        ),
        ('encoding = "hex"', 'encoding = "Hex"', "27: schemes[0].signatures[0].encoding: it cannot be 'Hex'"),
        ("tolerance_s = 300", "tolerance_s = -1", "18: schemes[0].tolerance_s: it is -1; it must be"),
        (
            "tolerance_s = 300",
            "tolerance = 300",
            "18: schemes[0].tolerance: there is no such field; did you mean",
        ),
        ('timestamp = "s"', "", "{timestamp} needs the scheme's unit; add timestamp"),
        (
            'timestamp = "s"',
            'timestamp = "s"\nabsent = { claims = ["hash"] }',
            "18: schemes[0].absent.claims: the scheme has no token with claims",
        ),
        (
            'timestamp = "s"',
            'timestamp = "s"\nabsent = { body = true }',
            "18: schemes[0].absent.body: the scheme signs the body",
        ),
        (
            "{timestamp}.{body}",
            "{timestamp}.{bdoy}",
            "26: schemes[0].signatures[0].message: there is no field {bdoy}",
        ),
        ("{timestamp}.{body}", "{timestamp}.{body", "26: schemes[0].signatures[0].message: template"),
        ("v1={signature}", "v1=", "20: schemes[0].headers: none carries {signature}"),
        ('"{id}"', '"{ids}"', "21: schemes[0].headers.Acme-Id: there is no field {ids}; did you mean 'id'?"),
        ('"{id}"', "3", "21: schemes[0].headers.Acme-Id: it is a number; write text in quotes"),
        ('list = ","', 'lst = ","', "lst: there is no such field; did you mean 'list'?"),
        (
            'name = "order.created"',
            'name = "order.deleted"',
            "29: events[0]: the body of 'order.deleted' is missing",
        ),
        (
            'category = "order"',
            'category = "order"\nscheme = "v2"',
            "32: events[0].scheme: there is no scheme 'v2'",
        ),
        (
            'category = "order"',
            'category = "order"\nfile = "../x"',
            "32: events[0].file: '../x' must be the plain name",
        ),
        (
            'category = "order"',
            'category = "order"\nheaders = { A = "{nope}" }',
            "32: events[0].headers.A: there is",
        ),
        (
            "[[events]]",
            '[[events]]\nname = "order.created"\ncategory = "x"\n[[events]]',
            "33: events[1].name: ",
        ),
        (
            'title = "Acme"',
            'title = "Acme"\ninherits = "strpe"',
            "5: inherits: there is no provider 'strpe'; did you",
        ),
        ('id = "acme"', 'id = "Acme!"', "2: id: 'Acme!' is no id; use lower-case"),
        (
            "[parts]",
            "[parts]\nbody = { make = 'uuid' }",
            "13: parts.body: a field of this name is there already",
        ),
        (
            'timestamp = "s"',
            'timestamp = "s"\nrotation = { header = "A-{m}" }',
            "rotation.header: there is no field {m}",
        ),
        (
            "[schemes.headers]",
            "[schemes.fields]\na = { text = '{b}' }\nb = { text = '{a}' }\n[schemes.headers]",
            "schemes[0].fields.b: it is computed from itself",
        ),
        (
            "[[events]]",
            "[[handshakes]]\nname = 'h'\nresponse = { text = '{q}' }\n[[events]]",
            "31: handshakes[0].response: there is no field {q}",
        ),
        (
            "[[events]]",
            "[[handshakes]]\nname = 'h'\nevent = 'e'\nresponse = {}\n[[events]]",
            "31: handshakes[0].event: there is no event 'e'",
        ),
        ('title = "Acme"', 'title = " "', "4: title: it is empty"),
        (
            'category = "order"',
            'category = ""',
            "31: events[0].category: it is empty; name the event and the group",
        ),
        (
            "[[events]]",
            '[[events]]\nname = "x"\ncategory = "Order"\nbody = ""\n[[events]]',
            "35: events[1].category: 'order' and 'Order' would be two groups",
        ),
        ('"Acme-Id"', '"Acme Id"', "21: schemes[0].headers.Acme Id: 'Acme Id' is not a header name"),
        (
            '"Acme-Id"',
            '"Content-Length"',
            "21: schemes[0].headers.Content-Length: Content-Length is set when",
        ),
        (
            '"Acme-Id" =',
            '"acme-signature" = "x"\n"Acme-Id" =',
            "headers.Acme-Signature: it stands there already",
        ),
        (
            "[parts]",
            "[parts]\nMy-Id = { make = 'uuid' }",
            "13: parts.My-Id: 'My-Id' cannot stand in a template",
        ),
        (
            "[[events]]",
            "[params.a]\nkind = 'id'\nsample = 'x'\n[params.b]\nkind = 'id'\nsample = 'x'\n[[events]]",
            "34: params.b.sample: 'x' is the sample of 'a', too",
        ),
        (
            "[[events]]",
            "[params.id]\ntitle = 'Id'\nkind = 'id'\n[[events]]",
            "29: params.id: give either sample or paths",
        ),
    ],
)
def test_every_slip_names_file_line_and_field_and_what_to_do(acme, old, new, words):
    assert old in GOOD
    with pytest.raises(CatalogError, match=re.escape(words)) as caught:
        read_provider(acme(GOOD.replace(old, new, 1)))

    assert str(caught.value).startswith("acme/provider.toml")


def test_all_faults_of_a_file_are_reported_at_once_in_reading_order(acme):
    text = GOOD.replace('"payment"', '"paymnt"').replace("length = 20", "length = 0").replace('"hex"', '"hx"')

    with pytest.raises(CatalogError) as caught:
        read_provider(acme(text.replace('title = "Acme"', "")))

    assert [
        "acme/provider.toml has 5 faults:",
        '  title: it is missing; add title = "Acme"',
        "  line 3: kind: it cannot be 'paymnt'; did you mean 'payment'?",
        "  line 10: key.example.alphabet: it cannot be 'hx'; did you mean 'hex'?",
        "  line 10: key.example.length: it is 0; it must be greater than 0",
        "  line 27: schemes[0].signatures[0].encoding: it cannot be 'hx'; did you mean 'hex'?",
    ] == str(caught.value).splitlines()


def test_of_many_faults_ten_are_reported_and_the_others_counted(acme):
    wrong = "\n".join(f"wrong_{n} = {n}" for n in range(13))

    with pytest.raises(CatalogError) as caught:
        read_provider(acme(wrong + GOOD))

    messages = str(caught.value).splitlines()
    assert (12, "acme/provider.toml has 13 faults:", "  and 3 more") == (
        len(messages),
        messages[0],
        messages[-1],
    )


def test_an_example_is_known_for_every_field_that_may_be_missing():
    required = {
        file_name(field.name)
        for record in provider_records()
        for field in fields(record)
        if field.default is MISSING and field.default_factory is MISSING
    }

    assert {"signatures", "alphabet", "response"} <= required
    assert set() == required - EXAMPLES.keys()


def test_every_provider_of_the_catalogue_reads_and_says_where_its_facts_come_from():
    for parsed in providers():
        assert parsed == provider(parsed.id)
        assert parsed.confidence.scheme == "seed" or (
            parsed.docs and all(s.sources for s in parsed.schemes)
        ), parsed.id


@pytest.mark.parametrize("name", [parsed.id for parsed in providers()])
def test_of_every_event_a_request_can_be_made_and_every_parameter_stands_in_a_body(name):
    assert [] == list(body_faults(provider(name)))


def test_nine_neutral_kinds_stand_beside_the_real_providers():
    neutral = {p.id: p.kind for p in providers() if p.confidence.scheme == "seed"}

    assert neutral == {kind: kind for kind in neutral}
    assert {"payment", "code-hosting", "chat", "storefront", "telephony", "email-delivery"} <= neutral.keys()
    assert {"messaging-interaction", "mail-delivery", "generic"} <= neutral.keys()


@pytest.mark.parametrize("name", ["", "Stripe!", 3, None, []])
def test_a_name_that_is_no_provider_is_an_error_of_ours(name):
    with pytest.raises(UnknownName, match="no provider"):
        provider(name)


@pytest.mark.parametrize("name", ["Stripe", "STRIPE", " stripe "])
def test_capitals_and_spaces_of_an_id_do_not_count(name):
    assert "stripe" == provider(name).id


@pytest.mark.parametrize(
    ("name", "suggestion"), [("git", "github"), ("Git", "github"), ("slak", "slack"), ("shop", "shopify")]
)
def test_the_best_known_provider_that_begins_so_is_suggested(name, suggestion):
    with pytest.raises(UnknownName, match=f"did you mean '{suggestion}'"):
        provider(name)
