"""Every question about another reading of a secret has a name, from which a tab derives the same key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from hook_widgets.webhooks import Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from hook_widgets.webhooks.diagnosis.key_edits import KeyEdit, edited
from hook_widgets.webhooks.diagnosis.key_variants import KeyVariant, spec_of, variant_spec, variants_of
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.scheme import SharedSecretSpec
from tests.support.diagnosing import AT, asked, key_of, names, received, signed
from tests.support.shapes import FEW_SHAPES

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "primitives.json").read_text(encoding="utf-8")
)["variants"]


def written_spec(text: str) -> KeySpec:
    """A key spec as the vectors write it, such as ``trim - base64 whsec_ sha1``."""
    edit, normalize, form, prefix, digest = ("" if word == "-" else word for word in text.split(" "))
    spec = KeySpec(KeyForm(form), prefix, cast("Any", normalize), digest)
    return edited(spec, KeyEdit(edit)) if edit else spec


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['spec']} {v['prefix']}")
def test_a_variant_is_the_spec_of_the_vectors(vector):
    spec = written_spec(vector["spec"])
    specs = {v: variant_spec(spec, vector["prefix"], v) for v in KeyVariant}

    assert {v: text and written_spec(text) for v, text in vector["variants"].items()} == specs


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['spec']} {v['prefix']}")
def test_a_variant_of_a_secret_is_the_key_of_the_vectors(vector):
    spec = written_spec(vector["spec"])

    for variant, (text, key) in vector["keys"].items():
        other = variant_spec(spec, vector["prefix"], KeyVariant(variant))
        assert other is not None
        assert bytes.fromhex(key) == other.decode(text), variant


SHARED = [name for name in FEW_SHAPES if isinstance(provider(name).key, SharedSecretSpec)]


@pytest.mark.parametrize("name", SHARED)
def test_every_question_of_a_diagnosis_is_about_the_key_that_its_name_gives(name):
    known = provider(name)
    assert isinstance(known.key, SharedSecretSpec)
    request = received(signed(name, key=key_of(name)))

    for question in asked(name, request).jobs:
        assert question.job.field in {s.name for s in known.scheme(question.scheme).signatures}
        if question.variant == KeyVariant.SWAPPED:
            assert known.key.spec == question.job.key
        elif question.variant is not None:
            assert spec_of(known.key, KeyVariant(question.variant)) == question.job.key


@pytest.mark.parametrize(
    ("own", "prefix", "other", "variants"),
    [
        (KeySpec(), "", KeySpec(), ("",)),
        (KeySpec(), "", KeySpec(KeyForm.BASE64), ("as-base64",)),
        (KeySpec(), "", KeySpec(KeyForm.BASE64, "whsec_"), ("as-base64", "unprefixed-base64")),
        (KeySpec(), "", KeySpec(KeyForm.HEX, "sk_"), ("as-hex", "unprefixed-hex")),
        (KeySpec(), "", KeySpec(digest="sha1"), ("digest-sha1",)),
        (KeySpec(), "", KeySpec(normalize="NFKD"), ("nfkd",)),
        (KeySpec(KeyForm.BASE64, "whsec_"), "whsec_", KeySpec(), ("as-text",)),
        (KeySpec(KeyForm.BASE64, "whsec_"), "whsec_", KeySpec(KeyForm.BASE64), ("as-base64",)),
        (KeySpec(KeyForm.BASE64), "", KeySpec(KeyForm.BASE64, "whsec_"), ("", "unprefixed")),
        (KeySpec(digest="sha1"), "", KeySpec(), ("as-text",)),
        (KeySpec(digest="sha1"), "", KeySpec(KeyForm.BASE64, "whsec_"), ("as-base64", "unprefixed-base64")),
        (KeySpec(KeyForm.HEX, digest="sha1"), "", KeySpec(KeyForm.BASE64, "w_"), ("unprefixed-base64",)),
        (KeySpec(KeyForm.BASE64), "", KeySpec(digest="sha1"), ()),
    ],
)
def test_the_key_of_another_provider_is_named_as_a_variant_of_ones_own(own, prefix, other, variants):
    assert variants == variants_of(own, prefix, other)


@pytest.mark.parametrize("typed", ["whsec_", ""])
def test_a_request_of_another_provider_is_recognised_with_and_without_its_prefix(typed):
    text = "QWRhIExvdmVsYWNlJ3MgZmlyc3QgcHJvZ3JhbSE="
    request = received(signed("svix", b'{"a":1}', key=Secret(f"whsec_{text}")))

    diagnosis = diagnose("github", request, Secret(typed + text), now=AT)

    assert names(diagnosis)[0] == "provider-other"
    assert "Svix" in diagnosis.findings[0].title or "Standard Webhooks" in diagnosis.findings[0].title
