"""A request that carries its signature in another way is recognised by how."""

from __future__ import annotations

import base64

import pytest

from hook_widgets.webhooks import Headers, Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from tests.support.diagnosing import (
    AT,
    BODY,
    carrying,
    causes,
    draft_of,
    key_bytes,
    key_of,
    mac,
    message_of,
    names,
    received,
    replaced,
    secret_of,
    signed,
    usual,
)

HEXED = ["github", "stripe", "slack", "zoom"]
BASED = ["shopify", "square", "svix"]


def _raw(name):
    return mac(key_bytes(name), message_of(name))


@pytest.mark.parametrize("name", HEXED)
def test_base64_in_place_of_hex_is_named(name):
    text = base64.b64encode(_raw(name)).decode()

    assert ("signature-base64",) == causes(name, carrying(name, text), key_of(name))


@pytest.mark.parametrize("name", BASED)
def test_hex_in_place_of_base64_is_named(name):
    assert ("signature-hex",) == causes(name, carrying(name, _raw(name).hex()), key_of(name))


@pytest.mark.parametrize("form", ["b'{}'", "['{}']", '["{}"]', "('{}',)", "[{}]", '{}",', "{};"])
def test_a_value_as_a_program_prints_it_is_named(form):
    request = received(signed("github", key=key_of("github")))
    value = request.headers["X-Hub-Signature-256"]
    changed = received(
        signed("github", key=key_of("github")),
        headers=replaced(request.headers, value, form.format(value)),
    )

    assert ("signature-quotes",) == causes("github", changed, key_of("github"))


@pytest.mark.parametrize("name", BASED)
def test_the_base64_of_a_hex_text_is_named(name):
    text = base64.b64encode(_raw(name).hex().encode()).decode()

    assert ("signature-hex-in-base64",) == causes(name, carrying(name, text), key_of(name))


def _odd(name):
    """A body whose signature has both characters that the two base64 alphabets differ in, and a padding."""
    write, spec = provider(name).schemes[0].signatures[0].encoding.write, provider(name)
    for number in range(1000):
        request = spec.draft(body=b'{"n":%d}' % number, at=AT, url="https://example.com/in").sign(
            key_of(name)
        )
        text = write(mac(key_bytes(name), draft_of(request).jobs()[0].message))
        if "+" in text and "/" in text:
            return request, text
    raise AssertionError


@pytest.mark.parametrize("name", BASED)
@pytest.mark.parametrize(
    ("cause", "change"),
    [
        ("signature-base64-url", lambda text: text.replace("+", "-").replace("/", "_").rstrip("=")),
        ("signature-percent", lambda text: text.replace("+", "%2B").replace("=", "%3D")),
        ("signature-padding", lambda text: text.rstrip("=")),
        ("signature-quotes", lambda text: f'"{text}"'),
    ],
)
def test_a_base64_text_that_suffered_on_the_way_is_named(name, cause, change):
    request, text = _odd(name)

    changed = received(request, headers=replaced(request.headers, text, change(text)))

    assert (cause,) == causes(name, changed, key_of(name))


def test_a_base64_text_that_was_read_like_a_form_is_named():
    request, text = _odd("shopify")

    changed = received(request, headers=replaced(request.headers, text, text.replace("+", " ")))

    assert ("signature-plus",) == causes("shopify", changed, key_of("shopify"))


@pytest.mark.parametrize("name", HEXED)
def test_upper_case_hex_verifies_and_is_named_because_receivers_compare_texts(name):
    diagnosed = diagnose(name, carrying(name, _raw(name).hex().upper()), key_of(name), now=AT)

    assert diagnosed.verdict.ok
    assert ("signature-upper",) == names(diagnosed)


@pytest.mark.parametrize(
    ("name", "header", "change", "cause"),
    [
        ("github", "X-Hub-Signature-256", lambda v: v.removeprefix("sha256="), "signature-label-lost"),
        ("github", "X-Hub-Signature-256", lambda v: v.replace("sha256=", "sha1="), "signature-label"),
        ("github", "X-Hub-Signature-256", lambda v: "sha256=" + v, "signature-label"),
        ("slack", "X-Slack-Signature", lambda v: v.removeprefix("v0="), "signature-label-lost"),
        ("slack", "X-Slack-Signature", lambda v: v.replace("v0=", "v1="), "signature-label"),
        ("stripe", "Stripe-Signature", lambda v: v.replace("v1=", "v0="), "signature-label"),
        ("svix", "svix-signature", lambda v: v.replace("v1,", "v2,"), "signature-label"),
        ("svix", "svix-signature", lambda v: v.removeprefix("v1,"), "signature-label-lost"),
        ("zoom", "x-zm-signature", lambda v: v.replace("v0=", ""), "signature-label-lost"),
        ("gitea", "X-Gitea-Signature", lambda v: "v1:" + v, "signature-label"),  # afrotools#45
        (
            "github",
            "X-Hub-Signature-256",
            lambda v: v.replace("sha", "sha-"),
            "signature-label",
        ),  # webhooks.js#320
        # bifrost#726; notification-controller#141, as OpenSSL 1.1 and 3.0 print it, and with -r
        ("github", "X-Hub-Signature-256", lambda v: v.replace("=", "= "), "signature-quotes"),
        ("github", "X-Hub-Signature-256", lambda v: v.replace("=", "=(stdin)= "), "signature-label"),
        (
            "github",
            "X-Hub-Signature-256",
            lambda v: v.replace("sha256=", "SHA2-256(stdin)= "),
            "signature-label",
        ),
        ("github", "X-Hub-Signature-256", lambda v: v + " *stdin", "signature-label"),
    ],
)
def test_a_label_that_is_missing_or_another_is_named(name, header, change, cause):
    request = usual(name)
    headers = Headers([(n, change(v) if n == header else v) for n, v in request.headers.multi_items()])

    assert (cause,) == causes(name, received(request, headers=headers), key_of(name))


@pytest.mark.parametrize("name", ["github", "slack", "shopify", "svix", "zoom"])
def test_another_encoding_is_named_before_a_label_that_is_missing(name):  # hermes-agent#95068
    text, cause = base64.b64encode(_raw(name)).decode(), "signature-base64"
    if name in BASED:
        text, cause = _raw(name).hex(), "signature-hex"
    request = usual(name)
    draft = draft_of(request)
    headers = Headers([(n, text if draft.signs_header(n) else v) for n, v in request.headers.multi_items()])

    assert (cause,) == causes(name, received(request, headers=headers), key_of(name))


@pytest.mark.parametrize(
    ("name", "header", "renamed", "cause"),
    [
        ("github", "X-Hub-Signature-256", "HTTP_X_HUB_SIGNATURE_256", "signature-header-renamed"),
        ("shopify", "X-Shopify-Hmac-Sha256", "X_Shopify_Hmac_Sha256", "signature-header-renamed"),
        ("slack", "X-Slack-Signature", "X-Forwarded-Signature", "signature-header"),
        ("shopify", "X-Shopify-Hmac-Sha256", "X-Signature", "signature-header"),
        ("square", "x-square-hmacsha256-signature", "x-square-sha256", "signature-header"),
    ],
)
def test_a_signature_in_another_header_is_named_with_that_header(name, header, renamed, cause):
    request = usual(name)
    headers = Headers(
        [(renamed if n.lower() == header.lower() else n, v) for n, v in request.headers.multi_items()]
    )

    diagnosed = diagnose(name, received(request, headers=headers), key_of(name), now=AT)

    assert (cause,) == names(diagnosed)
    assert renamed in diagnosed.findings[0].title


@pytest.mark.parametrize("name", ["slack", "svix", "sendgrid", "messagebird", "qstash"])
def test_headers_that_were_all_renamed_are_named(name):
    """A server that writes _ for - renames the timestamp, too; a token is no text of a signature's length."""
    key = key_of(name)
    request = provider(name).draft(at=AT, url="https://hooks.example.com/in").sign(key)
    headers = Headers((n.replace("-", "_"), v) for n, v in request.headers.multi_items())

    diagnosed = diagnose(name, received(request, headers=headers), key, now=AT)

    assert ("signature-header-renamed",) == names(diagnosed)
    assert all(n in headers for n in diagnosed.findings[0].title.partition(": ")[2].split(", "))


@pytest.mark.parametrize("name", ["slack", "svix", "shopify", "alertmanager", "postmark"])
def test_quotes_around_the_whole_header_are_named(name):
    request = provider(name).draft(at=AT).sign(key_of(name))
    carrier = next(n for n, v in request.headers.multi_items() if draft_of(request).signs_header(n))
    headers = Headers([(n, f'"{v}"' if n == carrier else v) for n, v in request.headers.multi_items()])

    assert ("signature-quotes",) == causes(name, received(request, headers=headers), key_of(name))


@pytest.mark.parametrize(
    ("name", "header", "line_end"),
    [
        ("github", "X-Hub-Signature-256", "\n "),
        ("shopify", "X-Shopify-Hmac-Sha256", "\r\n "),  # xmlseclibs#62
        ("sendgrid", "X-Twilio-Email-Event-Webhook-Signature", "\n"),  # amazon-cloudfront-developer-guide#81
    ],
)
def test_a_line_break_in_a_signature_is_named(name, header, line_end):
    key = key_of(name)
    request = signed(name, BODY, key=key)
    value = request.headers[header]

    changed = received(request, headers=replaced(request.headers, value, value[:40] + line_end + value[40:]))

    assert ("signature-quotes",) == causes(name, changed, key)


@pytest.mark.parametrize("comma", [",", " ,", ",  "])
@pytest.mark.parametrize(
    ("name", "header"),
    [("workos", "WorkOS-Signature"), ("ghost", "X-Ghost-Signature")],  # workos/emulate#35
)
def test_other_spaces_after_the_commas_of_a_header_are_named(name, header, comma):
    request = usual(name)
    value = request.headers[header]

    changed = received(request, headers=replaced(request.headers, value, value.replace(", ", comma)))

    assert ("header-spaces",) == causes(name, changed, key_of(name))


@pytest.mark.parametrize("name", ["slack", "hubspot"])  # of HubSpot, an older signature would still verify
@pytest.mark.parametrize("form", ['"{}"', "['{}']", "b'{}'"])
def test_headers_that_are_all_printed_are_named(name, form):
    request = usual(name)
    headers = Headers((name, form.format(value)) for name, value in request.headers.multi_items())

    assert ("header-quotes",) == causes(name, received(request, headers=headers), key_of(name))


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("dodo", "webhook-signature"),  # dodopayments-go#239
        ("standard-webhooks", "webhook-signature"),  # standard-webhooks#256
        ("stripe", "Stripe-Signature"),  # stripe-php#1001: this one verifies, as its elements are a list
    ],
)
def test_a_header_that_was_split_at_its_commas_is_named(name, header):
    request = usual(name)
    rest = [(n, v) for n, v in request.headers.multi_items() if n.lower() != header.lower()]
    headers = Headers([*rest, *((header, part) for part in request.headers[header].split(","))])

    diagnosed = diagnose(name, received(request, headers=headers), key_of(name), now=AT)

    assert ("signature-split",) == names(diagnosed)
    assert diagnosed.verdict.ok == (name == "stripe")


def test_a_slip_in_the_header_and_a_changed_body_are_both_named():
    request = signed("github", BODY, key=Secret("s"))
    headers = replaced(request.headers, "sha256=", "")

    diagnosed = causes("github", received(request, headers=headers, body=BODY + b"\n"), Secret("s"))

    assert ("body-newline-added", "signature-label-lost") == diagnosed


# -- tokens in place of signatures --------------------------------------------------------------------------

TOKENS = ["gitlab-token", "telegram", "alertmanager", "postmark"]


@pytest.mark.parametrize("name", TOKENS)
def test_a_slip_with_a_plain_token_is_named(name):
    request = received(provider(name).draft(at=AT).sign(key_of(name)))
    typed = secret_of(name).reveal()

    assert ("secret-space",) == causes(name, request, Secret(typed + "\n"))
    assert ("secret-quotes",) == causes(name, request, Secret(f'"{typed}"'))
    assert ("secret-assignment",) == causes(name, request, Secret(f"TOKEN={typed}"))
    assert () == causes(name, request, Secret("another"))


@pytest.mark.parametrize("name", TOKENS)
def test_a_plain_token_in_another_header_is_named_with_that_header(name):
    request = provider(name).draft(at=AT).sign(key_of(name))
    carrier = next(n for n, _ in request.headers.multi_items() if draft_of(request).signs_header(n))
    headers = Headers([("X-Api-Key" if n == carrier else n, v) for n, v in request.headers.multi_items()])

    diagnosed = diagnose(name, received(request, headers=headers), key_of(name), now=AT)

    assert ("signature-header",) == names(diagnosed)
    assert "X-Api-Key" in diagnosed.findings[0].title


@pytest.mark.parametrize(
    ("name", "header", "body", "place"),
    [
        ("zoom", ("Authorization", "{}"), BODY, "Authorization"),  # pennlabs/penn-clubs#876
        ("gitlab", ("X-Gitlab-Token", "{}"), BODY, "X-Gitlab-Token"),  # gitlab4j-api#1332
        ("slack", ("Accept", "*/*"), b"token={}&team_id=T1", "token in the body"),
        ("slack", ("Accept", "*/*"), b'{{"token": "{}","type":"event_callback"}}', "token in the body"),
        ("slack", ("Accept", "*/*"), b"payload=%7B%22token%22%3A%22{}%22%7D", "token in the body"),
        ("lithic", ("Accept", "*/*"), b'{{"verification_token":"{}"}}', "verification_token in the body"),
    ],
)
def test_the_token_of_an_older_check_is_no_secret_that_signs(name, header, body, place):
    token = "XXYYZZ-older-token-1"
    body = body.replace(b"{{", b"{").replace(b"}}", b"}").replace(b"{}", token.encode())
    request = signed(name, body, key=key_of(name))
    headers = [(n, v) for n, v in request.headers.multi_items() if n != header[0]]
    headers.append((header[0], header[1].format(token)))

    diagnosed = diagnose(name, received(request, headers=Headers(headers)), Secret(token), now=AT)

    assert ("secret-shown",) == names(diagnosed)
    assert place in diagnosed.findings[0].title
    assert token not in str(diagnosed)


@pytest.mark.parametrize("name", ["alertmanager", "postmark"])
def test_a_token_without_its_word_in_front_is_named(name):
    request = provider(name).draft(at=AT).sign(key_of(name))
    headers = replaced(request.headers, request.headers["Authorization"].partition(" ")[0] + " ", "")

    assert ("signature-label-lost",) == causes(name, received(request, headers=headers), key_of(name))


@pytest.mark.parametrize(
    ("name", "header", "cause"),
    [
        ("github", "X-Hub-Signature-256", "signature-invisible"),
        ("shopify", "X-Shopify-Hmac-Sha256", "signature-invisible"),
        ("slack", "X-Slack-Request-Timestamp", "header-invisible"),
        ("svix", "svix-id", "header-invisible"),
    ],
)
@pytest.mark.parametrize("change", ["{}\u200b", "\ufeff{}", "\u2066{}\u2069"])
def test_characters_that_cannot_be_seen_are_named(name, header, cause, change):
    request = provider(name).draft(at=AT).sign(key_of(name))
    value = request.headers[header]

    changed = received(request, headers=replaced(request.headers, value, change.format(value)))

    assert (cause,) == causes(name, changed, key_of(name))


def test_curly_quotes_around_a_signature_are_named():
    request = usual("github")
    value = request.headers["X-Hub-Signature-256"]

    changed = received(request, headers=replaced(request.headers, value, f"“{value}”"))

    assert ("signature-quotes",) == causes("github", changed, key_of("github"))
