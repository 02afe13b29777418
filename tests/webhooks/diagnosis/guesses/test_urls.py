"""A URL that looks otherwise to the receiver than to the sender is recognised by what changed it."""

from __future__ import annotations

import base64

import pytest

from hook_widgets.webhooks import Headers, ReceivedRequest, Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from tests.support.diagnosing import AT, key_bytes, key_of, mac, names
from tests.support.extent import in_turn

BASE = "https://hooks.example.com/in"

PUBLIC = {"X-Forwarded-Host": "hooks.example.com", "X-Forwarded-Proto": "https"}
FORWARDED = {"Forwarded": 'for=192.0.2.1;host="hooks.example.com";proto=https'}

#: cause, the URL that was called, the URL that the receiver has, headers that a proxy adds
CHANGES = [
    ("url-scheme", BASE, "http://hooks.example.com/in", {}),
    ("url-host", BASE, "https://10.0.0.7/in", {"X-Forwarded-Host": "hooks.example.com"}),
    ("url-host", BASE, "https://app.internal/in", {"Host": "hooks.example.com"}),
    ("url-public", BASE, "http://app:3000/in", PUBLIC),
    ("url-public", BASE, "http://app:3000/in", FORWARDED),
    ("url-public", BASE, "http://127.0.0.1:8000/in", {"Host": "hooks.example.com"}),
    ("url-public", "https://hooks.example.com/api/in", "http://app:3000/in",
     {**PUBLIC, "X-Forwarded-Prefix": "/api"}),
    ("url-port", BASE, "https://hooks.example.com:8443/in", {}),
    ("url-port-lost", "https://hooks.example.com:8443/in", BASE, {"X-Forwarded-Port": "8443"}),
    ("url-port-lost", "https://hooks.example.com:8080/in", BASE, {}),
    ("url-host", BASE, "https://www.hooks.example.com/in", {}),
    ("url-host", "https://www.hooks.example.com/in", BASE, {}),
    ("url-prefix-lost", "https://hooks.example.com/api/in", BASE, {"X-Forwarded-Prefix": "/api"}),
    ("url-prefix-lost", "https://hooks.example.com/api/in", BASE, {"X-Original-URI": "/api/in"}),
    ("url-prefix-lost", "https://hooks.example.com/api/in", BASE, {"X-Forwarded-Path": "/api/in"}),
    ("url-prefix-added", BASE, "https://hooks.example.com/prod/in", {}),
    ("url-slash-lost", BASE + "/", BASE, {}),
    ("url-slash-added", BASE, BASE + "/", {}),
    ("url-slashes", "https://hooks.example.com/a/b", "https://hooks.example.com/a//b", {}),
    ("url-query", BASE, BASE + "?utm=1", {}),
    ("url-query-order", BASE + "?a=1&b=2", BASE + "?b=2&a=1", {}),
    ("url-plus", BASE + "?q=x+y", BASE + "?q=x%20y", {}),
    ("url-percent-20", BASE + "?q=x%20y", BASE + "?q=x+y", {}),
    ("url-decoded", BASE + "?q=a/b", BASE + "?q=a%2Fb", {}),
    ("url-encoded", BASE + "?q=%C3%A9", BASE + "?q=é", {}),
    ("url-encoded", BASE + "/john%2Fdoe/a", BASE + "/john/doe/a", {}),  # nginx/nginx#501
    ("url-digits", BASE + "?q=a%2Fb", BASE + "?q=a%2fb", {}),
    ("url-fragment", BASE, BASE + "#top", {}),
    ("url-user", BASE, "https://user:pass@hooks.example.com/in", {}),
    ("url-case", BASE, "https://Hooks.Example.com/in", {}),
    ("url-not-full", BASE, "/in", {"Host": "hooks.example.com"}),
    ("url-not-full", BASE, "hooks.example.com/in", {}),
    ("url-surrounded", BASE, BASE + " ", {}),
    ("url-surrounded", BASE, f'"{BASE}"', {}),
    ("url-surrounded", BASE + "?a=1&b=2", BASE + "?a=1&amp;b=2", {}),
    ("url-prefix-lost", "https://hooks.example.com/prod/in", BASE, {}),
    ("url-parameter-added", BASE + "?a=1", BASE + "?a=1&_ts=5", {}),
    ("url-escaped", BASE + "?a=it's", BASE + "?a=it%27s", {}),  # twilio-ruby#528
    # twilio-node#145, #1059 and #621, twilio-csharp#27 and #509, n8n#17536
    ("url-escaped", BASE + "?foo=1", BASE + "%3Ffoo=1", {}),
    ("url-escaped", BASE + "?a=it's+me&b=%2B1", BASE + "?a=it%27s+me&b=%2B1", {}),
    ("url-escaped", BASE + "?a=%2B1&b=sip:1@10.0.0.1", BASE + "?a=%2B1&b=sip%3A1%4010.0.0.1", {}),
    ("url-encoded", BASE + "?Caller=%2B166892323&a=1", BASE + "?Caller=+166892323&a=1", {}),
    # twilio-node spec/unit/webhooks/webhooks.spec.js: an escaped single quote; parameters that were decoded
    ("url-encoded", BASE + "?a=It%27s+me&b=1:2", BASE + "?a=It's+me&b=1:2", {}),
    ("url-encoded", BASE + "?to=https%3A%2F%2Fa.example%2Fb&c=1", BASE + "?to=https://a.example/b&c=1", {}),
    ("url-encoded", BASE + "?a=it's&b=sip%3A1%40x", BASE + "?a=it's&b=sip:1@x", {}),
    ("url-encoded", BASE + "?a%5B0%5D=it%27s+%28me%29", BASE + "?a[0]=it's+(me)", {}),
    ("url-encoded", BASE + "/it%27s/a%3Ab", BASE + "/it's/a:b", {}),
    ("url-encoded", BASE + "/it%27s", BASE + "/it's", {}),
    ("url-host", "https://a.example:81/in", "https://a.example/in", {"Host": "a.example:81"}),
    ("url-test-path", "https://n8n.example/webhook/4d", "https://n8n.example/webhook-test/4d", {}),
    ("url-test-path", "https://n8n.example/webhook-test/4d", "https://n8n.example/webhook/4d", {}),
]  # fmt: skip


def _called(name, url):
    scheme = provider(name).schemes[0].name
    event = next(e.name for e in provider(name).events if e.scheme in ("", scheme))
    return provider(name).draft(event=event, url=url, at=AT).sign(key_of(name))


def _seen(request, url, headers):
    return ReceivedRequest(
        Headers((*request.headers.multi_items(), *headers.items())), request.body, url, request.method
    )


@pytest.mark.parametrize(
    ("name", "cause", "called", "seen", "added"),
    in_turn(["twilio", "square", "hubspot", "trello", "telephony"], CHANGES),
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_changed_url_is_named(name, cause, called, seen, added):
    request = _seen(_called(name, called), seen, added)

    assert (cause,) == names(diagnose(name, request, key_of(name), now=AT))


def test_an_escape_that_twilio_signed_and_the_receiver_lost_is_named():
    # twilio-node spec/validation.spec.js, "should validate urls with special characters"
    url = "https://mycompany.com/myapp.php?foo=1&bar=2&Body=It's+amazing"
    headers = Headers(
        {
            "X-Twilio-Signature": "TfZzewPq8wqrGlMfyAud8+/IvJ0=",
            "Content-Type": "application/x-www-form-urlencoded",
        }
    )
    caller = b"CallSid=CA1234567890ABCDE&Caller=%2B14158675309"
    body = caller + b"&Digits=1234&From=%2B14158675309&To=%2B18005551212"

    diagnosed = diagnose("twilio", ReceivedRequest(headers, body, url, "POST"), Secret("12345"), now=AT)

    assert ("url-encoded",) == names(diagnosed)


def test_the_url_of_a_web_socket_is_named():  # Twilio signs the handshake of a media stream with wss://
    signature = base64.b64encode(mac(key_bytes("twilio"), b"wss://hooks.example.com/in", "sha1")).decode()
    request = ReceivedRequest(Headers({"X-Twilio-Signature": signature}), b"", BASE, "GET")

    assert ("url-scheme",) == names(diagnose("twilio", request, key_of("twilio"), now=AT))


@pytest.mark.parametrize("name", ["twilio", "square"])
@pytest.mark.parametrize(
    ("expected", "called", "seen", "added"),
    [
        ({"url-scheme", "url-slash-lost"}, BASE + "/", "http://hooks.example.com/in", {}),
        ({"url-scheme", "url-port"}, BASE, "http://hooks.example.com:3000/in", {}),
        (
            {"url-host", "url-query"},
            BASE,
            "https://10.0.0.7/in?x=1",
            {"X-Forwarded-Host": "hooks.example.com"},
        ),
        ({"url-scheme", "url-plus"}, BASE + "?q=x+y", "http://hooks.example.com/in?q=x%20y", {}),
        # twilio-node#1194; yap#1629: Laravel's fullUrl sorts the query and writes %20
        ({"url-plus", "url-escaped"}, BASE + "?a=W+O'hara&b=%2B1", BASE + "?a=W%20O%27hara&b=%2B1", {}),
        # nginx with "location /api/ { proxy_pass http://app/; }" removes the prefix (nginx.org, proxy_pass)
        (
            {"url-public", "url-prefix-lost"},
            "https://hooks.example.com/api/in",
            "http://127.0.0.1:3000/in",
            {"Host": "hooks.example.com", "X-Forwarded-Proto": "https"},
        ),
        (
            {"url-scheme", "url-prefix-lost"},
            "https://hooks.example.com/api/in",
            "http://hooks.example.com/in",
            {"X-Forwarded-Proto": "https"},
        ),
        ({"url-query-order", "url-plus"}, BASE + "?D=1&R=2&B=x+y&A=3", BASE + "?A=3&B=x%20y&D=1&R=2", {}),
    ],
)
def test_two_changes_of_a_url_are_both_named(name, expected, called, seen, added):
    request = _seen(_called(name, called), seen, added)

    assert expected == set(names(diagnose(name, request, key_of(name), now=AT)))


def test_a_changed_url_and_a_changed_body_are_both_named():
    request = _called("square", BASE)
    changed = ReceivedRequest(request.headers, request.body + b"\n", "http://hooks.example.com/in", "POST")

    diagnosed = diagnose("square", changed, key_of("square"), now=AT)

    assert {"url-scheme", "body-newline-added"} == set(names(diagnosed))


def test_the_default_port_of_a_url_is_no_finding():
    request = _called("twilio", BASE)

    diagnosed = diagnose(
        "twilio", _seen(request, "https://hooks.example.com:443/in", {}), key_of("twilio"), now=AT
    )

    assert diagnosed.verdict.ok
    assert () == names(diagnosed)


def test_the_advice_on_proxies_names_the_settings_of_the_frameworks():
    request = _seen(_called("twilio", BASE), "http://hooks.example.com/in", {})

    diagnosed = diagnose("twilio", request, key_of("twilio"), now=AT).findings[0]

    assert {"Flask", "Django", "FastAPI", "Express", "Next.js", "Rails", "Spring", "Lambda"} == dict(
        diagnosed.frameworks
    ).keys()
    assert "ProxyFix" in dict(diagnosed.frameworks)["Flask"]


def test_without_a_url_there_is_nothing_to_try_and_the_verdict_asks_for_it():
    request = _called("twilio", BASE)

    diagnosed = diagnose("twilio", _seen(request, "", {}), key_of("twilio"), now=AT)

    assert () == diagnosed.findings
    assert "full URL" in diagnosed.verdict.detail


@pytest.mark.parametrize("name", ["messagebird", "qstash"])
def test_a_url_that_a_token_repeats_is_distinguished_from_the_one_it_was_made_for(name):
    request = _called(name, BASE)
    proxied = _seen(request, "http://hooks.example.com/in", {})
    elsewhere = _seen(request, "https://other.example.org/else", {})

    assert ("url-scheme",) == names(diagnose(name, proxied, key_of(name), now=AT))
    assert ("url-unlike-claim",) == names(diagnose(name, elsewhere, key_of(name), now=AT))


@pytest.mark.parametrize(
    ("name", "scheme", "change"),
    [
        # twilio-ruby#614: the URL was built again without its query; moysklad#45: PHP's names of parameters
        ("twilio", "json", lambda url: url.partition("?")[0]),
        ("mercadopago", None, lambda url: url.replace("data.id", "data_id")),
    ],
)
def test_a_parameter_that_the_url_has_lost_is_named(name, scheme, change):
    event = next(event.name for event in provider(name).events if scheme in (None, event.scheme))
    request = provider(name).draft(event=event, url=BASE, at=AT).sign(key_of(name))
    url = change(request.url)

    diagnosed = diagnose(name, _seen(request, url, {}), key_of(name), now=AT)

    assert url != request.url
    assert ("url-parameter-lost",) == names(diagnosed)
    assert {"twilio": "bodySHA256", "mercadopago": "data.id"}[name] in diagnosed.findings[0].title
