"""A provider: what its data says, and the requests that are made from it."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from hook_widgets.errors import CatalogError, InvalidRequest, UnknownName, nearest
from hook_widgets.webhooks.drafting import ALPHABETS, as_moment, make_draft
from hook_widgets.webhooks.handshake import NO_BODY, Handshake
from hook_widgets.webhooks.keypair import KeyPair
from hook_widgets.webhooks.request import Draft
from hook_widgets.webhooks.samples.variation import Param, Variation, Varied
from hook_widgets.webhooks.scheme import Event, PairKey, Part, Scheme, SecretKey
from hook_widgets.webhooks.scheme.record import Record
from hook_widgets.webhooks.secret import Secret
from hook_widgets.webhooks.signing import signature_function

DEFAULT_URL = "http://127.0.0.1:8000/webhooks"


class Kind(StrEnum):
    """What a provider's webhooks are about; a list of many is filtered by it."""

    PAYMENT = "payment"
    CODE_HOSTING = "code-hosting"
    CHAT = "chat"
    STOREFRONT = "storefront"
    TELEPHONY = "telephony"
    EMAIL_DELIVERY = "email-delivery"
    MESSAGING_INTERACTION = "messaging-interaction"
    MAIL_DELIVERY = "mail-delivery"
    GENERIC = "generic"
    AI = "ai"
    AUTH = "auth"
    AUTOMATION = "automation"
    BANKING = "banking"
    BILLING = "billing"
    CI = "ci"
    CMS = "cms"
    COMMUNICATION = "communication"
    CRM = "crm"
    DOCUMENTS = "documents"
    FORMS = "forms"
    HOSTING = "hosting"
    HR = "hr"
    IDENTITY = "identity"
    INCIDENTS = "incidents"
    ISSUE_TRACKING = "issue-tracking"
    MESSAGING = "messaging"
    OBSERVABILITY = "observability"
    QUEUE = "queue"
    SCHEDULING = "scheduling"
    SOCIAL = "social"
    STORAGE = "storage"
    SUPPORT = "support"
    VIDEO = "video"


class Provider(Record):
    """One provider, as its data says.

    Attributes:
        id: its name in code, such as ``"stripe"``.
        kind: what it is about, such as ``"payment"``.
        title: its name for people.
        docs: its own documentation on webhooks.
        confidence: ``"sdk"`` (its own SDK accepts what we make), ``"peer"``, ``"docs"`` or ``"seed"``.
        unconfirmed: facts that could not be confirmed in a published source.
        key: what it signs with.
        schemes: how it signs; the first is the default.
        events: what it sends.
        parts: template fields that `draft` takes as keywords.
        params: what may be varied in the sample bodies.
        handshakes: how it proves that an endpoint is its owner's.
        inherits: the id of a provider whose key, schemes and parts it has, and its events if it lists none.
        replaces: whether it may take the place of a provider of the same id; for files of the user's own.
    """

    id: str
    kind: Kind
    title: str
    confidence: Literal["sdk", "peer", "docs", "seed"]
    key: Annotated[SecretKey | PairKey, Field(discriminator="type")]
    schemes: tuple[Scheme, ...]
    events: tuple[Event, ...]
    docs: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    parts: dict[str, Part] = Field(default_factory=dict)
    params: dict[str, Param] = Field(default_factory=dict)
    handshakes: tuple[Handshake, ...] = ()
    inherits: str | None = None
    replaces: bool = False
    _folders: tuple[Traversable, ...] = PrivateAttr(default=())  # its own, then those it inherits from

    def event(self, name: str | None = None) -> Event:
        """The event or handshake of that name; the first event when no name is given.

        Raises:
            UnknownName: there is none; names the nearest.
        """
        if name is None:
            return self.events[0]
        try:
            return self._events[name]
        except KeyError:
            raise UnknownName(f"{self.title} has no event {name!r}. {nearest(name, self._events)}") from None

    def scheme(self, name: str | None = None) -> Scheme:
        """The scheme of that name; the first one when no name is given.

        Raises:
            UnknownName: there is none; names the nearest.
        """
        if not name:
            return self.schemes[0]
        known = {scheme.name: scheme for scheme in self.schemes}
        if name not in known:
            raise UnknownName(f"{self.title} has no scheme {name!r}. {nearest(name, known)}")
        return known[name]

    def template(self, event: str | None = None) -> bytes:
        """The event's sample body, byte for byte.

        Raises:
            UnknownName: there is no such event.
            CatalogError: its file was deleted.
        """
        chosen = self.event(event)
        name = chosen.body_file
        if name == NO_BODY:
            return b""
        if chosen.body is not None:
            return chosen.body.encode()
        for folder in self._folders:
            if (path := folder / "events" / name).is_file():
                return path.read_bytes()
        raise CatalogError(f"the body events/{name} of {self.title} is gone; put the file back")

    def variation(self, event: str | None = None) -> Variation:
        """The event's sample body, and what may be varied in it.

        Raises:
            UnknownName: there is no such event.
        """
        return Variation(self.template(event), self.params)

    def vary(
        self,
        event: str | None = None,
        *,
        seed: int | None = None,
        values: Mapping[str, str] | None = None,
        at: datetime | float | None = None,
    ) -> bytes:
        """The event's sample body with other ids, amounts, times …: the same bytes for the same arguments.

        Only what stands for a parameter changes; see `Param` for the places that are found. What adds up in
        the sample need not do so after that.

        Args:
            event: the name of an event; the first one when not given.
            seed: makes up a new value for every parameter that `values` does not give.
            values: parameter to value, as text in every case; `variation` tells what there is.
            at: the time for every parameter that is one.

        Raises:
            UnknownName: there is no such event, or its body has no such parameter.
            InvalidRequest: a value is not of its parameter's form, or `at` is no time.
        """
        return self.varied(event, seed=seed, values=values, at=at).body

    def varied(
        self,
        event: str | None = None,
        *,
        seed: int | None = None,
        values: Mapping[str, str] | None = None,
        at: datetime | float | None = None,
    ) -> Varied:
        """As `vary`, with the values themselves and the headers that say one of them, for `draft`.

        Args:
            event: the name of an event; the first one when not given.
            seed: makes up a new value for every parameter that `values` does not give.
            values: parameter to value, as text in every case.
            at: the time for every parameter that is one.
        """
        chosen = self.event(event)
        scheme = self.scheme(chosen.scheme)
        found = self.variation(event)
        made = {} if seed is None else found.drawn(seed, self.id)
        made |= {} if at is None else found.at(as_moment(at))
        made |= found.checked(values or {})
        headers = {name: scheme.header_template(name).text for name in scheme.headers} | chosen.headers
        return Varied(found.vary(made), found.headers(headers, made), made)

    def draft(
        self,
        *,
        event: str | None = None,
        url: str = DEFAULT_URL,
        body: bytes | str | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        at: datetime | float | None = None,
        scheme: str | None = None,
        **parts: str,
    ) -> Draft:
        """A request of this provider that lacks only its signature.

        Args:
            event: the name of an event or of a handshake; the first event when not given.
            url: where it is to be sent.
            body: the bytes to send, text to send as UTF-8, or None for the event's sample body.
            headers: headers of your own; one of a provider's name takes its place.
            at: the time it claims: a datetime with time zone or Unix seconds; now when not given.
            scheme: one of the provider's schemes; the event's own when not given.
            **parts: the provider's own fields, such as a delivery id; made fresh when not given.

        Raises:
            UnknownName: no such event or scheme.
            UnknownKeyword: a part that this provider does not have.
            InvalidRequest: URL, header, time or body cannot be used.
        """
        chosen = self.event(event)
        if body is None:
            body = self.template(chosen.name)
        elif isinstance(body, str):
            try:
                body = body.encode()
            except UnicodeEncodeError as error:
                raise InvalidRequest(
                    f"character {error.start + 1} of the body is half of a surrogate pair and has no bytes",
                    field="body",
                ) from None
        elif not isinstance(body, bytes | bytearray | memoryview):
            raise InvalidRequest(
                f"the body is {type(body).__name__}; give the bytes or text to sign (not a parsed object, "
                "which would have to be written out again)",
                field="body",
            )
        handshake = self._handshakes.get(chosen.name)
        followed = self.scheme(scheme or chosen.scheme or None)
        return make_draft(
            self,
            chosen,
            handshake.applied(followed) if handshake else followed,
            handshake,
            url=url,
            body=bytes(body),
            headers=headers,
            at=at,
            parts=parts,
        )

    def signature_function(self, secret: Secret, *, scheme: str | None = None) -> Callable[..., str]:
        """The signature alone, as one call: for load generators that sign many bodies with one secret.

        The base string's fields are its keywords, all bytes.

        >>> from hook_widgets.webhooks.catalog import provider
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
        """A fresh throw-away credential in the provider's own form."""
        if isinstance(self.key, PairKey):
            return KeyPair.generate(self.key.algorithm)
        example = self.key.example
        if example.alphabet == "base64":
            text = base64.b64encode(secrets.token_bytes(example.length)).decode()
        else:
            alphabet = ALPHABETS[example.alphabet]
            text = "".join(secrets.choice(alphabet) for _ in range(example.length))
        return Secret(example.prefix + text)

    @property
    def sendable(self) -> tuple[Event, ...]:
        """All that can be drafted: the events, and the handshakes as events."""
        return tuple(self._events.values())

    @cached_property
    def _handshakes(self) -> dict[str, Handshake]:
        return {handshake.name: handshake for handshake in self.handshakes}

    @cached_property
    def _events(self) -> dict[str, Event]:
        named = {event.name: event for event in self.events}
        return named | {h.name: h.as_event(named.get(h.event)) for h in self.handshakes}
