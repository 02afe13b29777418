"""A provider and its data, and the requests that can be drafted from it."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from hook_widgets.errors import CatalogError, InvalidArgument, UnknownName, nearest
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import signature_function
from hook_widgets.webhooks.requests.builder import as_moment, make_draft
from hook_widgets.webhooks.requests.generated_parts import ALPHABETS
from hook_widgets.webhooks.requests.handshake import NO_BODY, Handshake
from hook_widgets.webhooks.requests.kind import Kind
from hook_widgets.webhooks.requests.request import Draft
from hook_widgets.webhooks.samples.variation import Param, Sample, Variation
from hook_widgets.webhooks.scheme import (
    AsymmetricKeySpec,
    Confidence,
    CurrentVersion,
    DeliveryRules,
    Event,
    Evidence,
    HeaderGaps,
    Part,
    ResponseRules,
    RetryRules,
    Sender,
    Serializer,
)

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DEFAULT_URL = "http://127.0.0.1:8000/webhooks"


@dataclass(frozen=True, kw_only=True)
class ProviderData:
    """The data that a provider and its file have in common; see `Provider` for the fields."""

    kind: Kind
    events: tuple[Event, ...]
    docs: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    parts: dict[str, Part] = field(default_factory=dict)
    params: dict[str, Param] = field(default_factory=dict)
    handshakes: tuple[Handshake, ...] = ()
    responses: ResponseRules = ResponseRules()  # noqa: RUF009 - it is frozen
    serializer: Serializer | None = None
    deliveries: DeliveryRules = DeliveryRules()  # noqa: RUF009 - it is frozen
    retries: RetryRules = RetryRules()  # noqa: RUF009 - it is frozen
    current: CurrentVersion = CurrentVersion()  # noqa: RUF009 - it is frozen
    header_gaps: HeaderGaps = HeaderGaps()  # noqa: RUF009 - it is frozen
    evidence: Evidence = Evidence()  # noqa: RUF009 - it is frozen


@dataclass(frozen=True, kw_only=True, repr=False)
class Provider(ProviderData, Sender):
    """A webhook provider, as defined by its ``provider.toml``; returned by `provider` and `providers`.

    Attributes:
        id: its name in code, such as ``"stripe"``.
        kind: its subject area, such as ``"payment"``.
        title: its name for people.
        confidence: the best evidence for its signature scheme, its headers and its bodies.
        key: the form of its secret or key pair.
        schemes: its signature schemes; the first is the default.
        events: the events that it sends.
        docs: URLs of its own documentation on webhooks.
        unconfirmed: facts that could not be confirmed in a published source.
        parts: the template fields that `draft` takes in its argument `parts`.
        params: the values in the sample bodies that can be varied.
        handshakes: the requests by which it checks who owns an endpoint.
        responses: the response that it demands of every receiver.
        serializer: how it writes the JSON of its bodies; None if it is not known.
        deliveries: the meaning of what it sends beside the event itself.
        retries: the schedule on which it sends a failed delivery again.
        current: the version of its webhooks that is the default today, and when that was read.
        header_gaps: the headers that are not known, and why.
        evidence: the recorded deliveries, source code and types that confirm headers and bodies.
    """

    confidence: Confidence
    _folders: tuple[Traversable, ...] = field(default=())  # its own, then those of its parents

    def __repr__(self) -> str:
        return f"Provider({self.id!r})"

    def event(self, name: str | None = None) -> Event:
        """Return the event or handshake of that name; the first event by default.

        Raises:
            UnknownName: there is none; the message suggests the nearest name.
        """
        if name is None:
            return self.events[0]
        try:
            return self._events[name]
        except KeyError:
            raise UnknownName(f"{self.title} has no event {name!r}; {nearest(name, self._events)}") from None

    def template(self, event: str | None = None) -> bytes:
        """Return the event's sample body, byte for byte.

        Raises:
            UnknownName: there is no such event.
            CatalogError: its file was deleted.
        """
        selected = self.event(event)
        name = selected.body_file
        if name == NO_BODY:
            return b""
        if selected.body is not None:
            return selected.body.encode()
        for folder in self._folders:
            if (path := folder / "events" / name).is_file():
                return path.read_bytes()
        raise CatalogError(f"the body events/{name} of {self.title} is gone; put the file back")

    def variation(self, event: str | None = None) -> Variation:
        """Return the event's sample body with the values that can be varied.

        Raises:
            UnknownName: there is no such event.
        """
        body = self.template(event)
        if body not in self._last_variation:
            self._last_variation.clear()
            name = self.event(event).name
            style = None if self.serializer is None else self.serializer.style_of(name)
            self._last_variation[body] = Variation(body, self.params, style=style)
        return self._last_variation[body]

    def sample(
        self,
        event: str | None = None,
        *,
        seed: int | None = None,
        values: Mapping[str, str] | None = None,
        at: datetime | float | None = None,
    ) -> Sample:
        """Return the event's sample body with other ids, amounts …; equal arguments give equal bytes.

        Only the values of parameters change; see `Param` for the places where they are replaced. A seed
        changes no time, and no amount that others in a body repeat or add up to.

        Args:
            event: the name of an event; the first one by default.
            seed: the seed of random values for the parameters that are not in `values`.
            values: parameter to value, always as text; `variation` lists the parameters.
            at: the time for every parameter that is a time.

        Returns:
            The body with its values, and the headers that repeat one of them, for `draft`.

        Raises:
            UnknownName: there is no such event, or its body has no such parameter.
            InvalidArgument: a value does not have its parameter's form, or `at` is not a time.
        """
        selected = self.event(event)
        scheme = self.scheme(selected.scheme)
        variation = self.variation(event)
        new = {} if seed is None else variation.drawn(seed, self.id)
        new |= {} if at is None else variation.at(as_moment(at))
        new |= variation.checked(values or {})
        headers = {name: scheme.header_template(name).text for name in scheme.headers} | selected.headers
        return Sample(variation.vary(new), variation.headers(headers, new), new)

    def draft(
        self,
        *,
        event: str | None = None,
        url: str = DEFAULT_URL,
        body: bytes | str | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        at: datetime | float | None = None,
        scheme: str | None = None,
        parts: Mapping[str, str] | None = None,
    ) -> Draft:
        """Return a request of this provider that lacks only its signature.

        Args:
            event: the name of an event or of a handshake; the first event by default.
            url: the URL to send it to.
            body: the bytes to send, text to send as UTF-8, or None for the event's sample body.
            headers: your own headers; one with the name of a provider's header replaces it.
            at: the time it claims: a datetime with time zone or Unix seconds; the current time by default.
            scheme: the name of one of the provider's schemes; the event's own by default.
            parts: the provider's own fields, such as a delivery id; generated by default.

        Raises:
            UnknownName: no such event, scheme or part.
            InvalidArgument: URL, header or time cannot be used, or the body is neither bytes nor text.
            UnreadableMessage: the body lacks a value that this provider sends or signs.
        """
        selected = self.event(event)
        handshake = self._handshakes.get(selected.name)
        selected_scheme = self.scheme(scheme or selected.scheme or None)
        if body is None:
            body = b"" if selected_scheme.absent.body else self.template(selected.name)
        elif isinstance(body, str):
            try:
                body = body.encode()
            except UnicodeEncodeError as error:
                raise InvalidArgument(
                    f"character {error.start + 1} of the body is half of a surrogate pair and has no bytes; "
                    "write the whole character",
                    field="body",
                ) from None
        elif not isinstance(body, bytes | bytearray | memoryview):
            raise InvalidArgument(
                f"the body is {type(body).__name__}; give the bytes or text to sign (not a parsed object, "
                "which would have to be re-serialized)",
                field="body",
            )
        return make_draft(
            self,
            selected,
            handshake.applied(selected_scheme) if handshake else selected_scheme,
            handshake,
            known_parts=self.parts,
            url=url,
            body=bytes(body),
            headers=headers,
            at=at,
            parts=parts or {},
        )

    def signature_function(self, secret: Secret, *, scheme: str | None = None) -> Callable[..., str]:
        """Return a function that computes only the signature, for load generators that sign many bodies.

        The keywords of the function are the fields of the base string, all bytes.

        >>> from hook_widgets.webhooks.registry import provider
        >>> sign = provider("github").signature_function(Secret("It's a Secret to Everybody"))
        >>> sign(body=b"Hello, World!")[:16]  # GitHub's published example
        '757107ea0eb2509f'

        Raises:
            UnknownName: there is no such scheme.
            InvalidSecret: the secret is malformed, or the provider signs with a key pair.
        """
        first = self.scheme(scheme).signatures[0]
        return signature_function(
            first.algorithm, first.template, first.encoding.write, secret.key_bytes(self.key.spec)
        )

    def example_secret(self) -> Secret | KeyPair:
        """Generate a throw-away credential in the provider's own form."""
        if isinstance(self.key, AsymmetricKeySpec):
            return KeyPair.generate(self.key.algorithm)
        example = self.key.example
        if example.alphabet == "base64":
            text = base64.b64encode(secrets.token_bytes(example.length)).decode()
        else:
            alphabet = ALPHABETS[example.alphabet]
            text = "".join(secrets.choice(alphabet) for _ in range(example.length))
        return Secret(example.prefix + text)

    @property
    def all_events(self) -> tuple[Event, ...]:
        """All events that can be drafted: the events, and the handshakes as events."""
        return tuple(self._events.values())

    @property
    def probe_methods(self) -> frozenset[str]:
        """The methods of requests without signature, challenge and body that check whether the URL exists."""
        plain = (h for h in self.handshakes if not (h.signed or h.query or h.headers))
        return frozenset(h.method for h in plain if h.method in ("GET", "HEAD"))

    @cached_property
    def _last_variation(self) -> dict[bytes, Variation]:
        """The last variation by its body: finding its values takes longer than to vary them."""
        return {}

    @cached_property
    def _handshakes(self) -> dict[str, Handshake]:
        return {handshake.name: handshake for handshake in self.handshakes}

    @cached_property
    def _events(self) -> dict[str, Event]:
        named = {event.name: event for event in self.events}
        return named | {h.name: h.as_event(named.get(h.event)) for h in self.handshakes}
