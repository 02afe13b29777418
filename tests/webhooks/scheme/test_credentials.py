"""Each place where a provider's requests carry the credential itself is known, to be taken out of them."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest

from hook_widgets.webhooks import Secret, WebhookRequest, provider, registry
from hook_widgets.webhooks.body.json_edit import span
from hook_widgets.webhooks.scheme import CredentialPlace, credential_places
from tests.support.acme import KEY

SECRET = Secret("user:canary-4f8a2c71")
#: the schemes whose credential is the secret itself
TOKENS = [
    pytest.param(known.id, scheme.name, id=f"{known.id} {scheme.name}")
    for known in registry.providers()
    for scheme in known.schemes
    if any(s.algorithm.reveals_secret for s in scheme.signatures)
]


def carried(request: WebhookRequest, place: CredentialPlace) -> str:
    """The credential that stands in a place, taken out by what is said of the place alone."""
    match place.part:
        case "header":
            value = request.headers[place.name]
        case "json":
            content: object = json.loads(request.body)
            for step in place.name.split("/")[1:]:
                name = step.replace("~1", "/").replace("~0", "~")
                content = content[int(name)] if isinstance(content, list) else content[name]  # type: ignore[index]
            value = str(content)
        case _:
            value = dict(parse_qsl(request.body.decode()))[place.name]
    before, after = place.template.split("{}")
    assert value.startswith(before)
    assert value.endswith(after)
    text = value[len(before) : len(value) - len(after)]
    return base64.b64decode(text).decode() if place.encoding == "base64" else text


@pytest.mark.parametrize(("name", "scheme"), TOKENS)
def test_a_place_gives_the_secret_of_a_signed_sample(name, scheme):
    known = provider(name)
    places = credential_places(known.scheme(scheme))
    request = known.draft(scheme=scheme).sign(SECRET)

    assert places
    assert [SECRET.reveal()] * len(places) == [carried(request, place) for place in places]


@pytest.mark.parametrize(("name", "scheme"), TOKENS)
def test_no_credential_is_left_when_its_places_are_emptied(name, scheme):
    known = provider(name)
    request = known.draft(scheme=scheme).sign(SECRET)
    forms = SECRET.reveal(), base64.b64encode(SECRET.reveal().encode()).decode()
    named = {
        place.name.lower() for place in credential_places(known.scheme(scheme)) if place.part == "header"
    }
    rest = " ".join(value for key, value in request.headers.multi_items() if key.lower() not in named)
    body = request.body.decode()
    for place in credential_places(known.scheme(scheme)):
        if place.part == "json":
            start, end = span(request.body, place.name[1:].replace("/", ".")) or (0, 0)
            body = request.body[:start].decode() + request.body[end:].decode()

    assert not any(form in rest + body for form in forms)


def test_a_request_that_is_signed_carries_no_credential():
    assert [()] == list({credential_places(s) for s in provider("hubspot").schemes})


TOKEN = """
[[schemes]]
name = "token"
sources = ["x"]
{}
signatures = [ {{ algorithm = "token", message = "", encoding = "{}", name = "token" }} ]
"""


@pytest.mark.parametrize(
    ("carrier", "encoding", "places"),
    [
        ('headers = { A = "Token {token}" }', "text", [("header", "A", "Token {}", "text")]),
        ('headers = { A = "Token {token}" }', "base64", [("header", "A", "Token {}", "base64")]),
        # what is no text and no base64, or stands beside other fields, is taken out with all around it
        ('headers = { A = "Token {token}" }', "hex", [("header", "A", "{}", "text")]),
        ('headers = { A = "{method} {token}" }', "text", [("header", "A", "{}", "text")]),
        (
            'headers = { A = { value = "a={token},b={token}", list = "," } }',
            "text",
            [("header", "A", "{}", "text")],
        ),
        ('headers = {}\nbody = { "n" = "{token}" }', "text", [("json", "/n", "{}", "text")]),
        (
            'headers = { A = "{token}" }\nbody = { "n" = "{token}" }',
            "text",
            [("header", "A", "{}", "text"), ("json", "/n", "{}", "text")],
        ),
    ],
)
def test_the_places_of_a_provider_of_ones_own(acme, carrier, encoding, places):
    known = acme(TOKEN.format(carrier, encoding))

    assert places == list(credential_places(known.schemes[0]))


def test_a_step_of_a_path_is_escaped_as_a_json_pointer():
    scheme = replace(provider("figma").schemes[0], body={"a/b.0.c~d": "{signature}"})

    assert [("json", "/a~1b/0/c~0d", "{}", "text")] == list(credential_places(scheme))


def test_json_in_a_field_of_a_form_is_taken_whole_however_the_form_is_written():
    scheme = replace(provider("figma").schemes[0], json_in="payload")

    assert [("form", "payload", "{}", "text"), ("multipart", "payload", "{}", "text")] == list(
        credential_places(scheme)
    )


def test_a_parameter_of_a_form_is_a_place(acme):
    known = acme(
        TOKEN.format('headers = {}\nform = { "token" = "{token}" }\ncontent_type = "x/y"', "text"), b"token="
    )
    (place,) = credential_places(known.schemes[0])
    request = known.draft(body=b"a=1&token=&b=2").sign(KEY)

    assert ("form", "token", "{}", "text") == place
    assert KEY.reveal() == carried(request, place)


def test_an_older_token_stands_in_a_header_of_its_own(acme):
    known = acme(TOKEN.format('headers = { A = "{token}" }\nrotation = { header = "A-{n}" }', "text"))
    request = known.draft().sign(KEY, SECRET)
    places = credential_places(known.schemes[0])

    assert [KEY.reveal(), SECRET.reveal()] == [carried(request, place) for place in places[:2]]
