"""Requests for each scheme, genuine and not, and what a receiver has to say to them.

What a changed request deserves is asked of `hook_widgets.webhooks.verify`, whose answers the providers' own
libraries confirm elsewhere.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from hook_widgets.errors import HookWidgetsError, UnreadableMessage
from hook_widgets.receivers.forging import with_fields
from hook_widgets.webhooks import Headers, KeyPair, Provider, ReceivedRequest, Secret, providers, verify
from hook_widgets.webhooks.body.locators import json_text
from hook_widgets.webhooks.codegen.compiler import compile_scheme
from hook_widgets.webhooks.codegen.ir import Program
from hook_widgets.webhooks.keys.signing import Algorithm, LocalSigner
from hook_widgets.webhooks.registry import read_provider
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Scheme
from tests.receivers.runtimes import Argument, identifier
from tests.support.extent import extent
from tests.support.shapes import shape

URL = "https://hooks.example.com/in/box?tenant=a%20b&plan=pro"
Key = Secret | KeyPair
FEW_CHANGES = 3
"""Of the body: one letter, a NUL, nothing left."""


@dataclass(frozen=True)
class Case:
    """One request to a receiver.

    Attributes:
        title: what was done to it.
        genuine: what the receiver has to say; None for a changed request that we accept: a receiver may be
            stricter.
        arguments: what the function is given.
    """

    title: str
    genuine: bool | None
    arguments: Sequence[Argument]


@dataclass(frozen=True)
class Subject:
    """One scheme of one provider."""

    provider: Provider
    scheme: Scheme

    @property
    def name(self) -> str:
        return identifier(self.provider.id, self.scheme.name)

    @cached_property
    def alone(self) -> Provider:
        """The provider with this scheme only, so that no other can be taken for it."""
        events = tuple(e for e in self.provider.events if e.scheme in ("", self.scheme.name))
        alone = replace(self.provider, schemes=(self.scheme,))
        return alone if events else self.provider

    @cached_property
    def program(self) -> Program:
        return compile_scheme(self.provider, self.scheme)

    @property
    def kinds(self) -> str:
        """The letters of the function's arguments."""
        program = self.program
        return "h" * program.headers + "b" * program.body + "t" * len(program.parameters) + "t"

    def events(self) -> list[str]:
        """A few events that are sent with this scheme."""
        default = self.provider.schemes[0].name
        own = [e.name for e in self.provider.events if (e.scheme or default) == self.scheme.name]
        return (own or [e.name for e in self.provider.events])[:3]

    # --- the cases ---------------------------------------------------------------------------------------

    def cases(self) -> Iterator[Case]:
        """Genuine requests first, then what has to be rejected.

        The first scheme of each shape meets every change, the others a few; in a long run they meet all.
        """
        key, other = key_for(self.provider, 1), key_for(self.provider, 2)
        for event in self.events():
            request = self.draft(event).sign(key)
            yield self._case(f"genuine {event}", request, key)
        changed = self._changed(self.draft().sign(key), key)
        yield from changed if self.name in thorough() else islice(changed, FEW_CHANGES)
        request = self.draft().sign(key)
        yield self._case("another key", request, other)
        if isinstance(key, Secret):
            forged = self._forged()
            received = ReceivedRequest(forged.headers, forged.body, forged.url, forged.method)
            yield Case("no secret", False, self.arguments(received, self.parts(forged), ""))
        if self.scheme.tolerance_s:
            yield from self._other_times(key)
            for seconds in (-1, 1):
                at = time.time() + seconds * (self.scheme.tolerance_s + 90)
                late = self.draft(at=at).sign(key)
                yield self._case("stale" if seconds < 0 else "from the future", late, key)
        if self.scheme.rotation is not None:
            rotated = self.draft().sign(key, other)
            yield self._case("rotated, by the new secret", rotated, key)
            yield self._case("rotated, by the old secret", rotated, other)
            yield self._case("rotated, by neither", rotated, key_for(self.provider, 3))

    def _other_times(self, key: Key) -> Iterator[Case]:
        """Yield requests whose signed timestamp is a text that a lenient reader takes for the present."""
        for text in (f"{int(time.time())}abc", "now", "-1", "9" * 400):
            draft = with_fields(self.draft(), timestamp=text)
            try:
                request = draft.complete(LocalSigner(key).sign(draft.jobs()))
            except (HookWidgetsError, ValueError):  # a token, say, whose claim must be a number
                return
            yield self._case(f"a signed timestamp {text:.20}", request, key)

    def _changed(self, request: WebhookRequest, key: Key) -> Iterator[Case]:
        body = request.body
        letters = [m.start() for m in re.finditer(rb"[A-Za-z0-9]", body)]
        if letters:
            place = letters[len(letters) // 2]
            changed = body[:place] + (b"b" if body[place : place + 1] == b"a" else b"a") + body[place + 1 :]
            yield self._case("one letter of the body changed", request, key, body=changed)
            nul = body[:place] + b"\0" + body[place:]
            yield self._case("a NUL put into the body", request, key, body=nul)
        for title, other in (("empty", b""), ("cut", body[: len(body) // 2]), ("not UTF-8", b"\xff\xfe\x00")):
            yield self._case(f"body {title}", request, key, body=other)
        yield self._case("body a JSON list", request, key, body=b'["a", {"b": null}]')
        yield self._case("body nested deep", request, key, body=b"[" * 100_000)
        yield self._case("another URL", request, key, url=request.url.replace("plan=pro", "plan=max"))
        carriers = [
            name
            for name in self.scheme.headers
            if self.scheme.header_template(name).names
            & (self.scheme.signed | {self.scheme.signatures[0].name})
        ]
        for name in carriers:
            others = [pair for pair in request.headers.multi_items() if pair[0] != name]
            yield self._case(f"no {name}", request, key, headers=others)
            value = request.headers[name]
            yield self._case(
                f"{name} twice", request, key, headers=[*request.headers.multi_items(), (name, value)]
            )
            for wrong in (
                f"{value}=",
                "",
                "-",
                "é",
                "\udcff",  # a byte that is no UTF-8
                f"{value}\udcff",
                ",;=. v1,",
                "9" * 5000,
                value[: len(value) // 2],
                value[::-1],
                "a.b.c",
            ):
                shown = wrong if len(wrong) < 20 else f"{wrong[:20]}…"
                yield self._case(f"{name}: {shown}", request, key, headers=[*others, (name, wrong)])

    def draft(self, event: str | None = None, at: float | None = None) -> Draft:
        """A request of this scheme, to be signed."""
        chosen = event or self.events()[0]
        return self.provider.draft(event=chosen, scheme=self.scheme.name, url=URL, at=at)

    def _forged(self) -> WebhookRequest:
        """Return a request signed with an empty secret, which anybody can make."""
        draft = self.draft()
        key = hashlib.new(self.program.key.digest).digest() if self.program.key.digest else b""
        return draft.complete([_sign(job.algorithm, key, job.message) for job in draft.jobs()])

    def _case(
        self,
        title: str,
        request: WebhookRequest,
        key: Key,
        *,
        headers: Sequence[tuple[str, str]] | None = None,
        body: bytes | None = None,
        url: str | None = None,
    ) -> Case:
        received = ReceivedRequest(
            method=request.method,
            url=request.url if url is None else url,
            headers=request.headers if headers is None else Headers(tuple(headers)),
            body=request.body if body is None else body,
        )
        genuine: bool | None = verify(self.alone, received, key).ok
        if genuine and (headers, body, url) != (None, None, None):
            genuine = None
        call = self.arguments(received, self.parts(request), key_text(self.provider, key))
        return Case(title, genuine, call)

    def parts(self, request: WebhookRequest) -> Mapping[str, str]:
        """Settings of the provider that a request need not carry."""
        assert request.draft is not None
        return request.draft.parts

    def arguments(self, received: ReceivedRequest, parts: Mapping[str, str], key: str) -> list[Argument]:
        """Return the function's arguments for a request."""
        program = self.program
        call: list[Argument] = []
        if program.headers:
            names = dict.fromkeys(received.headers)  # a repeated header arrives as one, joined by commas
            values = Headers(received.headers)
            lines = [part for name in names for part in (name, ", ".join(values.get_list(name)))]
            call.append(("h", "\n".join(lines).encode(errors="surrogateescape")))
        if program.body:
            call.append(("b", received.body))
        known = {"url": received.url, "method": received.method, **parts}
        for parameter in program.parameters:
            if parameter.name in known:
                call.append(("t", known[parameter.name].encode()))
            else:
                call.append(("t", _field(received.body, self.scheme.json_in)))
        return [*call, ("t", key.encode())]


def _sign(algorithm: Algorithm, key: bytes, message: bytes) -> bytes:
    if algorithm.digest is not None:
        return hmac.digest(key, message, algorithm.digest)
    if algorithm is Algorithm.TOKEN:
        return key
    name, _, place = algorithm.value.partition("-")
    return hashlib.new(name, key + message if place == "prefix" else message + key).digest()


def _field(body: bytes, name: str) -> bytes:
    """The form field that a framework would hand over; nothing when it is not there."""
    try:
        return json_text(body, name)
    except UnreadableMessage:
        return b""


@cache
def _pair(algorithm: str, number: int) -> KeyPair:
    return KeyPair.generate(algorithm)


_SECRETS: dict[tuple[str, int], Secret] = {}


def key_for(provider: Provider, number: int) -> Key:
    """One of the keys of the tests, the same for the same number."""
    if isinstance(provider.key, AsymmetricKeySpec):
        return _pair(provider.key.algorithm, number)
    if (provider.id, number) not in _SECRETS:
        secret = provider.example_secret()
        assert isinstance(secret, Secret)
        _SECRETS[provider.id, number] = secret
    return _SECRETS[provider.id, number]


@cache
def _printed(algorithm: str, number: int, form: str) -> str:
    from hook_widgets.webhooks.keys.key_pair import PublicForm

    return _pair(algorithm, number).public_as(PublicForm(form))


def key_text(provider: Provider, key: Key) -> str:
    """The key as its owner copies it from the provider."""
    if isinstance(key, Secret):
        return key.reveal()
    assert isinstance(provider.key, AsymmetricKeySpec)
    number = next(n for n in (1, 2, 3) if _pair(provider.key.algorithm, n) is key)
    return _printed(provider.key.algorithm, number, provider.key.public_form)


@cache
def thorough() -> frozenset[str]:
    """Return the names of the subjects that meet every change."""
    first = {shape(subject.provider, subject.scheme): subject.name for subject in reversed(SUBJECTS)}
    return frozenset(extent(list(first.values()), [subject.name for subject in SUBJECTS]))


_PECULIAR = [read_provider(path) for path in sorted(Path(__file__).parent.glob("*.provider.toml"))]

SUBJECTS = [Subject(p, scheme) for p in (*providers(), *_PECULIAR) for scheme in p.schemes]
