"""Each broken receiver is reported by exactly its checks, and the reference by none."""

from __future__ import annotations

import time
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from hook_widgets.receivers import Report, Setup, Status, catalogue, check_receiver
from hook_widgets.webhooks import Secret, provider
from hook_widgets.webhooks.delivery import connect
from tests.receiver_checks.http_layer import Body, HttpReceiver, Request, Response, Serving, TooLarge
from tests.receiver_checks.in_memory import in_memory
from tests.receiver_checks.reference import Reference
from tests.receiver_checks.special_schemes import VerifyToken
from tests.receivers.broken.faults import FAULTS, Fault
from tests.receivers.broken.handshakes import Ban, RejectsAll
from tests.receivers.broken.wire import LOAD_FAULTS, WIRE_FAULTS
from tests.support.extent import some

# Decided in test_special_schemes.py, and A8 in test_runner.py.
SPECIAL = {"A8", "B17", "B18", "B19", "F5", "H5", "H6"}
PROVIDERS = ("github", "shopify", "slack", "stripe", "svix", "xero")
LOAD = tuple(check.id for check in catalogue().values() if check.load)


def report_of(
    receiver: type[Reference],
    name: str,
    *,
    load: bool = False,
    skip: tuple[str, ...] = (),
    transport: Any = in_memory,
) -> Report:
    """Check a receiver; the checks of load and time take longer, and are a run of their own.

    Whole requests reach it in memory, and the others on a connection.
    """
    secret, other, previous, retired = map(example_secret, [name] * 4)
    served = receiver(name, secret.reveal())
    served.other_secret, served.previous, served.retired = map(Secret.reveal, (other, previous, retired))
    bare = receiver(name, "")
    with Serving(served) as url, Serving(bare) as unconfigured_url:
        receivers = {urlsplit(url).netloc: served, urlsplit(unconfigured_url).netloc: bare}
        setup = Setup(
            other_secret=other,
            previous_secret=previous,
            retired_secret=retired,
            unconfigured_url=unconfigured_url,
            fail_next=served.fail_next,
            advance_s=served.advance_s,
            history=history,
            state=lambda: dict(served.versions),
        )
        return check_receiver(
            name,
            url,
            secret,
            suite="full",
            only=LOAD if load else None,
            skip=skip if load else LOAD,
            oracle=lambda: served.count,
            setup=setup,
            settle_s=0.01,
            slow_s=2.5,
            timeout_s=receiver.sender_timeout_s,
            budget_s=3600,
            transport=transport and transport(receivers),
            connect=connect,
        )


def example_secret(name: str) -> Secret:
    secret = provider(name).example_secret()
    assert isinstance(secret, Secret)
    return secret


def history() -> list[bytes]:
    """Three versions of a new object."""
    item = uuid4().hex
    return [f'{{"item":{{"id":"{item}","version":{version}}}}}'.encode() for version in (1, 2, 3)]


@cache
def reference_report(name: str, *, load: bool = False) -> Report:
    """Check the reference; as it is served, without a shortcut."""
    return report_of(Reference, name, load=load, transport=None)


def statuses(report: Report) -> dict[str, str]:
    return {result.id: str(result.status) for result in report.checks}


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_reference_passes_every_check_that_applies(name):
    report = reference_report(name)

    assert {"passed", "not_applicable"} >= set(statuses(report).values())
    assert report.ok
    assert 1.0 == report.score.fraction
    assert report.score.passed >= 35


def test_the_reference_passes_every_check_of_load_and_time():
    report = reference_report("stripe", load=True)

    assert dict.fromkeys(LOAD, "passed") == statuses(report)
    assert report.requests + reference_report("stripe").requests <= 1600  # as the consent says


def test_every_check_is_decided_by_some_provider_or_named_here():
    decided = {r.id for name in PROVIDERS for r in reference_report(name).checks if r.status == "passed"}

    assert SPECIAL == set(catalogue()) - decided - set(LOAD)


@pytest.mark.parametrize(
    "fault",
    some([*FAULTS, *WIRE_FAULTS], 26),
    ids=lambda fault: f"{fault.receiver.__name__}-{fault.provider}",
)
def test_a_broken_receiver_is_reported_by_exactly_its_checks(fault: Fault):
    expected = statuses(reference_report(fault.provider))
    for status, ids in (
        (Status.FAILED, fault.failed),
        (Status.WARNED, fault.warned),
        (Status.NOT_DECIDED, fault.not_decided),
    ):
        expected |= dict.fromkeys(ids.split(), str(status))

    assert expected == statuses(report_of(fault.receiver, fault.provider))


@pytest.mark.parametrize("fault", some(LOAD_FAULTS, 4), ids=lambda fault: fault.receiver.__name__)
def test_a_receiver_that_breaks_under_load_or_in_time_is_reported_by_exactly_its_check(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
):
    noise = Random(7)

    def counted_s() -> float:
        return fault.receiver.busy_s + noise.uniform(0, 0.002)

    clock = SimpleNamespace(monotonic=time.monotonic, perf_counter=counted_s)
    monkeypatch.setattr("hook_widgets.receivers.checks.load.time", clock)
    expected = dict.fromkeys(LOAD, "passed")
    expected |= dict.fromkeys(fault.failed.split(), "failed") | dict.fromkeys(fault.warned.split(), "warned")
    slow = () if fault.warned == "G8" else ("G8",)  # a thousand requests
    expected = {name: status for name, status in expected.items() if name not in slow}

    report = report_of(fault.receiver, fault.provider, load=True, skip=slow, transport=None)
    assert expected == statuses(report)


def test_every_check_that_can_fail_here_is_failed_by_a_broken_receiver():
    reported = {
        check
        for fault in (*FAULTS, *WIRE_FAULTS, *LOAD_FAULTS)
        for check in f"{fault.failed} {fault.warned}".split()
    }

    # A1: `RejectsAll`; A2: a test of its own.
    assert SPECIAL | {"A1", "A2"} == set(catalogue()) - reported


@pytest.mark.parametrize("receiver", [RejectsAll, Ban])
def test_a_receiver_that_accepts_nothing_or_bans_the_sender_passes_no_negative_check(receiver):
    result = statuses(report_of(receiver, "stripe"))

    negative = {"B1", "B3", "B4", "B5", "B7", "B8", "B9", "B11", "B12", "B13", "B14", "B16", "C1", "C2", "C3"}
    assert {"not_decided"} == {result[check] for check in negative}
    assert ("failed" if receiver is RejectsAll else "passed") == result["A1"]


class BanOfAny(HttpReceiver):
    """Bans the sender after one request that another receiver rejects."""

    def __init__(self, receiver: HttpReceiver) -> None:
        self.receiver = receiver
        self.banned = False

    def read(self, body: Body) -> bytes:
        try:
            return super().read(body)
        except TooLarge:
            self.banned = True
            raise

    def respond(self, request: Request) -> Response:
        response = Response(403) if self.banned else self.receiver.respond(request)
        self.banned |= response.status >= 400
        return response


@pytest.mark.parametrize(
    ("name", "check"),
    [
        *(("stripe", check) for check in ("F13", "G1", "G2", "G3", "G4", "G6")),
        *((name, "G6") for name in ("svix", "slack", "xero", "meta")),
        *((name, "H2") for name in ("xero", "meta")),
    ],
)
def test_one_check_alone_passes_no_receiver_that_bans_after_one_bad_request(name: str, check: str):
    secret = example_secret(name)
    text = secret.reveal()
    right: HttpReceiver = VerifyToken(text) if name == "meta" else Reference(name, text)
    setup = Setup(parts={"verify_token": VerifyToken.known}) if name == "meta" else None

    def status(receiver: HttpReceiver) -> str:
        with Serving(receiver) as url:
            return str(check_receiver(name, url, secret, only=[check], setup=setup).checks[0].status)

    assert ("passed", "not_decided") == (status(right), status(BanOfAny(right)))
