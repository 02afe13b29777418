"""The catalogue: one folder of data is one provider.

A folder holds ``provider.toml`` (see `hook_widgets.webhooks.scheme` for its records) and the event
bodies below ``events/``, sent byte for byte.
"""

from __future__ import annotations

import base64
import json
import re
import secrets
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from hook_widgets.errors import CatalogError, InvalidRequest, UnknownName, nearest
from hook_widgets.webhooks.drafting import ALPHABETS, make_draft
from hook_widgets.webhooks.keypair import KeyPair
from hook_widgets.webhooks.request import Draft
from hook_widgets.webhooks.rules import faults
from hook_widgets.webhooks.scheme import Event, PairKey, Part, Record, Scheme, SecretKey
from hook_widgets.webhooks.secret import Secret
from hook_widgets.webhooks.signing import signature_function

DEFAULT_URL = "http://127.0.0.1:8000/webhooks"


class Provider(Record):
    """One provider, as its data says.

    Attributes:
        id: its name in code, such as ``"stripe"``.
        kind: the neutral kind it belongs to, such as ``"payment"``.
        title: its name for people.
        docs: its own documentation on webhooks.
        confidence: ``"sdk"`` (its own SDK accepts what we make), ``"peer"``, ``"docs"`` or ``"seed"``.
        unconfirmed: facts that could not be confirmed in a published source.
        key: what it signs with.
        schemes: how it signs; the first is the default.
        events: what it sends.
        parts: template fields that `draft` takes as keywords.
    """

    id: str
    kind: str
    title: str
    confidence: Literal["sdk", "peer", "docs", "seed"]
    key: Annotated[SecretKey | PairKey, Field(discriminator="type")]
    schemes: tuple[Scheme, ...]
    events: tuple[Event, ...]
    docs: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    parts: dict[str, Part] = Field(default_factory=dict)
    inherits: str | None = None

    def event(self, name: str | None = None) -> Event:
        """The event of that name; the first one when no name is given.

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
        """
        return (_folder(self.id) / "events" / event_file(self.event(event))).read_bytes()

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
            event: an event's name; the first one when not given.
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
        return make_draft(
            self,
            chosen,
            self.scheme(scheme or chosen.scheme or None),
            url=url,
            body=bytes(body),
            headers=headers,
            at=at,
            parts=parts,
        )

    def signature_function(self, secret: Secret, *, scheme: str | None = None) -> Callable[..., str]:
        """The signature alone, as one call: for load generators that sign many bodies with one secret.

        The base string's fields are its keywords, all bytes.

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

    @cached_property
    def _events(self) -> dict[str, Event]:
        return {event.name: event for event in self.events}


@cache
def providers() -> tuple[Provider, ...]:
    """Every provider, sorted by title."""
    return tuple(sorted((provider(name) for name in _names()), key=lambda p: p.title.lower()))


def provider(name: str) -> Provider:
    """The provider of that id.

    Raises:
        UnknownName: there is none; names the nearest.
        CatalogError: its data is wrong.
    """
    if name not in _names():
        raise UnknownName(f"there is no provider {name!r}. {nearest(str(name), _names())}")
    return _provider(name)


@cache
def _provider(name: str) -> Provider:
    return read_provider(_folder(name))


def read_provider(folder: Traversable) -> Provider:
    """The provider whose data stands in `folder`.

    Raises:
        CatalogError: the data is wrong; names file and field.
    """
    where = f"{folder.name}/provider.toml"
    data = _toml(folder)
    base = data.get("inherits")
    if base in _names():
        parent = _toml(_folder(base))
        for table in ("key", "schemes", "parts"):
            if table in parent:
                data.setdefault(table, parent[table])
    elif base is not None:
        raise CatalogError(
            f"{where}: inherits: there is no provider {base!r}. {nearest(str(base), _names())}"
        )
    try:
        # By way of JSON, because there a strict record takes names for enums and lists for tuples.
        found = Provider.model_validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        fault = _FAULTS.get(first["type"], first["msg"])
        raise CatalogError(f"{where}: {_place(first['loc'])}: {fault}") from None
    if found.id != folder.name:
        raise CatalogError(f"{where}: id: it is {found.id!r}, but the folder is named {folder.name!r}")
    for fault in faults(found.schemes, found.events, found.parts):
        raise CatalogError(f"{where}: {fault}")
    for number, event in enumerate(found.events):
        if not (folder / "events" / event_file(event)).is_file():
            raise CatalogError(
                f"{where}: events[{number}]: the body of {event.name!r} is missing; "
                f"write it to events/{event_file(event)}"
            )
    return found


_FAULTS = {
    "extra_forbidden": "there is no such field; correct its name or remove it",
    "missing": "it is missing; add it",
}
# What pydantic puts between the steps of a place to name the member of a union.
_MEMBERS = ("secret", "key-pair", "str", "HeaderValue")


def _place(location: tuple[int | str, ...]) -> str:
    """A field's place as the other messages write it: ``schemes[0].name``."""
    steps = (f"[{s}]" if isinstance(s, int) else f".{s}" for s in location if s not in _MEMBERS)
    return "".join(steps).removeprefix(".")


def event_file(event: Event) -> str:
    """The name of an event's body file."""
    return event.file or re.sub(r"[^A-Za-z0-9._-]", "-", event.name) + ".json"


def _root() -> Traversable:
    return files("hook_widgets.webhooks") / "providers"


def _folder(name: str) -> Traversable:
    return _root() / name


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(f.name for f in _root().iterdir() if (f / "provider.toml").is_file()))


def _toml(folder: Traversable) -> dict[str, Any]:
    path = folder / "provider.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CatalogError(f"{folder.name}/provider.toml: {error}") from None
