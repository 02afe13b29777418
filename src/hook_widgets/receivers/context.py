"""The means of a check: good requests, changed ones, and the outcome of sending them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from hook_widgets.errors import InvalidArgument, UnreadableMessage
from hook_widgets.receivers.event_ids import EventSamples
from hook_widgets.receivers.forging import BytesSigner, Signed, throw_away_signer
from hook_widgets.receivers.oracle import Counter, OracleFailed
from hook_widgets.receivers.outcome import NotApplicable, NotDecided, Outcome, RateLimited, Unsendable
from hook_widgets.receivers.reporting.redaction import Redactor
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.receivers.sending import Exchange, Session, Unreachable, summary
from hook_widgets.receivers.setup import Setup
from hook_widgets.webhooks.keys.signing import LocalSigner, Signer
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme import Event, Scheme
from hook_widgets.webhooks.verdict import Verdict
from hook_widgets.webhooks.verification.verify import inspect

if TYPE_CHECKING:
    from hook_widgets.webhooks.delivery.http1_wire import Connection

Variant: TypeAlias = tuple[str, WebhookRequest]
"""A request, and what is special about it."""

USUAL_TOLERANCE_S: Final = 300  # of Standard Webhooks' libraries and most providers


@dataclass(kw_only=True, eq=False, repr=False)
class Context:
    """The means of the checks of one run.

    Attributes:
        provider: the provider that sends.
        url: the URL of the receiver.
        signer: the holder of the user's key.
        session: sends requests, and counts them.
        redactor: learns each valid signature.
        random: the source of ids, bodies and keys.
        now: the clock.
        event: the event to send.
        body: the body of good requests; by default the event's sample, varied for each.
        counter: counts what the receiver did, if there is an oracle.
        setup: what only the owner of the receiver can give.
        signers: the holders of the keys in `setup`, by the names of its fields.
        settle_s: the time to wait for what should not happen, in seconds.
        slow_s: the time for which a slow sender goes on, in seconds.
        public_keys: the texts of the user's public key, by their forms; none for a shared secret.
        takes_new_fields: True once a request with a new field was accepted.
    """

    provider: Provider
    url: str
    signer: Signer
    session: Session
    redactor: Redactor
    random: Random
    now: Callable[[], datetime]
    event: Event
    body: bytes | None
    counter: Counter | None
    setup: Setup
    signers: Mapping[str, Signer]
    settle_s: float
    slow_s: float
    public_keys: Mapping[str, bytes]
    takes_new_fields: bool = field(default=False, init=False)
    _after_good: bool = field(default=False, init=False)
    _samples: dict[str, EventSamples] = field(default_factory=dict, init=False)

    @cached_property
    def scheme(self) -> Scheme:
        """The scheme of the event."""
        return self.provider.scheme(self.event.scheme)

    # --- requests -------------------------------------------------------------------------------------------

    def draft(
        self,
        *,
        body: bytes | None = None,
        offset_s: float = 0.0,
        at: datetime | None = None,
        event: str | None = None,
        url: str | None = None,
        parts: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        scheme: str | None = None,
    ) -> Draft:
        """Return an unsigned request that differs from the others in its ids.

        Args:
            body: its body; by default that of a good request.
            offset_s: seconds by which its time differs from the clock's.
            at: its time, in place of `offset_s`.
            event: its event.
            url: its URL.
            parts: the provider's own fields.
            headers: headers that replace the provider's.
            scheme: the name of its scheme; by default that of the event.

        Raises:
            NotApplicable: this provider's requests cannot have that body.
        """
        name = event or self.event.name
        at = at or self.now() + timedelta(seconds=offset_s)
        repeated: Mapping[str, str] = {}
        if body is None:
            body, repeated = self._body(name, at)
        try:
            return self.provider.draft(
                event=name,
                url=url or self.url,
                body=body,
                headers={**repeated, **(headers or {})},
                at=at,
                scheme=scheme,
                parts={**self.setup.parts, **(parts or {})},
            )
        except UnreadableMessage:
            raise NotApplicable(f"{self.provider.title} puts its own values into the body") from None

    def sign(self, draft: Draft, signer: Signer | None = None) -> Signed:
        """Sign a draft with the user's key, or with another one of the user's.

        Raises:
            NotApplicable: the body lacks a value that this provider signs.
        """
        signed = self._signed(draft, signer or self.signer)
        self.redactor.add_signature(*signed.texts.values())
        return signed

    def sign_with(self, key: str, meaning: str) -> Signed:
        """Return a request signed with another key of the owner's.

        Args:
            key: the field of `Setup` that has it.
            meaning: the key in words.

        Raises:
            NotDecided: there is none.
        """
        signer = self.signers.get(key)
        if signer is None:
            option = f"--{key.replace('_', '-')}-env"
            raise NotDecided(f"give setup=Setup({key}=…), in a shell {option}, {meaning}")
        return self.sign(self.draft(), signer)

    def forge(self, draft: Draft, key: bytes | None = None) -> Signed:
        """Sign a draft with these bytes as the key, or with a throw-away key of this run."""
        signer = self._throw_away_signer if key is None else BytesSigner(key)
        return self._signed(draft, signer)

    def signed(self, **options: object) -> Signed:
        """Return a good request, or one with other options of `draft`, signed with the user's key."""
        return self.sign(self.draft(**options))  # type: ignore[arg-type]

    def genuine(self, request: WebhookRequest, draft: Draft) -> bool:
        """Return True if the scheme's reference verification accepts a request.

        A change of what the scheme does not sign makes no forgery, whatever was changed.
        """
        inspection = inspect(self.provider, request, now=self.now(), parts=draft.parts)
        if isinstance(inspection, Verdict):
            return inspection.ok
        return inspection.finish(self.signer.match(inspection.jobs)).ok

    def forgeries(self, signed: Signed, variants: Iterable[Variant]) -> Iterator[Variant]:
        """Yield the variants of a request that are forgeries, by the reference verification."""
        for label, request in variants:
            if not self.genuine(request, signed.draft):
                yield label, request

    @property
    def tolerance_s(self) -> int:
        """The provider's tolerance.

        Raises:
            NotApplicable: its requests carry no time that is signed, or it documents no tolerance.
        """
        if "timestamp" not in self.scheme.signed or self.scheme.timestamp is None:
            raise NotApplicable(f"{self.provider.title} signs no timestamp")
        if self.scheme.tolerance_s is None:
            raise NotApplicable(f"{self.provider.title} documents no tolerance")
        return self.scheme.tolerance_s

    @property
    def stale_s(self) -> int:
        """An age that no receiver should accept: some providers name less than the usual tolerance."""
        return max(self.tolerance_s, USUAL_TOLERANCE_S)

    def samples(self, event: str) -> EventSamples:
        """Return the sample bodies of an event."""
        if event not in self._samples:
            self._samples[event] = EventSamples(self.provider, event)
        return self._samples[event]

    def json_object(self) -> bytes:
        """Return the body of a good request if it is a JSON object.

        Raises:
            NotApplicable: it is none.
        """
        self.require_json_object()
        return self._body(self.event.name, self.now())[0]

    def require_json_object(self) -> None:
        """Check that the body of a good request is a JSON object.

        Raises:
            NotApplicable: it is none.
        """
        body = self.body if self.body is not None else self.provider.template(self.event.name)
        if self.scheme.json_in or self.scheme.absent.body or not body.lstrip().startswith(b"{"):
            raise NotApplicable("the body of this event is no JSON object")

    # --- sending --------------------------------------------------------------------------------------------

    def send(self, label: str, request: WebhookRequest) -> Exchange:
        """Send a request.

        Raises:
            Unsendable: HTTP cannot carry it.
            RateLimited: the response is 429.
            RunEnded: the run is over.
        """
        self._after_good = False
        try:
            exchange = self.session.send(label, request)
        except InvalidArgument:
            raise Unsendable(f"this client cannot send it ({label})") from None
        return RateLimited.unless_decided(exchange)

    @contextmanager
    def connection(self, requests: int = 1) -> Iterator[Connection]:
        """Yield a connection to the receiver, for requests that are not sent as usual.

        Raises:
            NotDecided: this run's own transport sends whole requests only.
            RunEnded: the run is over.
        """
        self._after_good = False
        connection = self.session.connect(self.url, requests)
        if connection is None:
            raise NotDecided("the run's own transport= sends whole requests only; give connect=, too")
        with connection:
            yield connection

    def good(self) -> Exchange:
        """Send a good request."""
        exchange = self.send("a good request", self.signed().request())
        self._after_good = exchange.accepted
        return exchange

    def ensure_good(self) -> None:
        """Send a good request, unless the last one was one.

        Raises:
            NotDecided: it is not accepted.
        """
        if not self._after_good:
            self.send_good("a good request", self.signed().request())

    def send_good(self, label: str, request: WebhookRequest) -> Exchange:
        """Send a request that the receiver must accept.

        Raises:
            NotDecided: it does not.
        """
        exchange = self.send(label, request)
        if not exchange.accepted:
            raise NotDecided(
                f"the receiver does not accept a good request ({exchange.outcome}); see A1", exchange
            )
        self._after_good = True
        return exchange

    def count_one(self, label: str, request: WebhookRequest) -> tuple[Counter, int]:
        """Send a good request, and return the reader of the oracle with the count after its work.

        Raises:
            NotDecided: there is no oracle, the request is not accepted, or not counted as one.
        """
        counter = self.count()
        before = counter.settled()
        exchange = self.send_good(label, request)
        count = counter.wait_for(before + 1)
        if count != before + 1:
            raise NotDecided(
                f"the oracle counted {count - before} for one good request of the event {self.event.name}, "
                "not 1; choose an event= that the receiver works on, and count that work alone",
                exchange,
            )
        return counter, count

    def ask(self, name: str, *arguments: object) -> object:
        """Call a function of the setup, which is the caller's and may fail in any way.

        Raises:
            NotDecided: it raised an exception.
        """
        try:
            return getattr(self.setup, name)(*arguments)
        except OracleFailed:
            raise
        except Exception as error:
            raise NotDecided(f"{name} of the setup raised {type(error).__name__}") from error

    def count(self) -> Counter:
        """Return the reader of the oracle.

        Raises:
            NotDecided: there is no oracle.
        """
        if self.counter is None:
            raise NotDecided(
                "no response tells how often the work was done; give an oracle (oracle= or --oracle): a "
                "function, URL or command that counts it"
            )
        self.counter.calibrate(self.good)
        return self.counter

    # --- outcomes -------------------------------------------------------------------------------------------

    def accepts(self, variants: Iterable[Variant]) -> Outcome:
        """Send valid requests, each of which must be accepted."""
        self.ensure_good()
        exchanges = self._send_all(variants)
        if bad := [e for e in exchanges if not e.accepted]:
            return Outcome(Status.FAILED, summary(bad), bad[0])
        self._after_good = True
        return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])

    def rejects(self, variants: Iterable[Variant], *, crash: Status = Status.WARNED) -> Outcome:
        """Send requests between two good ones, each of which must be rejected.

        2xx is a warning if the receiver does no work for forgeries, such as one that verifies later.
        """
        self.ensure_good()
        try:
            counter = self.counter if self.drops_silently else None
        except Unreachable:
            return Outcome(Status.FAILED, "the receiver is gone after a forged request")
        self.ensure_good()
        before = None if counter is None else counter.settled()
        exchanges = self._send_all(variants)
        if accepted := [e for e in exchanges if e.accepted]:
            if counter is not None and counter.settled() == before:
                return Outcome(Status.WARNED, f"no work, but {summary(accepted)}", accepted[0])
            return Outcome(Status.FAILED, f"accepted: {summary(accepted)}", accepted[0])
        if down := self.down_after(exchanges):
            return down
        if crashed := self._crash(exchanges, crash):
            return crashed
        if other := [e for e in exchanges if not e.rejected]:
            return Outcome(Status.WARNED, summary(other), other[0])
        return Outcome(Status.PASSED, summary(exchanges), exchanges[-1])

    @property
    def drops_silently(self) -> bool:
        """True if the receiver accepts a forgery, and does no work for it.

        Raises:
            Unreachable: it is gone afterwards.
        """
        forged = self.forged_work
        return forged is not None and forged[0].accepted and not forged[1]

    @cached_property
    def forged_work(self) -> tuple[Exchange, int] | None:
        """A forged request, and how often the work was done for it; None if the oracle does not tell.

        Raises:
            Unreachable: the receiver is gone afterwards.
        """
        with suppress(NotDecided, OracleFailed):
            counter = self.count()
            self.ensure_good()
            before = counter.settled()
            forged = self.send("another secret", self.forge(self.draft()).request())
            work = counter.settled() - before
            others = work and counter.settled(always=True) - before - work
            return (forged, work) if counter.has_risen and not others else None
        return None

    def survives(self, variants: Iterable[Variant]) -> Outcome:
        """Send requests between two good ones, none of which may crash the receiver."""
        self.ensure_good()
        exchanges = self._send_all(variants)
        if crashed := self._crash(exchanges, Status.FAILED):
            return crashed
        return self.down_after(exchanges) or Outcome(Status.PASSED, summary(exchanges), exchanges[-1])

    def _crash(self, exchanges: list[Exchange], status: Status) -> Outcome | None:
        """Return this status if the receiver crashed; a warning if every forgery gets the same response."""
        crashed = [e for e in exchanges if e.crashed]
        unusual = [e for e in crashed if status is not Status.FAILED or not self._is_usual(e)]
        if unusual:
            return Outcome(status, summary(unusual), unusual[0])
        return Outcome(Status.WARNED, summary(crashed), crashed[0]) if crashed else None

    def _is_usual(self, exchange: Exchange) -> bool:
        usual = self._usual_rejection if exchange.status else None
        return bool(
            usual and (usual.status, usual.delivery.body) == (exchange.status, exchange.delivery.body)
        )

    @cached_property
    def _usual_rejection(self) -> Exchange | None:
        """The response to a request that is signed with another key; None if none came."""
        with suppress(NotDecided, Unreachable):
            return self.send("another secret", self.forge(self.draft()).request())
        return None

    def _send_all(self, variants: Iterable[Variant]) -> list[Exchange]:
        """Send the variants that HTTP can carry.

        Raises:
            NotApplicable: there is no variant.
            NotDecided: there is none that HTTP can carry.
        """
        exchanges: list[Exchange] = []
        reason: NotDecided | None = None
        for variant in variants:
            try:
                exchanges.append(self.send(*variant))
            except Unsendable as error:  # such as a header that would end in a space
                reason = error
            except Unreachable:
                if not (exchanges and exchanges[-1].crashed):
                    raise
                break  # the request before has brought it down
        if exchanges:
            return exchanges
        raise reason or NotApplicable(f"{self.provider.title} does not sign what is changed")

    def down_after(self, exchanges: list[Exchange]) -> Outcome | None:
        """Send a good request after bad ones, and return a failure if they have brought the receiver down.

        Raises:
            NotDecided: it is not accepted.
        """
        crashed = [e for e in exchanges if e.crashed]
        last = (crashed or exchanges)[-1]
        try:
            after = self.good()
        except Unreachable:
            return Outcome(Status.FAILED, f"the receiver is gone after {last.label}", last)
        if crashed and after.crashed:
            observed = f"{summary(crashed)}; then {after.outcome} for a good request"
            return Outcome(Status.FAILED, observed, last)
        if not after.accepted:
            raise NotDecided(
                f"the good request afterwards is not accepted ({after.outcome}), so that the rejections may "
                "come from a ban of this sender",
                after,
            )
        return None

    def _body(self, event: str, at: datetime) -> tuple[bytes, Mapping[str, str]]:
        """Return the body of a good request, and the headers that repeat one of its values."""
        if self.body is not None:
            return self.body, {}
        sample = self.samples(event).draw(self.random, at)
        return b"" if self.scheme.absent.body else sample.body, sample.headers

    @cached_property
    def _throw_away_signer(self) -> BytesSigner | LocalSigner:
        return throw_away_signer(self.provider, self.random)  # an RSA key takes a second

    def _signed(self, draft: Draft, signer: Signer | BytesSigner | LocalSigner) -> Signed:
        try:
            signed = Signed.of(draft, signer.sign(draft.jobs()))
            draft.render_headers(signed.texts)  # they may hold values of the body
        except UnreadableMessage:
            raise NotApplicable(
                f"{self.provider.title} signs or sends values of the body, which lacks them"
            ) from None
        return signed
