"""Providers of a user's own: found beside the notebook or in a package, never in the way of the others."""

from __future__ import annotations

import os
import sys

import pytest

from hook_widgets.errors import CatalogError, UnknownName
from hook_widgets.webhooks import Secret, registry, verify
from hook_widgets.webhooks.registry import sources

ACME = """
id = "acme"
kind = "payment"
title = "Acme"
confidence = "docs"

[key]
type = "secret"
title = "Signing secret"
example = { prefix = "ac_", alphabet = "hex", length = 20 }

[[schemes]]
name = "v1"
[schemes.headers]
"Content-Type" = "application/json"
"Acme-Signature" = "{signature}"
[[schemes.signatures]]
algorithm = "hmac-sha256"
message = "{body}"
encoding = "hex"

[[events]]
name = "order.created"
category = "order"
body = '''
{"id": "or_1", "note": "naïve \\\\u00e9"}'''
"""
INHERITING = 'id = "{id}"\nkind = "payment"\ntitle = "{title}"\nconfidence = "docs"\ninherits = "{base}"\n'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder of a notebook; what a test adds is forgotten after it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hook_widgets.webhooks.registry.api._added", [])
    return tmp_path


def folder(place, name="acme", text=ACME, body=b'{"id":"or_1"}'):
    (place / name / "events").mkdir(parents=True)
    (place / name / "events" / "order.created.json").write_bytes(body)
    (place / name / "provider.toml").write_text(text.partition("body = '''")[0], encoding="utf-8")
    return place / name


def file(place, name="acme", text=ACME):
    path = place / f"{name}.provider.toml"
    path.write_text(text, encoding="utf-8")
    return path


def ids():
    return {each.id for each in registry.providers()}


# -- where they are found --------------------------------------------------------------------------


def test_a_file_beside_the_notebook_is_a_provider_with_its_bodies_inside(here):
    file(here)

    request = registry.provider("acme").draft(event="order.created").sign(Secret("ac_1"))

    assert '{"id": "or_1", "note": "naïve \\\\u00e9"}'.encode() == request.body
    assert verify("acme", request, Secret("ac_1")).ok
    assert "acme" in ids()
    assert () == registry.problems()


@pytest.mark.parametrize("make", [folder, file])
def test_folders_and_files_in_webhook_providers_are_providers(here, make):
    (here / "webhook_providers").mkdir()
    make(here / "webhook_providers")

    assert registry.provider("acme").template().startswith(b'{"id":')


def test_a_folder_with_a_provider_elsewhere_is_not_looked_for(here):
    folder(here)

    with pytest.raises(UnknownName, match="no provider 'acme'"):
        registry.provider("acme")


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("make", [folder, file])
def test_providers_are_added_from_any_path(here, make, several):
    (here / "data").mkdir()
    path = make(here / "data")

    assert ("acme",) == registry.add_providers(path.parent if several else str(path))
    assert ("acme",) == registry.add_providers(path)
    assert "acme" == registry.provider("acme").id


@pytest.mark.parametrize("name", ["nothing", "."])
def test_adding_a_path_without_a_provider_is_an_error_that_says_what_belongs_there(here, name):
    with pytest.raises(CatalogError, match=r"there is no provider; name a folder with provider\.toml"):
        registry.add_providers(here / name)


@pytest.fixture
def package(tmp_path_factory, monkeypatch):
    """An installed package with a provider; importing it fails."""
    site = tmp_path_factory.mktemp("site")
    folder(site / "acme_hooks" / "data")
    (site / "acme_hooks" / "__init__.py").write_text("raise ImportError('code of the package was run')")
    info = site / "acme_hooks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-hooks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{sources.GROUP}]\nacme = acme_hooks.data\n")
    monkeypatch.syspath_prepend(site)
    sources.installed.cache_clear()
    monkeypatch.setattr("hook_widgets.webhooks.registry.api._registries", [])
    yield site
    sources.installed.cache_clear()


def test_an_installed_package_brings_providers_and_none_of_its_code_is_run(package):
    assert b'{"id":"or_1"}' == registry.provider("acme").template()
    assert "acme" in ids()
    assert "acme_hooks" not in sys.modules


def test_an_entry_point_that_leads_nowhere_is_a_problem_and_nothing_else(package):
    (package / "acme_hooks-1.0.dist-info" / "entry_points.txt").write_text(
        f"[{sources.GROUP}]\na = acme_hooks.nothing\nb = no_such_package.data\n"
    )

    assert ["entry point a of acme-hooks", "entry point b of acme-hooks"] == [
        w for w, _ in registry.problems()
    ]
    assert "there is no folder acme_hooks/nothing with providers in it" in registry.problems()[0][1]
    assert "stripe" in ids()


def test_an_installed_package_may_not_take_the_place_of_another_provider(package):
    text = ACME.replace('"acme"', '"stripe"').replace("[key]", "replaces = true\n[key]")
    folder(package / "acme_hooks" / "data", "stripe", text)

    assert "Stripe" == registry.provider("stripe").title
    assert "there is a provider 'stripe' already; choose another id" in registry.problems()[0][1]
    assert "replaces" not in registry.problems()[0][1]


# -- inheriting and replacing ----------------------------------------------------------------------


def test_a_provider_may_have_all_of_a_built_in_one_but_its_name(here):
    file(here, "our-stripe", INHERITING.format(id="our-stripe", title="Our Stripe", base="stripe"))

    own, base = registry.provider("our-stripe"), registry.provider("stripe")
    assert (own.schemes, own.events, own.key) == (base.schemes, base.events, base.key)
    assert own.template("invoice.paid") == base.template("invoice.paid")


def test_a_provider_may_inherit_from_another_of_the_users(here):
    folder(here / "webhook_providers")
    file(here, "acme-eu", INHERITING.format(id="acme-eu", title="Acme Europe", base="acme"))

    assert b'{"id":"or_1"}' == registry.provider("acme-eu").template()


def test_inheriting_in_a_circle_is_an_error(here):
    file(here, "one", INHERITING.format(id="one", title="One", base="two"))
    file(here, "two", INHERITING.format(id="two", title="Two", base="one"))

    with pytest.raises(
        CatalogError, match=r"two\.provider\.toml, line 5: inherits: 'two' inherits from this"
    ):
        registry.provider("two")
    assert 2 == len(registry.problems())


def test_an_id_that_is_taken_is_a_problem_and_the_other_stays(here):
    path = file(here, "stripe", ACME.replace('"acme"', '"stripe"'))

    assert "Stripe" == registry.provider("stripe").title
    assert [str(path)] == [where for where, _ in registry.problems()]
    assert (
        "there is a provider 'stripe' already; choose another id, or write replaces = true"
        in registry.problems()[0][1]
    )


def test_a_provider_that_says_so_takes_the_place_of_another_and_may_inherit_from_it(here):
    text = INHERITING.format(id="stripe", title="Stripe, older", base="stripe") + "replaces = true\n"
    built_in = registry.provider("stripe")
    file(here, "stripe", text)

    stripe = registry.provider("stripe")

    assert ("Stripe, older", built_in.events) == (stripe.title, stripe.events)
    assert ["Stripe, older"] == [p.title for p in registry.providers() if p.id == "stripe"]
    assert () == registry.problems()


def test_a_replacement_that_is_found_in_two_ways_is_one(here):
    file(here, "stripe", INHERITING.format(id="stripe", title="Ours", base="stripe") + "replaces = true\n")
    registry.add_providers(here)

    assert "Ours" == registry.provider("stripe").title
    assert () == registry.problems()


def test_words_in_a_body_replace_no_provider(here):
    file(
        here,
        "stripe",
        ACME.replace('"acme"', '"stripe"').replace('{"id"', 'replaces = true\n{"id"').replace("/json", "/x"),
    )

    with pytest.raises(
        CatalogError, match="there is a provider 'stripe' already; write replaces = true among"
    ):
        registry.provider("stripe")


def test_a_replacement_that_is_broken_leaves_no_other_in_its_place(here):
    file(here, "stripe", "replaces = true\nid = stripe")

    with pytest.raises(CatalogError, match=r"stripe\.provider\.toml, line 2: it is not TOML"):
        registry.provider("stripe")
    assert "stripe" not in ids()
    assert "github" in ids()


# -- one that is broken ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id = ", "acme.provider.toml, line 1: it is not TOML: Invalid value (at end of document)"),
        ('id = "acme"\n# caf\xe9'.encode("latin-1"), "acme.provider.toml, line 2: it is not UTF-8"),
        (ACME.replace("payment", "paymnt"), "acme.provider.toml, line 3: kind: it cannot be 'paymnt'"),
        (ACME.replace('"acme"', '"acne"'), "line 2: id: it is 'acne', but the file is named for 'acme'"),
        (
            ACME.partition("body = '")[0],
            "line 22: events[0]: the body of 'order.created' is missing; write it here",
        ),
        (
            ACME.replace('"or_1",', '"or_1"'),
            "line 25: events[0].body: line 1, column 14 of the body: a comma is missing",
        ),
        (
            ACME.replace("{body}", "{id}{body}") + "[parts]\nid = { make = 'uuid', value = 'x' }",
            "make or value, not both",
        ),
        (
            ACME.replace('name = "v1"', 'name = "v1"\n[schemes.body]\n"meta.sig" = "{signature}"'),
            "events[0]: no request can be made of 'order.created': the body has no 'meta.sig'",
        ),
        (
            ACME + '[params.ref]\nkind = "id"\nsample = "or_2"',
            "line 27: params.ref: no body has the text 'or_2'; correct it, or remove the parameter",
        ),
        (
            ACME + '[params.ref]\nkind = "time"\nsample = "or_1"',
            "line 28: params.ref.kind: 'or_1' in the body of 'order.created' is not a time such as",
        ),
        (
            ACME.replace("length", "lenght"),
            "line 10: key.example.lenght: there is no such field; did you mean 'length'?",
        ),
        (
            ACME.replace("[[schemes]]", 'form = "base64"\n[[schemes]]', 1),
            "line 10: key.example: a secret that looks like this cannot be read as form = 'base64'",
        ),
    ],
)
def test_a_broken_file_is_reported_and_breaks_no_other_provider(here, text, words):
    path = here / "acme.provider.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    folder(here / "webhook_providers", "other", ACME.replace('"acme"', '"other"'))

    assert "other" in ids()
    assert "acme" not in ids()
    ((where, message),) = registry.problems()
    assert str(path) == where
    assert words in message
    with pytest.raises(CatalogError) as caught:
        registry.provider("acme")
    assert message == str(caught.value)


def test_a_folder_that_cannot_be_read_as_a_provider_is_reported_too(here):
    (here / "acme.provider.toml").symlink_to(here / "gone")
    (here / "webhook_providers").write_text("a file, no folder")

    assert "stripe" in ids()
    assert () == registry.problems()


def test_the_catalogue_works_where_the_working_directory_was_deleted(here):
    (here / "gone").mkdir()
    os.chdir(here / "gone")
    (here / "gone").rmdir()

    assert "stripe" == registry.provider("stripe").id


# -- editing in a loop -----------------------------------------------------------------------------


def test_an_edit_counts_at_once_and_built_in_providers_are_not_read_again(here):
    stripe = registry.provider("stripe")
    path = file(here)
    assert "Acme" == registry.provider("acme").title

    path.write_text(ACME.replace('"Acme"', '"Ecma"'), encoding="utf-8")
    assert "Ecma" == registry.provider("acme").title
    path.write_text("id =", encoding="utf-8")
    assert 1 == len(registry.problems())
    path.unlink()
    with pytest.raises(UnknownName):
        registry.provider("acme")
    assert stripe is registry.provider("stripe")


def test_a_body_that_is_written_later_makes_a_folder_whole(here):
    place = folder(here / "webhook_providers")
    (place / "events" / "order.created.json").unlink()
    with pytest.raises(
        CatalogError, match=r"body of 'order.created' is missing; .* or to events/order.created.json"
    ):
        registry.provider("acme")

    (place / "events" / "order.created.json").write_bytes(b"{}")

    assert b"{}" == registry.provider("acme").template()


def test_files_that_rest_are_read_once(here):
    place = folder(here / "webhook_providers")
    for path in [place / "provider.toml", place / "events", place.parent, here]:
        os.utime(path, ns=(10**18, 10**18))

    assert registry.provider("acme") is registry.provider("acme")
    assert registry.providers() is registry.providers()
    first = registry.provider("acme")
    os.utime(place / "provider.toml", ns=(10**18, 10**18 + 1))
    assert first is not registry.provider("acme")


def test_a_provider_moves_with_the_working_directory(here):
    (here / "a").mkdir()
    (here / "b").mkdir()
    file(here / "a")
    os.chdir(here / "a")
    assert "acme" in ids()

    os.chdir(here / "b")

    assert "acme" not in ids()
