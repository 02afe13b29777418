"""Receivers that reject good requests for one reason each, and the cause that is reported."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from email.utils import formatdate
from urllib.parse import parse_qsl

import pytest

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.receivers import Rejection, why_rejected
from hook_widgets.webhooks import Receiver, Secret, provider
from tests.receiver_checks.http_layer import Request, Response, Serving
from tests.receiver_checks.reference import Reference, Rejected


def explained(receiver: type[Reference], name: str) -> Rejection:
    secret = provider(name).example_secret()
    assert isinstance(secret, Secret)
    with Serving(receiver(name, secret.reveal())) as url:
        return why_rejected(name, url, secret)


class Stringify(Reference):
    """Node: the body parser has parsed the body, and the route writes it again."""

    def signed_body(self, request: Request) -> bytes:
        return json.dumps(json.loads(request.body), separators=(",", ":"), ensure_ascii=False).encode()


class Dumps(Reference):
    """Flask: `json.dumps(request.json)`."""

    def signed_body(self, request: Request) -> bytes:
        return json.dumps(json.loads(request.body)).encode()


class JsonEncode(Reference):
    """PHP: json_encode escapes slashes and what is not ASCII."""

    def signed_body(self, request: Request) -> bytes:
        text = json.dumps(json.loads(request.body), separators=(",", ":"))
        return text.replace("/", "\\/").encode()


class Sorted(Reference):
    """It verifies a canonical form."""

    def signed_body(self, request: Request) -> bytes:
        return json.dumps(
            json.loads(request.body), separators=(",", ":"), sort_keys=True, ensure_ascii=False
        ).encode()


class SortedDumps(Reference):
    """`json.dumps(request.json, sort_keys=True)`."""

    def signed_body(self, request: Request) -> bytes:
        return json.dumps(json.loads(request.body), sort_keys=True).encode()


class Consumed(Reference):
    """Something has read the stream before."""

    def signed_body(self, request: Request) -> bytes:
        return b""


class Repr(Reference):
    """`str(body).encode()` in Python 3."""

    def signed_body(self, request: Request) -> bytes:
        return str(request.body).encode()


class BodyAlone(Reference):
    """It forgets the timestamp."""

    def message(self, request: Request) -> bytes:
        return request.body


class Newline(Reference):
    """`echo secret > file`."""

    def key(self) -> bytes:
        return self.secret.encode() + b"\n"


class Quoted(Reference):
    """`SECRET='"..."'`, or a file of variables whose quotes are kept."""

    def key(self) -> bytes:
        return b'"' + self.secret.encode() + b'"'


class SingleQuoted(Reference):
    """A file of variables whose single quotes are kept."""

    def key(self) -> bytes:
        return b"'" + self.secret.encode() + b"'"


class WindowsLine(Reference):
    """A file of variables with the line ends of Windows."""

    def key(self) -> bytes:
        return self.secret.encode() + b"\r\n"


class Blank(Reference):
    """A blank was copied with the secret."""

    def key(self) -> bytes:
        return self.secret.encode() + b" "


class WholeText(Reference):
    """It does not decode the secret."""

    def key(self) -> bytes:
        return self.secret.encode()


class Unprefixed(Reference):
    """It takes the prefix for decoration."""

    def key(self) -> bytes:
        return self.secret.removeprefix("whsec_").encode()


class Decoded(Reference):
    """It decodes the secret as that of Svix, which looks the same."""

    def key(self) -> bytes:
        return base64.b64decode(self.secret.removeprefix("whsec_"))


class Unset(Reference):
    """Its variable is not set."""

    def key(self) -> bytes:
        return b""


class Slow(Reference):
    """Its clock is an hour behind, and its responses show it."""

    def fresh(self, text: str) -> bool:
        return super().fresh(str(int(text) + 3600))

    def reject(self, reason: str, request: Request) -> Response:
        return Response(401, headers={"Date": formatdate(time.time() - 3600, usegmt=True)})


class HourBehind(Reference):
    """Its clock is an hour behind, as local time without its zone, and its responses have no Date."""

    def fresh(self, text: str) -> bool:
        return super().fresh(str(int(text) + 3600))


class OneSignature(Reference):
    """It reads the last signature of the header alone."""

    def candidates(self, request: Request) -> list[str]:
        return super().candidates(request)[-1:]


class OneSignatureOfPhp(JsonEncode, OneSignature):
    """PHP, with the last signature alone."""


class Milliseconds(Reference):
    """`Date.now() - timestamp`, without the factor."""

    def fresh(self, text: str) -> bool:
        return super().fresh(text[:-3]) if text.isdigit() else False


class Sha1(Reference):
    """Another hash."""

    def expected(self, request: Request) -> bytes:
        return hmac.digest(self.key(), self.message(request), "sha1")


class Base64(Reference):
    """`digest("base64")`."""

    def decode(self, text: str) -> bytes:
        try:
            return base64.b64decode(text, validate=True)
        except ValueError:
            return b""


class OtherHeader(Reference):
    """It looks for a header with X-."""

    def header(self, request: Request, name: str) -> str:
        return super().header(request, f"X-{name}" if name.lower() == "stripe-signature" else name)


class OtherNames(Reference):
    """It knows Svix's other names of headers alone, webhook-*."""

    def header(self, request: Request, name: str) -> str:
        if value := request.headers.get(name.lower().replace("svix-", "webhook-")):
            return value
        raise Rejected(f"no {name}")


class BehindProxy(Reference):
    """Twilio behind a proxy that ends TLS: the receiver sees http where the sender called https."""

    origin = "https://127.0.0.1"

    def verify(self, request: Request) -> None:
        pairs = sorted(parse_qsl(request.body.decode(), keep_blank_values=True))
        message = self.origin + request.path + "".join(name + value for name, value in pairs)
        expected = base64.b64encode(hmac.digest(self.key(), message.encode(), hashlib.sha1)).decode()
        if not hmac.compare_digest(expected, self.header(request, "X-Twilio-Signature")):
            raise Rejected("signature")

    def parse(self, body: bytes) -> object:
        return None


class OtherHost(BehindProxy):
    """Twilio: the receiver builds the URL from its configured name."""

    def verify(self, request: Request) -> None:
        self.origin = f"http://localhost:{request.headers['host'].rpartition(':')[2]}"
        super().verify(request)


class OtherHostBehindProxy(OtherHost):
    """The same behind a proxy that ends TLS."""

    def verify(self, request: Request) -> None:
        self.origin = "https://localhost"
        BehindProxy.verify(self, request)


class FormGuard(Reference):
    """Django: the view is not exempt from the guard against forged forms."""

    def respond(self, request: Request) -> Response:
        token = request.headers.get("x-csrftoken", "")
        if not token or request.headers.get("cookie") != f"csrftoken={token}":
            return Response(403)
        return super().respond(request)


class SortedJson(Sorted):
    """It rejects with 403, in JSON, as no guard for forms of browsers does."""

    def reject(self, reason: str, request: Request) -> Response:
        return Response(403, b"{}", {"Content-Type": "application/json"})


# Faults whose signature shares a request with a commoner one; a request of their own then tells them apart.
SHARED = {
    *(
        (receiver, "stripe")
        for receiver in (JsonEncode, OneSignatureOfPhp, WindowsLine, Blank, Decoded, Unset)
    ),
    *((Sorted, name) for name in ("stripe", "slack", "github")),
    *((receiver, "github") for receiver in (SortedJson, SortedDumps)),
    (SortedDumps, "stripe"),
}


@pytest.mark.parametrize(
    ("receiver", "name", "cause"),
    [
        (FormGuard, "github", "csrf"),
        (Stringify, "stripe", "body-javascript"),
        (Dumps, "slack", "body-python"),
        (Dumps, "github", "body-python"),
        (JsonEncode, "github", "body-php"),
        (Sorted, "github", "body-sorted"),
        (JsonEncode, "stripe", "body-php"),
        (OneSignatureOfPhp, "stripe", "body-php"),
        (Sorted, "stripe", "body-sorted"),
        (Sorted, "slack", "body-sorted"),
        (SortedJson, "github", "body-sorted"),
        (SortedDumps, "github", "body-sorted"),
        (SortedDumps, "stripe", "body-sorted"),
        (Consumed, "stripe", "body-empty"),
        (Repr, "shopify", "body-repr"),
        (BodyAlone, "stripe", "body-only"),
        (BodyAlone, "svix", "body-only"),
        (Newline, "stripe", "secret-newline"),
        (Quoted, "stripe", "secret-quotes"),
        (Quoted, "github", "secret-quotes"),
        (SingleQuoted, "stripe", "secret-quotes"),
        (SingleQuoted, "github", "secret-quotes"),
        (WindowsLine, "stripe", "secret-crlf"),
        (Blank, "stripe", "secret-space"),
        (WholeText, "svix", "secret-decoding"),
        (Unprefixed, "stripe", "secret-decoding"),
        (Decoded, "stripe", "secret-decoding"),
        (Unset, "github", "secret-empty"),
        (Unset, "stripe", "secret-empty"),
        (Slow, "stripe", "clock"),
        (HourBehind, "stripe", "clock"),
        (HourBehind, "slack", "clock"),
        (Milliseconds, "slack", "milliseconds"),
        (Sha1, "shopify", "algorithm"),
        (Base64, "github", "encoding"),
        (OtherHeader, "stripe", "header-name"),
        (OtherNames, "svix", "header-name"),
        (Base64, "stripe", "encoding"),
        (BehindProxy, "twilio", "url"),
        (OtherHost, "twilio", "url"),
        (OtherHostBehindProxy, "twilio", "url"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else value,
)
def test_the_cause_is_the_fault_of_the_receiver(receiver, name, cause):
    rejection = explained(receiver, name)

    assert "explained" == rejection.conclusion, rejection.reason
    assert rejection.cause is not None
    assert cause == rejection.cause.id
    assert len(rejection.probes) <= 15
    assert 9 == len(rejection.cause.fix.frameworks)
    accepted = [probe.title for probe in rejection.probes if probe.accepted]
    assert rejection.cause.title == accepted[-1]
    assert (2 if (receiver, name) in SHARED else 1) == len(accepted)


def test_no_fault_is_looked_for_in_a_part_that_the_scheme_does_not_sign():
    """Slack signs body and time, GitHub no time, Mailgun no body, and Twilio the URL first of all."""
    causes = {
        name: [probe.title for probe in silent(name).probes]
        for name in ("slack", "github", "mailgun", "twilio")
    }
    titles = {
        "time": "Its clock is wrong",
        "body": "It verifies the body after json.loads and json.dumps",
        "url": "It verifies another URL",
    }

    assert {"slack": ["time", "body"], "github": ["body"], "mailgun": ["time"], "twilio": ["url"]} == {
        name: [part for part, title in titles.items() if title in tried] for name, tried in causes.items()
    }
    assert titles["url"] == causes["twilio"][1]


def silent(name: str) -> Rejection:
    """Search at a receiver that rejects everything, and has no clock in its responses."""

    class Silent(Reference):
        def respond(self, request: Request) -> Response:
            return Response(401)

    sender = provider(name)
    with Serving(Silent(name, "")) as url:
        return why_rejected(sender, url, sender.example_secret())


def test_programs_that_write_the_same_text_are_named_together():
    with Serving(Stringify("github", "a secret")) as url:
        rejection = why_rejected("github", url, Secret("a secret"), body=b'{ "a": 1 }')

    assert rejection.cause is not None
    assert "body-javascript" == rejection.cause.id
    assert "json_encode and a writer that sorts keys would write the same" == rejection.cause.detail


def test_a_right_receiver_rejects_nothing():
    rejection = explained(Reference, "stripe")

    assert ("accepted", None, 1) == (rejection.conclusion, rejection.cause, len(rejection.probes))


class Anything(Reference):
    """It rejects the first request, and then accepts all."""

    def verify(self, request: Request) -> None:
        self.count += 1
        if self.count == 1:
            raise Rejected("the first")


def test_nothing_is_concluded_if_forged_requests_are_accepted():
    rejection = explained(Anything, "stripe")

    assert ("not_decided", None) == (rejection.conclusion, rejection.cause)
    assert "accepts a forged request" in rejection.reason


def test_another_secret_is_not_explained_in_at_most_twelve_changes():
    with Serving(Reference("stripe", "whsec_of_someone_else")) as url:
        rejection = why_rejected("stripe", url, Secret("whsec_of_this_receiver"))

    assert ("not_explained", None) == (rejection.conclusion, rejection.cause)
    assert "another secret" in rejection.reason
    assert 2 <= len(rejection.probes) <= 13


def status(code: int, **headers: str) -> type[Reference]:
    class Fixed(Reference):
        def respond(self, request: Request) -> Response:
            return Response(code, headers=headers)

    return Fixed


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (301, "redirect"),
        (404, "no-route"),
        (405, "no-route"),
        (501, "no-route"),
        (413, "body-limit"),
        (415, "media-type"),
        (500, "crash"),
    ],
)
def test_responses_before_any_verification_need_no_change(code, cause):
    rejection = explained(status(code, Location="/login"), "stripe")

    assert rejection.cause is not None
    assert (cause, 1) == (rejection.cause.id, len(rejection.probes))


@pytest.mark.parametrize(
    ("code", "name", "reason"),
    [
        (403, "stripe", "such as a firewall"),
        (422, "stripe", "such as a model"),
        (401, "twilio", "verify the public URL of a proxy"),
    ],
)
def test_a_rejection_that_is_not_explained_names_what_is_likely(code, name, reason):
    rejection = explained(status(code), name)

    assert "not_explained" == rejection.conclusion
    assert reason in rejection.reason


def test_the_secret_and_its_signatures_are_not_in_the_result():
    secret = Secret("whsec_canaryOfTheSecret4711")
    with Serving(Newline("stripe", secret.reveal())) as url:
        rejection = why_rejected("stripe", f"{url}?token=canaryOfTheQuery", secret)

    signatures = [
        value
        for probe in rejection.probes
        for name, value in probe.request.headers
        if "signature" in name.lower()
    ]
    assert all("v1=••••" in value for value in signatures[:-2] + signatures[-1:]), signatures
    for text in (
        repr(rejection),
        rejection.to_json(),
        repr(rejection.probes),
        str([p.request for p in rejection.probes]),
    ):
        assert "canary" not in text


def test_another_machine_is_not_reached_without_consent():
    with pytest.raises(DestinationBlocked, match="up to 15 requests"):
        why_rejected("stripe", "https://hooks.example.com/stripe", Secret("whsec_x"))


@pytest.mark.parametrize(("timeout_s", "budget_s"), [(0, 1), (1, -1)])
def test_times_are_above_zero(timeout_s: float, budget_s: float):
    with pytest.raises(InvalidArgument, match="above 0"):
        why_rejected(
            "stripe", "http://127.0.0.1:9", Secret("whsec_x"), timeout_s=timeout_s, budget_s=budget_s
        )


@pytest.mark.parametrize(("stopped", "reason"), [(True, "it was stopped"), (False, "cannot be reached")])
def test_a_run_that_ends_early_says_so(stopped: bool, reason: str):
    with Receiver("stripe", Secret("whsec_x")) as receiver:
        url = receiver.url
    rejection = why_rejected("stripe", url, Secret("whsec_x"), stop=lambda: stopped)

    assert "not_decided" == rejection.conclusion
    assert reason in rejection.reason


@pytest.mark.parametrize(
    "name",
    [
        "discord",
        "twilio",
        "square",
        "gitlab",
        "mailgun",
        "sendgrid",
        "plaid",
        "paypal",
        "figma",
        "gitlab-token",
        "telegram",
    ],
)
def test_probes_of_every_kind_of_scheme_can_be_sent(name):
    assert "not_explained" == silent(name).conclusion


@pytest.mark.parametrize(
    "date",
    [
        formatdate(time.time() + 3 * 86_400, usegmt=True),
        "Fri, 31 Dec 9999 23:59:59 -1200",
        "Sat, 01 Jan 0001 00:00:00 +1200",
        "Fri, 01 Jan 2027 00:00:00 +99999999999999999999",
        "Fri, 01 Jan 99999999999999999999 00:00:00 GMT",
    ],
    ids=["in three days", "last year", "first year", "odd zone", "odd year"],
)
def test_a_receiver_gets_no_signature_for_a_later_day_by_its_own_date(date):
    """A hostile one could use it on that day, at another receiver with the same secret."""
    timestamps = []

    class Greedy(Reference):
        def verify(self, request: Request) -> None:
            timestamps.append(int(self.timestamp(request) or 0))
            raise Rejected("always")

        def reject(self, reason: str, request: Request) -> Response:
            return Response(401, headers={"Date": date})

    rejection = explained(Greedy, "stripe")

    assert "not_explained" == rejection.conclusion
    assert len(timestamps) > 5
    now = time.time()
    # Milliseconds are a probe of their own.
    assert [] == [at for at in timestamps if min(at - now, abs(at / 1000 - now)) > 86_400]
