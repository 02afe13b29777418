"""The catalogue is strict: a slip in a data file is found when it is read, and named by file and field."""

from __future__ import annotations

import re

import pytest

from hook_widgets.errors import CatalogError, UnknownName
from hook_widgets.webhooks import provider, providers
from hook_widgets.webhooks.catalog import read_provider

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
    found = read_provider(acme(GOOD))

    assert ("acme", "order.created", 300) == (found.id, found.events[0].name, found.schemes[0].tolerance_s)
    assert re.fullmatch(r"ac_[0-9a-f]{20}", found.example_secret().reveal())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "payment"', "", "kind: it is missing"),
        ('kind = "payment"', 'kinds = "payment"\nkind = "forms"', "kinds: there is no such field"),
        ('kind = "payment"', "kind = 3", "kind: Input should be 'payment'"),
        ('kind = "payment"', 'kind = "payment', "line 3"),
        ('id = "acme"\n', 'id = "acne"\n', "the folder is named 'acme'"),
        ('confidence = "docs"', 'confidence = "sure"', "confidence: Input should be 'sdk'"),
        ('type = "secret"', 'type = "pair"', "key: Input tag 'pair'"),
        ("length = 20", "length = 0", "key.example.length: Input should be greater"),
        (
            'algorithm = "hmac-sha256"',
            'algorithm = "hmac-md5"',
            "schemes[0].signatures[0].algorithm",
        ),
        ('encoding = "hex"', 'encoding = "Hex"', "schemes[0].signatures[0].encoding: "),
        ("tolerance_s = 300", "tolerance_s = -1", "schemes[0].tolerance_s: Input should be"),
        ('timestamp = "s"', "", "{timestamp} needs the scheme's unit"),
        (
            "{timestamp}.{body}",
            "{timestamp}.{bdoy}",
            "schemes[0].signatures[0].message: there is no field {bdoy}",
        ),
        ("{timestamp}.{body}", "{timestamp}.{body", "brace outside a field"),
        ("v1={signature}", "v1=", "none carries {signature}"),
        ('"{id}"', '"{ids}"', "schemes[0].headers.Acme-Id: there is no field {ids}. Did you mean 'id'?"),
        ('name = "order.created"', 'name = "order.deleted"', "write it to events/order.deleted.json"),
        (
            'category = "order"',
            'category = "order"\nscheme = "v2"',
            "events[0].scheme: there is no scheme 'v2'",
        ),
        ('category = "order"', 'category = "order"\nheaders = { A = "{nope}" }', "events[0].headers.A"),
        ("[[events]]", '[[events]]\nname = "order.created"\ncategory = "x"\n[[events]]', "stands 2 times"),
        ('title = "Acme"', 'title = "Acme"\ninherits = "strpe"', "Did you mean 'stripe'?"),
    ],
)
def test_every_slip_names_file_and_field(acme, old, new, words):
    assert old in GOOD
    with pytest.raises(CatalogError, match=re.escape(words)) as caught:
        read_provider(acme(GOOD.replace(old, new, 1)))

    assert str(caught.value).startswith("acme/provider.toml: ")


def test_every_provider_of_the_catalogue_reads_and_says_where_its_facts_come_from():
    for found in providers():
        assert found == provider(found.id)
        assert found.confidence == "seed" or (found.docs and all(s.sources for s in found.schemes)), found.id


def test_nine_neutral_kinds_stand_beside_the_real_providers():
    neutral = {p.id: p.kind for p in providers() if p.confidence == "seed"}

    assert neutral == {kind: kind for kind in neutral}
    assert {"payment", "code-hosting", "chat", "storefront", "telephony", "email-delivery"} <= neutral.keys()
    assert {"messaging-interaction", "mail-delivery", "generic"} <= neutral.keys()


@pytest.mark.parametrize("name", ["", "Stripe!", 3, None])
def test_a_name_that_is_no_provider_is_an_error_of_ours(name):
    with pytest.raises(UnknownName, match="no provider"):
        provider(name)
