"""A body that was changed between signing and verifying is recognised by what changed it."""

from __future__ import annotations

import base64
import gzip
import json
import re
import unicodedata
from urllib.parse import quote, quote_plus, urlencode

import pytest

from hook_widgets.webhooks import provider, registry
from hook_widgets.webhooks.diagnosis import diagnose
from tests.support.diagnosing import AT, DATA, causes, compact, draft_of, key_of, names, received, signed
from tests.support.extent import in_turn
from tests.support.shapes import SHAPES

PLAIN = {"a": 1, "b": [True, None, "x"], "c": {}}
TEXT = compact()
SPACED = json.dumps(DATA, ensure_ascii=False).encode()
LINES = json.dumps(PLAIN, indent=2).encode() + b"\n"
FORM = b"Body=Hello+there%2C+Ada&From=%2B15550100&Name=%C3%89va"
ACCENTED = '{"name":"Zoë Åström"}'


def _escaped(text: str, *, upper: bool = False) -> str:
    form = "\\u%04X" if upper else "\\u%04x"
    return "".join(c if c < "\x80" else form % ord(c) for c in text)


#: cause, the body that was signed, the body that the receiver has
CHANGES = [
    ("body-compact", TEXT, SPACED),
    ("body-compact", TEXT, json.dumps(DATA, indent=2, ensure_ascii=False).encode()),
    ("body-spaced", SPACED, TEXT),
    ("body-spaced", json.dumps(PLAIN).encode(), json.dumps(PLAIN, separators=(",", ":")).encode()),
    ("body-key-spaced", json.dumps(PLAIN, separators=(",", ": ")).encode(), compact(PLAIN)),
    ("body-indent-2", json.dumps(DATA, indent=2, ensure_ascii=False).encode(), TEXT),
    ("body-indent-4", json.dumps(DATA, indent=4, ensure_ascii=False).encode(), TEXT),
    ("body-indent-tab", json.dumps(DATA, indent="\t", ensure_ascii=False).encode(), SPACED),
    ("body-sorted", compact(sort_keys=True), TEXT),
    ("body-newline-lost", TEXT + b"\n", TEXT),
    ("body-crlf-end-lost", TEXT + b"\r\n", TEXT),
    ("body-newline-added", TEXT, TEXT + b"\n"),
    ("body-newline-added", TEXT, TEXT + b"\r\n"),
    ("body-crlf-lost", LINES.replace(b"\n", b"\r\n"), LINES),
    ("body-crlf-added", LINES, LINES.replace(b"\n", b"\r\n")),
    ("body-crlf-added", LINES[:-1], LINES[:-1].replace(b"\n", b"\r\n")),  # not as indented by another program
    ("body-bom-lost", b"\xef\xbb\xbf" + TEXT, TEXT),
    ("body-bom-added", TEXT, b"\xef\xbb\xbf" + TEXT),
    ("body-space-added", TEXT, b"  " + TEXT + b" "),
    ("body-unicode-escapes-lost", compact({"n": "é"}).replace("é".encode(), b"\\u00e9"), compact({"n": "é"})),
    ("body-unicode-escapes-lost", b'{"n":"\\ud83d\\ude00"}', '{"n":"\U0001f600"}'.encode()),
    ("body-unicode-escapes-added", '{"n":"é\U0001f600"}'.encode(), b'{"n":"\\u00e9\\ud83d\\ude00"}'),
    ("body-escapes-lower", b'{"n":"\\u00E9"}', b'{"n":"\\u00e9"}'),
    ("body-escapes-upper", b'{"n":"\\u00e9"}', b'{"n":"\\u00E9"}'),
    ("body-slash-escapes-lost", b'{"u":"https:\\/\\/example.com\\/a"}', b'{"u":"https://example.com/a"}'),
    ("body-slash-escapes-added", b'{"u":"https://example.com/a"}', b'{"u":"https:\\/\\/example.com\\/a"}'),
    ("body-html-escapes-lost", b'{"h":"\\u003cb\\u003e \\u0026"}', b'{"h":"<b> &"}'),
    ("body-html-escapes-added", b'{"h":"<b> \\u00e9 &"}', b'{"h":"\\u003cb\\u003e \\u00e9 \\u0026"}'),
    ("body-latin-1", ACCENTED.encode("latin-1"), ACCENTED.encode()),
    ("body-latin-1-read", ACCENTED.encode(), ACCENTED.encode("latin-1")),
    ("body-mojibake", ACCENTED.encode(), ACCENTED.encode().decode("latin-1").encode()),
    ("body-ascii-only", ACCENTED.encode("ascii", "replace"), ACCENTED.encode()),
    # mapbox/ecs-conex#64: Node.js cuts the UTF-16 units of "fix 😊 ✓" to their low bytes
    ("body-low-bytes", b'{"m":"fix \x3d\x0a \x13 \xe9"}', '{"m":"fix \U0001f60a \u2713 é"}'.encode()),
    ("body-unicode-form", ACCENTED.encode(), unicodedata.normalize("NFD", ACCENTED).encode()),
    ("body-base64", TEXT, base64.b64encode(TEXT)),
    ("body-base64-signed", base64.b64encode(TEXT), TEXT),
    ("body-compressed", TEXT, gzip.compress(TEXT, mtime=0)),
    ("body-json-string", TEXT, json.dumps(TEXT.decode()).encode()),
    ("body-json-string-signed", json.dumps(TEXT.decode(), ensure_ascii=False).encode(), TEXT),
    ("body-python-literal", TEXT, repr(TEXT).encode()),
    ("body-python-literal", compact(PLAIN), str(PLAIN).encode()),
    ("body-object-object", b"[object Object]", TEXT),
    ("body-doubled", TEXT, TEXT + TEXT),
    ("body-empty", b"", TEXT),
    ("body-fraction-lost", b'{"n":6.0,"m":1.5}', b'{"n":6,"m":1.5}'),
    ("body-fraction-lost", b'{"n":6.0,"id":7}', b'{"n":6,"id":7}'),
    ("body-fraction-added", b'{"n":6,"m":1.5}', b'{"n":6.0,"m":1.50}'),
    ("body-nulls-added", b'{"a":1,"c":{"e":2}}', b'{"a":1,"b":null,"c":{"d":null,"e":2}}'),
    (
        "body-events-on-lines",
        b'[{"event":"open","id":1},\r\n{"event":"click","id":2}]\r\n',
        b'[{"event": "open", "id": 1}, {"event": "click", "id": 2}]',
    ),
    ("body-form-field", urlencode({"payload": TEXT.decode()}).encode(), TEXT),
    ("body-form-field", b"payload=" + quote(TEXT.decode(), safe="").encode(), TEXT),
    ("body-form-value", TEXT, urlencode({"payload": TEXT.decode()}).encode()),
    (
        "body-form-parsed",
        b"token=abc&text=Hello+there&user=%C3%89va",
        compact({"token": "abc", "text": "Hello there", "user": "Éva"}),
    ),
    ("body-form-json", compact({"a": "1 2", "b": "é"}), b"a=1+2&b=%C3%A9"),
    ("body-form-plus", FORM, FORM.replace(b"+", b"%20")),
    ("body-form-percent-20", FORM.replace(b"+", b"%20"), FORM),
    ("body-form-digits", FORM, re.sub(rb"%..", lambda m: m[0].lower(), FORM)),
    ("body-form-decoded", b"text=a b&user=\xc3\x89va", b"text=a+b&user=%C3%89va"),
    ("body-form-encoded", b"text=" + quote_plus("50% of a/b é").encode(), "text=50% of a/b é".encode()),
    ("body-form-sorted", b"a=1&b=2&c=3", b"c=3&a=1&b=2"),
]

#: written again by an encoder whose habits differ in more than two things
ENCODERS = [
    ("body-javascript", TEXT, _escaped(SPACED.decode()).replace("/", "\\/").encode()),
    ("body-python", _escaped(SPACED.decode()).encode(), TEXT.replace(b"/", b"\\/")),
    ("body-php", _escaped(TEXT.decode()).replace("/", "\\/").encode(), SPACED),
    (
        "body-go",
        TEXT.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026"),
        SPACED.replace(b"/", b"\\/"),
    ),
    ("body-dotnet", b'{"n":"A\\u00F8\\u0026\\u0022\\u0027\\u002B"}', '{"n": "Aø&\\"\'+"}'.encode()),
]

#: HMAC in hex over the body; with a timestamp in front; HMAC in base64; Ed25519; ECDSA
PROVIDERS = ["github", "stripe", "slack", "shopify", "discord", "sendgrid"]


@pytest.mark.parametrize(
    ("name", "cause", "original", "changed"),
    in_turn(PROVIDERS, CHANGES + ENCODERS),
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_changed_body_is_named(name, cause, original, changed):
    key = key_of(name)
    request = signed(name, original, key=key)

    assert (cause,) == causes(name, received(request, body=changed), key)


INDENTED_4 = json.dumps(DATA, indent=4, ensure_ascii=False).replace("/", "\\/").encode()
SORTED = json.dumps(DATA, sort_keys=True, ensure_ascii=False).encode()
CRLF = json.dumps(PLAIN, indent=2).replace("\n", "\r\n").encode()
HTML = (
    _escaped(TEXT.decode()).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").encode()
)


@pytest.mark.parametrize(
    ("expected", "original", "changed"),
    [
        (("body-compact", "body-slash-escapes-lost"), TEXT.replace(b"/", b"\\/"), SPACED),
        (("body-indent-2", "body-unicode-escapes-lost"), json.dumps(DATA, indent=2).encode(), TEXT),
        (("body-indent-4", "body-slash-escapes-lost"), INDENTED_4, TEXT),
        (("body-sorted", "body-spaced"), SORTED, TEXT),
        (("body-compact", "body-newline-lost"), TEXT + b"\n", SPACED),
        (("body-indent-2", "body-crlf-lost"), CRLF, compact(PLAIN)),
        (("body-unicode-escapes-lost", "body-html-escapes-lost"), HTML, TEXT),
    ],
)
@pytest.mark.parametrize("name", ["github", "stripe"])
def test_two_habits_of_an_encoder_are_both_named(name, expected, original, changed):
    key = key_of(name)
    request = signed(name, original, key=key)

    assert expected == causes(name, received(request, body=changed), key)


@pytest.mark.parametrize("name", ["github", "slack", "shopify", "square", "zoom", "svix", "paddle"])
def test_the_samples_of_providers_are_recognised_when_they_were_parsed_and_written_again(name):
    key = key_of(name)
    samples = (provider(name).template(event.name) for event in provider(name).events)
    body = next(b for b in samples if b[:1] == b"{" and compact(json.loads(b)) == b)
    request = signed(name, body, key=key)
    again = json.dumps(json.loads(request.body), indent=2, ensure_ascii=False).encode()

    assert ("body-compact",) == causes(name, received(request, body=again), key)


def test_a_sent_body_that_is_known_says_where_the_received_one_differs():
    key = key_of("github")
    request = signed("github", b'{"amount":100}', key=key)

    assert ("body-changed",) == causes(
        "github", received(request, body=b'{"amount":999}'), key, sent=b'{"amount":100}'
    )


def test_a_named_change_goes_before_the_bare_difference_to_the_sent_body():
    key = key_of("github")
    request = signed("github", b'{"amount":100}', key=key)

    assert ("body-newline-added",) == causes(
        "github", received(request, body=b'{"amount":100}\n'), key, sent=b'{"amount":100}'
    )


def test_two_changes_of_a_parser_and_its_writer_go_before_the_bare_difference_to_the_sent_body():
    """json.dumps of Python after json.loads: another layout, and escapes for what is no ASCII."""
    key, sent = key_of("github"), '{\n  "a": "see you – next month"\n}'.encode()
    request = signed("github", sent, key=key)
    rewritten = json.dumps(json.loads(sent)).encode()

    assert ("body-indent-2", "body-unicode-escapes-added") == causes(
        "github", received(request, body=rewritten), key, sent=sent
    )


ORDERED = b'{"type":"a","id":{"z":1,"y":[{"d":1.0,"c":2}]}}'


@pytest.mark.parametrize(
    ("received_body", "cause"),
    [
        (b'{"id":{"y":[{"c":2,"d":1.0}],"z":1},"type":"a"}', "body-reordered"),
        (b'{ "id":{"y":[{"c": 2,"d":1.0}],"z":1},"type":"a"}', "body-reordered"),
        (b'{"id":{"y":[{"c":2,"d":1}],"z":1},"type":"a"}', "body-changed"),
        (b'{"type":"a","type":"a","id":{"y":[{"c":2,"d":1.0}],"z":1}}', "body-changed"),
        (b'{"id":' + b"[" * 9_000, "body-changed"),
    ],
)
def test_of_a_sent_body_that_is_known_an_order_that_no_parser_writes_is_named(
    received_body: bytes, cause: str
):
    key = key_of("stripe")
    request = signed("stripe", ORDERED, key=key)

    assert (cause,) == causes("stripe", received(request, body=received_body), key, sent=ORDERED)


@pytest.mark.parametrize("name", ["twilio", "messagebird"])
def test_a_body_whose_hash_is_signed_is_recognised_by_that_hash(name):
    key = key_of(name)
    scheme = next(s for s in provider(name).schemes if s.query or s.fields)
    events = [e for e in provider(name).events if (e.scheme or provider(name).schemes[0].name) == scheme.name]
    request = (
        provider(name)
        .draft(event=events[0].name, body=b'{"a":1,"b":"x"}', url="https://example.com/in")
        .sign(key)
    )

    assert ("body-compact",) == causes(
        name, received(request, body=b'{"a": 1, "b": "x"}'), key, now=draft_of(request).at
    )
    assert () == causes(name, received(request), key, now=draft_of(request).at)


@pytest.mark.parametrize("name", ["messagebird", "plaid", "qstash", "vonage"])
@pytest.mark.parametrize(
    ("cause", "change"),
    [
        ("body-buffer", lambda body: json.dumps({"type": "Buffer", "data": list(body)})),
        ("body-member", lambda body: json.dumps({"version": "2.0", "body": body.decode()})),
    ],
)
def test_an_envelope_of_a_body_whose_hash_is_signed_is_found(name, cause, change):
    key = provider(name).example_secret()
    request = provider(name).draft(url="https://hooks.example.com/in", at=AT).sign(key)

    diagnosed = diagnose(name, received(request, body=change(request.body).encode()), key, now=AT)

    assert (cause,) == names(diagnosed)


@pytest.mark.parametrize("name", ["twilio", "messagebird"])
def test_a_body_that_is_not_the_one_whose_hash_is_signed_is_named_when_nothing_explains_it(name):
    key = key_of(name)
    scheme = next(s for s in provider(name).schemes if s.query or s.fields)
    first = provider(name).schemes[0].name
    event = next(e.name for e in provider(name).events if (e.scheme or first) == scheme.name)
    request = provider(name).draft(event=event, body=b'{"a":1}', url="https://example.com/in").sign(key)

    diagnosed = causes(name, received(request, body=b'{"a":2}'), key, now=draft_of(request).at)

    assert ("body-unlike-hash",) == diagnosed


#: every provider whose signature is about the body
OVER_THE_BODY = [
    known.id
    for known in registry.providers()
    if known.schemes[0].query
    or "body" in known.schemes[0].closure(known.schemes[0].signatures[0].template.names)
]


@pytest.mark.parametrize("name", [name for name in OVER_THE_BODY if name in SHAPES])
def test_a_newline_too_much_is_named_for_every_provider_that_signs_the_body(name):
    key = provider(name).example_secret()
    request = provider(name).draft(url="https://hooks.example.com/in", at=AT).sign(key)

    diagnosed = diagnose(name, received(request, body=request.body + b"\n"), key, now=AT)

    # Where only values of the body are signed, a line end changes nothing.
    assert diagnosed.verdict.ok or ("body-newline-added",) == names(diagnosed)
