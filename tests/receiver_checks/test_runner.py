"""A run: what it sends, when it ends, and what it asks."""

from __future__ import annotations

import base64
import json
import re
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from cryptography.hazmat.primitives import serialization

from hook_widgets.errors import DestinationBlocked, InvalidArgument, InvalidSecret, UnknownName
from hook_widgets.receivers import Progress, Setup, Status, catalogue, check_receiver
from hook_widgets.receivers.checks.signatures import UNREADABLE
from hook_widgets.receivers.preparation import _public_keys
from hook_widgets.webhooks import (
    Delivery,
    DeliveryError,
    KeyPair,
    Receiver,
    Secret,
    WebhookRequest,
    provider,
    send,
    verify,
)
from hook_widgets.webhooks.keys.key_pair import PublicForm
from hook_widgets.webhooks.keys.signing import LocalSigner, MatchJob
from hook_widgets.webhooks.models import SigningJob
from tests.receiver_checks.http_layer import Request, Response, Serving
from tests.receiver_checks.reference import Reference
from tests.support.extent import in_turn, some
from tests.support.processes import free_port

SECRET = Secret("whsec_an_example_secret")


@pytest.fixture
def reference():
    served = Reference("stripe", SECRET.reveal())
    with Serving(served) as url:
        yield served, url


def test_checks_are_chosen_by_id_and_by_area(reference):
    _, url = reference

    def ids(**options):
        return [result.id for result in check_receiver("stripe", url, SECRET, **options).checks]

    assert ["A1", "B3"] == ids(only=["B3", "A1"])
    assert ["E1", "E5", "E6"] == ids(only=["E"], skip=["E2", "E3", "E4"])
    assert "E5" not in ids(only=None, skip=["A", "B", "C", "D", "F", "G", "H"])
    assert ["E1", "E2", "E3", "E4", "E5", "E6"] == ids(suite="full", skip=["A", "B", "C", "D", "F", "G", "H"])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"only": ["Z9"]}, UnknownName),
        ({"skip": ["b3"]}, UnknownName),
        ({"only": "B3"}, InvalidArgument),
        ({"only": []}, InvalidArgument),
        ({"suite": "everything"}, InvalidArgument),
        ({"oracle": 3}, InvalidArgument),
        ({"oracle": " "}, InvalidArgument),
        ({"oracle": "https://example.com/count"}, DestinationBlocked),
        ({"timeout_s": 0}, InvalidArgument),
        ({"slow_s": 0}, InvalidArgument),
        ({"budget_s": float("nan")}, InvalidArgument),
        ({"event": "no.such.event"}, UnknownName),
    ],
)
def test_a_wrong_argument_is_an_error_before_anything_is_sent(options, error):
    sent: list[WebhookRequest] = []

    with pytest.raises(error):
        check_receiver("stripe", "http://127.0.0.1:9/", SECRET, transport=transport_into(sent), **options)
    assert [] == sent


def test_a_body_of_ones_own_is_sent_and_changed(reference):
    _, url = reference
    sent: list[WebhookRequest] = []
    body = b'{"id": "evt_1", "type": "payment_intent.succeeded", "amount": 1}'

    report = check_receiver(
        "stripe", url, SECRET, body=body, only=["A1", "B7", "D8"], transport=transport_into(sent)
    )

    assert {"passed"} == {str(result.status) for result in report.checks}
    assert body == sent[0].body
    assert any(b"hook_widgets_new" in request.body for request in sent)


def test_a_body_that_is_no_json_is_sent_as_it_is(reference):
    _, url = reference

    report = check_receiver("stripe", url, SECRET, body=b'{"half', only=["A5", "B7", "B8", "F12"])

    # The reference responds with 400 to it.
    assert {"not_decided"} == {str(result.status) for result in report.checks}

    with Receiver("stripe", SECRET) as receiver:
        report = check_receiver(
            "stripe", receiver.url, SECRET, body=b'{"half', only=["A5", "B7", "B8", "F12"]
        )

    assert {"A5": "passed", "B7": "passed", "B8": "not_applicable", "F12": "passed"} == {
        result.id: str(result.status) for result in report.checks
    }


def test_a_body_that_the_provider_cannot_sign_is_an_error():
    with pytest.raises(InvalidArgument, match="leave it out for a sample"):
        check_receiver("ecwid", "http://127.0.0.1:9/", Secret("example"), body=b"")


def transport_into(sent: list[WebhookRequest]):
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        sent.append(request)
        return send(request, timeout_s=timeout_s)

    return transport


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("https://hooks.example.com/", None),
        ("https://hooks.example.com/", ["other.example.com"]),
        ("https://hooks.example.com/", []),
        ("http://192.168.1.7/", None),
        ("http://169.254.169.254/", ["169.254.169.254"]),
        ("http://3232235783/", None),
    ],
)
def test_another_machine_must_be_allowed(url, hosts):
    sent: list[WebhookRequest] = []

    with pytest.raises(DestinationBlocked):
        check_receiver("stripe", url, SECRET, allow_hosts=hosts, transport=transport_into(sent))
    assert [] == sent


def test_an_allowed_machine_is_sent_to():
    hosts: set[str] = set()

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        hosts.add(request.url.split("/")[2])
        with Receiver("stripe", SECRET) as receiver:
            return send(replace(request, url=receiver.url), timeout_s=timeout_s)

    report = check_receiver(
        "stripe",
        "https://hooks.example.com/x",
        SECRET,
        only=["A1"],
        allow_hosts=["*.example.com"],
        transport=transport,
    )

    assert report.ok
    assert {"hooks.example.com"} == hosts


def test_a_key_of_the_wrong_kind_is_an_error_before_anything_is_sent():
    sent: list[WebhookRequest] = []

    with pytest.raises(InvalidSecret):
        check_receiver(
            "stripe", "http://127.0.0.1:9/", KeyPair.generate("ed25519"), transport=transport_into(sent)
        )
    assert [] == sent


def test_a_receiver_that_is_not_there_is_reported():
    report = check_receiver("stripe", f"http://127.0.0.1:{free_port()}/", SECRET)

    assert {"not_decided"} == {str(result.status) for result in report.checks}
    assert "cannot be reached (refused)" in report.stopped
    assert report["A1"].observed.endswith("Start the receiver, or correct the URL.")
    assert report["B1"].observed == f"not run: {report.stopped}"
    assert 1 == report.requests
    assert not report.ok


@pytest.mark.parametrize(
    ("provider", "tolerance_s", "statuses"),
    [
        ("paddle", 5, {}),
        ("paddle", 300, {"C1": "warned", "C2": "warned"}),
        ("paddle", 600, {"C1": "failed", "C2": "warned", "C4": "not_decided"}),
        ("cloudinary", 7200, {}),
        ("cloudinary", 14400, {"C1": "failed", "C2": "warned", "C4": "not_decided"}),
    ],
)
def test_five_minutes_are_tolerable_where_the_provider_names_less(provider, tolerance_s, statuses):
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        verdict = verify(provider, request, SECRET, tolerance_s=tolerance_s)
        return answer(204 if verdict.ok else 401)

    report = check_receiver(
        provider,
        "http://127.0.0.1:9/",
        SECRET,
        only=["A10", "C1", "C2", "C4", "G4", "G6"],
        transport=transport,
    )

    decided = dict.fromkeys(("A10", "C1", "C2", "C4"), "passed") | statuses
    if "failed" not in statuses.values():
        decided |= dict.fromkeys(("G4", "G6"), "passed")
    assert decided == {name: str(report[name].status) for name in decided}


def test_a_receiver_need_not_accept_what_comes_hours_before_its_time():
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        early = datetime.now(UTC) - timedelta(seconds=7200 - 300)  # so that 300 s ahead are the limit
        return answer(204 if verify("cloudinary", request, SECRET, now=early).ok else 401)

    report = check_receiver("cloudinary", "http://127.0.0.1:9/", SECRET, only=["A10"], transport=transport)

    assert report["A10"].observed.endswith("240 s ahead")


def test_a_receiver_with_a_certificate_of_its_own_is_checked_with_ca():
    with Receiver("stripe", SECRET, tls=True) as receiver:
        unknown = check_receiver("stripe", receiver.url, SECRET, only=["A1", "F7"])
        known = check_receiver("stripe", receiver.url, SECRET, only=["A1", "F7"], ca=receiver.ca)

    assert "is self-signed" in unknown["A1"].observed
    assert ["passed", "passed"] == [str(result.status) for result in known.checks]


def answer(status: int | None, error: str = "") -> Delivery:
    return Delivery(
        status=status, elapsed_s=0.001, error=DeliveryError(error, "it is gone") if error else None
    )


@pytest.mark.parametrize("last_response", ["closed", None])
def test_a_receiver_that_dies_of_a_bad_request_fails_and_passes_nothing_afterwards(last_response):
    dead = False

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        nonlocal dead
        if dead:
            return answer(None, "refused")
        dead = not verify("stripe", request, SECRET).ok
        if dead:
            return answer(None, last_response) if last_response else answer(401)
        return answer(204)

    report = check_receiver(
        "stripe", "http://127.0.0.1:9/", SECRET, only=["A1", "B3", "B7"], transport=transport
    )

    assert ["passed", "failed", "not_decided"] == [str(result.status) for result in report.checks]
    assert "the receiver is gone after another secret" == report["B3"].observed
    assert "cannot be reached" in report["B7"].observed


def test_a_ban_after_a_thousand_signatures_is_not_passed():
    banned = False

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        nonlocal banned
        banned |= not verify("stripe", request, SECRET).ok
        return answer(403 if banned else 204)

    report = check_receiver("stripe", "http://127.0.0.1:9/", SECRET, only=["E5"], transport=transport)

    assert "not_decided" == report["E5"].status


def test_a_receiver_that_a_good_request_kills_fails():
    alive = True

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        nonlocal alive
        if not alive:
            return answer(None, "refused")
        alive = b"[[[[" not in request.body
        return answer(204) if alive else answer(None, "closed")

    report = check_receiver("stripe", "http://127.0.0.1:9/", SECRET, only=["F12", "F17"], transport=transport)

    assert ["failed", "not_decided"] == [str(result.status) for result in report.checks]
    assert "no response (closed) for 10,000 levels" == report["F12"].observed


def test_a_limit_on_requests_decides_nothing_about_a_request():
    count = 0

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        nonlocal count
        count += 1
        return answer(204 if count % 2 else 429)

    report = check_receiver(
        "stripe", "http://127.0.0.1:9/", SECRET, only=["B1", "B3", "D8", "F1", "H1"], transport=transport
    )

    assert {"not_decided", "not_applicable"} == {str(result.status) for result in report.checks}
    assert "it limits requests (429 for no signature)" in report["B1"].observed


class OneOnly(Reference):
    """Limits requests to one."""

    served = 0

    def respond(self, request: Request) -> Response:
        self.served += 1
        return super().respond(request) if self.served == 1 else Response(429)


@pytest.mark.parametrize("check", ["A9", "F2", "F3", "F7", "F9"])
def test_a_limit_decides_nothing_about_a_request_that_is_written_byte_by_byte(check):
    key = provider("stripe").example_secret()
    assert isinstance(key, Secret)
    with Serving(OneOnly("stripe", key.reveal())) as url:
        result = check_receiver("stripe", url, key, only=[check])[check]

    assert "not_decided" == result.status
    assert result.observed.startswith("it limits requests (429 for ")


@pytest.mark.parametrize(("limit", "unverified"), [(1, ["B1", "B3"]), (1000, [])])
def test_a_receiver_whose_limit_hides_what_it_does_with_forgeries_is_not_ok(limit, unverified):
    count = 0

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        nonlocal count
        count += 1
        return answer((204 if verify("stripe", request, SECRET).ok else 401) if count <= limit else 429)

    report = check_receiver(
        "stripe", "http://127.0.0.1:9/", SECRET, only=["A1", "B1", "B3", "C5"], transport=transport
    )

    assert "passed" == report["A1"].status
    assert ("not_decided", not unverified) == (report["C5"].status, report.ok)
    assert unverified == [result.id for result in report.unverified]


@pytest.mark.parametrize(("status", "why"), [(204, "Anyone who knows"), (500, "The request is not accepted")])
def test_a_crash_is_not_said_to_let_forgeries_in(status, why):
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        return answer(204 if verify("stripe", request, SECRET).ok else status)

    report = check_receiver("stripe", "http://127.0.0.1:9/", SECRET, only=["B3"], transport=transport)

    assert report["B3"].why.startswith(why)


# GitHub's own sample for Sinatra halts with 500 if the signature differs, and crashes without one.
@pytest.mark.parametrize(
    ("crash", "expected"),
    [
        (b"Signatures didn't match!", {"B2": "warned", "B11": "warned", "B12": "warned", "B13": "warned"}),
        (b"NoMethodError", {"B2": "failed", "B11": "failed", "B12": "failed", "B13": "warned"}),
    ],
)
def test_the_response_to_every_forgery_is_no_crash_of_a_comparison(crash: bytes, expected: dict[str, str]):
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        if verify("github", request, SECRET).ok:
            return answer(204)
        signature = request.headers.get("X-Hub-Signature-256", "")
        body = b"Signatures didn't match!" if 10 < len(signature) < 80 else crash
        return replace(answer(500), body=body)

    report = check_receiver("github", "http://127.0.0.1:9/", SECRET, only=[*expected], transport=transport)

    assert expected == {result.id: str(result.status) for result in report.checks}
    assert {"The request is not accepted"} == {
        result.why.partition(",")[0] for result in report.checks if result.status == "warned"
    }


# The largest bodies: documentation of GitHub, source code of GitLab (25.megabytes), Atlassian BCLOUD-22312.
@pytest.mark.parametrize(
    ("name", "url", "sizes"),
    [
        ("github", "127.0.0.1", {1_000_000, 25_000_000}),
        ("github", "hooks.example.com", {1_000_000}),
        ("gitlab-token", "127.0.0.1", {1_000_000, 25 << 20}),
        ("bitbucket", "127.0.0.1", {256 << 10}),
        ("stripe", "127.0.0.1", {1_000_000}),
    ],
)
def test_the_largest_body_that_is_documented_goes_to_this_machine_alone(name, url, sizes):
    lengths: list[int] = []

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        lengths.append(len(request.body))
        return answer(204)

    secret = provider(name).example_secret()
    report = check_receiver(
        name, f"https://{url}/", secret, only=["A4"], transport=transport, allow_hosts=[url]
    )

    assert "passed" == report["A4"].status
    large = sorted(length for length in lengths if length > 100_000)
    assert len(large) == len(sizes)
    assert all(size - 2_000 < length <= size for length, size in zip(large, sorted(sizes), strict=True))


def test_a_provider_that_closes_each_connection_sends_no_second_request_on_one():
    # Node's HTTP parser responds with 400 to data after the header Connection: close (HPE_CLOSED_CONNECTION).
    assert "close" == provider("linear").draft().sign(SECRET).headers["Connection"]
    with Receiver("linear", SECRET) as receiver:
        report = check_receiver("linear", receiver.url, SECRET, only=["A9"])

    assert "not_applicable" == report["A9"].status


@pytest.mark.parametrize(("status", "expected"), [(204, "passed"), (415, "warned"), (401, "failed")])
def test_a_receiver_may_decline_what_a_provider_compresses_if_it_says_so(status, expected):
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        return answer(status if "Content-Encoding" in request.headers else 204)

    report = check_receiver("stream", "http://127.0.0.1:9/", SECRET, only=["F8"], transport=transport)

    assert expected == report["F8"].status


@pytest.mark.parametrize(
    ("oracle", "expected"), [(len, "passed"), (lambda _: 0, "not_decided"), (None, "warned")]
)
def test_a_page_for_browsers_is_no_fault_if_it_does_no_work(monkeypatch, oracle, expected):
    monkeypatch.setattr("hook_widgets.receivers.oracle._WAIT_S", 0.1)
    work: list[WebhookRequest] = []

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        if request.method == "POST":
            work.append(request)
        return answer(200)

    report = check_receiver(
        "stripe", "http://127.0.0.1:9/", SECRET, only=["F15"],
        transport=transport, oracle=oracle and (lambda: oracle(work)), settle_s=0.01,
    )  # fmt: skip

    assert expected == report["F15"].status


def test_less_is_waited_for_a_receiver_that_leaves_requests_without_a_response():
    limits: list[float] = []

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        limits.append(timeout_s)
        return answer(204) if verify("stripe", request, SECRET).ok else answer(None, "timeout")

    check_receiver("stripe", "http://127.0.0.1:9/", SECRET, only=["B5"], transport=transport)

    assert [10.0] * 4 + [1.0] * 9 == limits


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("slack", rb'"event_id":"(\w+)"'),
        ("paddle", rb'"event_id":"(\w+)"'),
        ("vercel", rb'"id":"(\w+)","type"'),
        ("hubspot", rb'"eventId":(\d+)'),
        ("twilio", rb"[?&]MessageSid=(\w+)"),
    ],
)
def test_each_good_request_has_an_event_id_of_its_own(name: str, pattern: bytes):
    sent: list[WebhookRequest] = []

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        sent.append(request)
        return answer(204)

    secret = provider(name).example_secret()
    check_receiver(name, "http://127.0.0.1:9/", secret, only=["A2"], transport=transport)

    assert 3 == len({re.findall(pattern, request.body)[0] for request in sent})


def test_it_is_asked_once_in_a_run_whether_new_fields_are_accepted():
    sent: list[bytes] = []

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        sent.append(request.body)
        return answer(204)

    report = check_receiver(
        "stripe", "http://127.0.0.1:9/", SECRET, only=["A4", "A5", "A6", "A7"], transport=transport
    )

    assert {"passed"} == {result.status for result in report.checks}
    assert 1 == sum(b'"a new field"' in body for body in sent)


@pytest.mark.parametrize("step", [0, 1])  # nothing is counted; each reading is higher
def test_the_waits_for_an_oracle_have_a_total(monkeypatch, step: int):
    now_s, readings = 0.0, 0

    def sleep(duration_s: float) -> None:
        nonlocal now_s
        now_s += duration_s

    def oracle() -> int:
        nonlocal readings
        readings += step
        return readings

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        return answer(204 if verify("stripe", request, SECRET).ok else 401)

    clock = SimpleNamespace(monotonic=lambda: now_s, sleep=sleep)
    monkeypatch.setattr("hook_widgets.receivers.oracle.time", clock)

    check_receiver("stripe", "http://127.0.0.1:9/", SECRET, transport=transport, oracle=oracle)

    assert 2 < now_s < 20


@pytest.mark.parametrize("name", some(["stripe", "svix"], 1))  # those with the most checks that apply
def test_a_standard_run_with_an_oracle_sends_no_more_than_it_says(name: str):
    key = provider(name).example_secret()
    assert isinstance(key, Secret)
    served = Reference(name, key.reveal())
    with Serving(served) as url:
        report = check_receiver(name, url, key, oracle=lambda: served.count, settle_s=0.01)

    assert () == report.findings
    assert 200 < report.requests <= 250


class CountedClock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def monotonic(self) -> float:
        return self._now_s

    def sleep(self, duration_s: float) -> None:
        self._now_s += duration_s


@pytest.mark.parametrize(
    ("name", "late_s"),  # a queue does the work after the response
    in_turn(["stripe", "slack", "github", "svix"], [(0.0,), (0.1,), (0.3,)], each=1),
)
def test_a_standard_run_waits_at_most_eighteen_seconds_for_an_oracle(monkeypatch, name: str, late_s: float):
    """Its requests take the rest of 20 s; the clock is counted, not measured."""
    due, done = [], set()
    clock = CountedClock()
    monkeypatch.setattr("hook_widgets.receivers.oracle.time", clock)
    monkeypatch.setattr("hook_widgets.receivers.sending.time", clock)
    key = provider(name).example_secret()

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        if not verify(name, request, key).ok:
            return answer(401)
        if request.body not in done:
            due.append(clock.monotonic() + late_s)
        done.add(request.body)
        return answer(204)

    report = check_receiver(
        name, "http://127.0.0.1:9/", key,
        transport=transport, oracle=lambda: sum(at <= clock.monotonic() for at in due),
    )  # fmt: skip

    assert clock.monotonic() <= 18
    assert {"passed"} == {report[check].status for check in ("B1", "B3", "C5", "C9", "C13")}


@pytest.mark.parametrize(("copies", "status"), [(False, "passed"), (True, "failed")])
def test_work_that_a_queue_does_after_the_response_is_waited_for(monkeypatch, copies: bool, status: str):
    due, done = [], set()
    clock = CountedClock()
    monkeypatch.setattr("hook_widgets.receivers.oracle.time", clock)

    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        if not verify("stripe", request, SECRET).ok:
            return answer(401)
        event = json.loads(request.body)["id"]
        if copies or event not in done:
            due.append(clock.monotonic() + 0.3)
        done.add(event)
        return answer(202)

    report = check_receiver(
        "stripe", "http://127.0.0.1:9/", SECRET, only=["A1", "A5", "B3", "C5", "C10", "F15"],
        transport=transport, oracle=lambda: sum(at <= clock.monotonic() for at in due),
    )  # fmt: skip

    assert {"C5": status, "C10": status, "B3": "passed"} == {
        name: str(report[name].status) for name in ("C5", "C10", "B3")
    }
    assert "failed" != report["F15"].status


@pytest.mark.parametrize(("status", "expected"), [(405, "passed"), (501, "warned"), (500, "failed")])
def test_a_method_that_a_server_does_not_implement_is_no_crash(status: int, expected: str):
    report = check_receiver(
        "stripe", "http://127.0.0.1:9/", SECRET, only=["F15"], transport=lambda *_, **__: answer(status)
    )

    assert expected == str(report["F15"].status)


def test_a_url_that_redirects_fails():
    report = check_receiver(
        "stripe", "http://127.0.0.1:9/hooks", SECRET, only=["F16"], transport=lambda *_, **__: answer(308)
    )

    assert ("failed", "308 for the URL") == (str(report.checks[0].status), report.checks[0].observed)
    assert "HTTP forms" == catalogue()["F16"].area


def test_no_response_is_neither_acceptance_nor_rejection():
    def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        return answer(204) if verify("stripe", request, SECRET).ok else answer(None, "timeout")

    report = check_receiver(
        "stripe", "http://127.0.0.1:9/hooks", SECRET, only=["B1", "B2", "B11"], transport=transport
    )

    assert ["warned", "failed", "failed"] == [str(result.status) for result in report.checks]
    assert "no response (timeout) for no signature" == report["B1"].observed


def test_progress_tells_each_result(reference):
    _, url = reference
    seen: list[Progress] = []

    report = check_receiver("stripe", url, SECRET, only=["B"], on_progress=seen.append)

    assert list(report.checks) == [progress.result for progress in seen]
    assert [(i + 1, len(report.checks)) for i in range(len(seen))] == [(p.done, p.total) for p in seen]


def test_an_exception_of_the_callback_is_passed_on(reference):
    _, url = reference

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_receiver("stripe", url, SECRET, on_progress=interrupt)


def test_a_stopped_run_keeps_its_results_and_passes_nothing_else(reference):
    _, url = reference
    done: list[Progress] = []

    report = check_receiver("stripe", url, SECRET, on_progress=done.append, stop=lambda: len(done) >= 3)

    assert ["passed", "passed", "not_applicable"] == [str(result.status) for result in report.checks[:3]]
    assert {"not_decided"} == {str(result.status) for result in report.checks[3:]}
    assert "it was stopped" == report.stopped
    assert {check.id for check in catalogue().values() if check.suite == "standard"} == {
        result.id for result in report.checks
    }


def test_a_run_ends_with_its_time(reference):
    _, url = reference

    report = check_receiver("stripe", url, SECRET, budget_s=timedelta(milliseconds=60))

    assert "0.06 s are over" in report.stopped
    assert not report.ok
    assert Status.NOT_DECIDED is report.checks[-1].status


def test_a_slow_receiver_fails_in_time_and_warns_from_half_of_it(reference):
    _, url = reference

    def status(elapsed_s: float, name: str = "stripe") -> str:
        def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
            return replace(send(request, timeout_s=timeout_s), elapsed_s=elapsed_s)

        report = check_receiver(
            replace(provider("stripe"), responses=provider(name).responses),
            url, SECRET, only=["A2"], transport=transport,
        )  # fmt: skip
        return str(report.checks[0].status)

    assert ["passed", "warned", "failed"] == [status(s) for s in (2.4, 2.6, 5.1)]
    assert ["passed", "warned", "failed"] == [status(s, "slack") for s in (1.4, 1.6, 3.1)]


def test_an_array_of_events_is_sent_where_the_provider_sends_arrays():
    pair = provider("sendgrid").example_secret()
    with Receiver("sendgrid", pair) as receiver:
        report = check_receiver("sendgrid", receiver.url, pair, only=["A8"])

        assert report.ok
        assert receiver.deliveries[-1].request.body.count(b'"event"') >= 2


def test_the_same_random_and_clock_give_the_same_requests():
    noon = datetime(2026, 11, 24, 12, tzinfo=UTC)

    def requests() -> list[tuple[object, ...]]:
        sent: list[tuple[object, ...]] = []

        def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
            sent.append((request.headers.multi_items(), request.body))
            genuine = verify("stripe", request, SECRET, now=noon).ok
            with_status = 200 if genuine else 401
            return Delivery(status=with_status, headers=request.headers, elapsed_s=0.001)

        check_receiver(
            "stripe", "http://127.0.0.1:9/", SECRET, transport=transport, now=lambda: noon, random=Random(7)
        )
        return sent

    first = requests()
    assert len(first) > 120
    assert first == requests()


def test_a_holder_of_the_key_elsewhere_can_sign_a_whole_run(reference):
    served, url = reference

    class Elsewhere:
        """Answers signing and matching jobs, as a browser tab does; no secret is in the arguments."""

        def sign(self, jobs: Sequence[SigningJob]) -> list[bytes]:
            return LocalSigner(SECRET).sign(jobs)

        def match(self, jobs: Sequence[MatchJob]) -> list[int]:
            return LocalSigner(SECRET).match(jobs)

    report = check_receiver("stripe", url, Elsewhere(), oracle=lambda: served.count, settle_s=0.02)

    statuses = {result.id: str(result.status) for result in report.checks}
    assert "not_decided" == statuses.pop("G2")  # nobody here can search a response for the secret
    assert {"passed", "not_applicable"} == set(statuses.values())


@pytest.fixture
def counted(reference):
    """The count of the reference at a URL."""
    served, url = reference

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = str(served.count).encode() if self.path == "/count" else b"many"
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield url, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def c5(url: str, oracle) -> tuple[str, str]:
    report = check_receiver("stripe", url, SECRET, only=["C5"], oracle=oracle, settle_s=0.02)
    return str(report.checks[0].status), report.checks[0].observed


def test_an_oracle_may_be_a_url_or_a_command(counted):
    url, origin = counted
    fetch = f"import urllib.request as u; print(u.urlopen('{origin}/count').read().decode())"

    assert "passed" == c5(url, f"{origin}/count")[0]
    assert "passed" == c5(url, f'"{sys.executable}" -c "{fetch}"')[0]


@pytest.mark.parametrize(
    ("oracle", "reason"),
    [
        (None, "give an oracle"),
        (lambda: "3", "the oracle returned str, not an int"),
        (lambda: 1 // 0, "the oracle raised ZeroDivisionError"),
        (lambda: 0, "the oracle counted 0 for one good request"),
        ("exit 3", "ended with code 3"),
        ("echo many", "gave no whole number"),
    ],
)
def test_an_oracle_that_counts_nothing_decides_nothing(reference, monkeypatch, oracle, reason):
    monkeypatch.setattr("hook_widgets.receivers.oracle._WAIT_S", 0.1)
    status, observed = c5(reference[1], oracle)

    assert "not_decided" == status
    assert reason in observed


def test_a_url_that_gives_no_count_decides_nothing(counted):
    url, origin = counted

    assert ("not_decided", "the oracle gave no whole number") == c5(url, f"{origin}/other")


def test_load_goes_to_another_machine_only_with_a_consent_of_its_own(reference, monkeypatch):
    monkeypatch.setattr("hook_widgets.receivers.oracle._WAIT_S", 0.1)
    _, url = reference
    sent: list[str] = []

    def run(**options) -> set[str]:
        def transport(request: WebhookRequest, *, timeout_s: float) -> Delivery:
            sent.append(request.url)
            return send(replace(request, url=url), timeout_s=timeout_s)

        report = check_receiver(
            "stripe",
            "https://hooks.example.com/",
            SECRET,
            only=[check.id for check in catalogue().values() if check.load],
            allow_hosts=["hooks.example.com"],
            transport=transport,
            oracle=lambda: 0,
            **options,
        )
        return {result.observed for result in report.checks}

    (reason,) = run()
    assert "allow_load=True" in reason
    assert [] == sent

    assert reason not in run(allow_load=True)
    assert [] != sent


def test_a_transport_of_ones_own_is_not_gone_around(reference):
    _, url = reference
    sent: list[WebhookRequest] = []

    report = check_receiver("stripe", url, SECRET, only=["A1", "F7"], transport=transport_into(sent))

    assert ("passed", "not_decided") == (report["A1"].status, report["F7"].status)
    assert "connect=" in report["F7"].observed


def test_the_standard_connection_obeys_allow_hosts():
    with pytest.raises(DestinationBlocked):
        check_receiver("stripe", "http://192.168.1.7/", SECRET, only=["F7"], allow_load=True)


def test_other_secrets_are_masked_in_a_report():
    previous, retired = Secret("whsec_the_one_before_this_one"), Secret("whsec_a_known_and_retired_one")

    class Echo(Reference):
        def respond(self, request: Request) -> Response:
            text = f"{previous.reveal()} {retired.reveal()} {request.headers.get('stripe-signature')}"
            return Response(200, text.encode())

    with Serving(Echo("stripe", SECRET.reveal())) as url:
        report = check_receiver(
            "stripe",
            url,
            SECRET,
            only=["E3", "E4"],
            setup=Setup(previous_secret=previous, retired_secret=retired),
        )

    shown = repr(report) + report._repr_html_() + report.to_json()
    assert "passed" == report["E3"].status
    assert "the_one_before" not in shown
    assert "known_and_retired" not in shown


@pytest.mark.parametrize(
    ("check", "setup"),
    [
        ("D2", Setup(fail_next=lambda: 1 / 0)),
        ("D4", Setup(history=lambda: [b"{}"][:0] * (1 // 0), state=dict)),
        ("D5", Setup(history=lambda: [b"{}"], state=dict)),
        ("D4", Setup(history=lambda: ["{}"] * 3, state=dict)),  # type: ignore[list-item]
        ("D4", Setup(history=lambda: [b"{}"] * 3, state=lambda: 1 / 0)),
    ],
)
def test_a_function_of_the_owner_that_fails_decides_nothing_and_ends_no_run(reference, check, setup):
    served, url = reference
    report = check_receiver(
        "stripe", url, SECRET, only=[check, "G1"], setup=setup, oracle=lambda: served.count, settle_s=0.02
    )

    assert ("not_decided", "passed") == (report[check].status, report["G1"].status)
    assert ("ZeroDivisionError" in report[check].observed) or ("three bodies" in report[check].observed)


@pytest.mark.parametrize("algorithm", ["ed25519", "ecdsa-p256", "rsa"])
def test_a_public_key_is_offered_as_a_secret_in_the_pem_that_libraries_read(algorithm: str):
    pair = KeyPair.generate(algorithm)

    pem = _public_keys(pair)["the public key in PEM"]

    form = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    der = serialization.load_pem_public_key(pem).public_bytes(*form)
    assert pair.public_as(PublicForm.BASE64_SPKI) == base64.b64encode(der).decode()


@pytest.mark.parametrize(
    "text", ["00" * 3 + "a5" * 13 + "05" + "5a" * 15, "00" * 3 + "a5" * 13 + "50" + "5a" * 15]
)
def test_no_lenient_decoder_reads_an_unreadable_signature_as_the_genuine_one(text: str):
    def digit_by_digit(changed: str) -> list[int]:  # as JavaScript's parseInt of each pair
        pairs = [re.match("[0-9a-f]*", pair.strip()) for pair in re.findall("..?", changed)]
        return [int(pair[0] or "0", 16) for pair in pairs if pair]

    for label, change in UNREADABLE.items():
        assert digit_by_digit(text) != digit_by_digit(change(text)), label
        assert len(text) == len(change(text))


@pytest.mark.parametrize(("name", "expected"), [("dropbox", "passed"), ("stripe", "warned")])
def test_a_get_without_a_challenge_may_be_accepted_where_the_provider_sends_challenges_by_get(name, expected):
    def receive(request: WebhookRequest, *, timeout_s: float) -> Delivery:
        return answer(200 if request.method in ("GET", "HEAD") else 401)

    secret = provider(name).example_secret()
    report = check_receiver(name, "http://127.0.0.1:9/", secret, only=["F15"], transport=receive)

    assert expected == str(report["F15"].status)


class KnownType(Reference):
    """It works on payments alone."""

    def parse(self, body: bytes) -> object:
        super().parse(body)  # it may be unreadable
        return json.loads(body, object_pairs_hook=self.members)

    def members(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        return dict(pairs)

    def work(self, event: object) -> None:
        super().work(event)
        if not str(event["type"]).startswith("payment"):  # type: ignore[index]
            self.count -= 1


class FirstKey(KnownType):
    """Its parser keeps the first one of repeated keys."""

    def members(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        return dict(reversed(pairs))


@pytest.mark.parametrize(
    ("receiver", "end"),
    [
        (KnownType, "; of a repeated type the last one counts"),
        (FirstKey, "; of a repeated type the first one counts"),
        (Reference, " levels"),  # it works on any type
    ],
)
def test_the_report_tells_which_one_of_a_repeated_key_counts(receiver: type[Reference], end: str):
    served = receiver("stripe", SECRET.reveal())
    with Serving(served) as url:
        report = check_receiver("stripe", url, SECRET, only=["F12"], oracle=lambda: served.count, settle_s=0)

    assert "passed" == report["F12"].status
    assert report["F12"].observed.endswith(end)


def test_the_secrets_of_a_documentation_are_those_that_were_published():
    """As the sources of the published vectors say."""
    vectors = json.loads((Path(__file__).parents[1] / "vectors" / "published.json").read_text())["vectors"]
    published = {(vector["provider"], vector.get("secret")) for vector in vectors}
    known = [provider(name) for name in sorted({vector["provider"] for vector in vectors})]
    ours = {(p.id, text) for p in known for text in getattr(p.key, "published", ())}

    assert len(ours) >= 9
    assert set() == ours - published


@pytest.mark.parametrize("check", ["D8", "F12", "A4", "A7"])
@pytest.mark.parametrize(
    "nested", [b'{"a":' * depth + b"1" + b"}" * depth for depth in (900, 3_000, 100_000)] + [b'{"a":'],
    ids=["900 levels", "3000 levels", "100000 levels", "no JSON"],
)  # fmt: skip
def test_a_body_of_the_users_that_cannot_be_read_ends_no_run(check: str, nested: bytes):
    body = b'{"id":"evt_1","type":"payment_intent.succeeded","d":' + nested + b"}"
    served = Reference("stripe", SECRET.reveal())
    with Serving(served) as url:
        report = check_receiver(
            "stripe", url, SECRET, body=body, only=[check], oracle=lambda: served.count, settle_s=0.01
        )

    assert report[check].id == check
    assert not report.stopped
