"""From a provider's data and the caller's wishes to a draft: the one place where both meet."""

from __future__ import annotations

import re
import secrets
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, urlsplit

from hook_widgets.errors import InvalidRequest, UnknownKeyword, nearest
from hook_widgets.webhooks.headers import Headers, check_header
from hook_widgets.webhooks.request import Draft, Overlay, Slot, join_body
from hook_widgets.webhooks.scheme import BodyValue, Event, Part, Scheme
from hook_widgets.webhooks.scheme.fields import BUILT_IN, Fields
from hook_widgets.webhooks.scheme.moments import write_moment
from hook_widgets.webhooks.text import jsontext, places
from hook_widgets.webhooks.text.template import Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.handshake import Handshake
    from hook_widgets.webhooks.provider import Provider

ALPHABETS = {
    "hex": "0123456789abcdef",
    "digits": "0123456789",
    "base62": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
}
_DRAFT_KEYWORDS = ("event", "url", "body", "headers", "at", "scheme")
_EARLIEST, _LATEST = datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
_URL_CHARS = re.compile(r"[!-~]+")


def make_draft(
    provider: Provider,
    event: Event,
    scheme: Scheme,
    handshake: Handshake | None = None,
    *,
    url: str,
    body: bytes,
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
    at: datetime | float | None,
    parts: Mapping[str, str],
) -> Draft:
    """The draft of one request; see `Provider.draft` for the arguments.

    Raises:
        InvalidRequest: the URL, a header, the time or the body cannot be used.
        UnknownKeyword: a part the provider does not have.
    """
    moment = as_moment(at)
    filled = fill_parts(provider.parts, parts)
    templates: list[tuple[str, Template]] = []

    def header(name: str) -> str | None:
        """A header of this draft, before it is signed."""
        for known, template in templates:
            if known.lower() == name.lower() and not template.names & scheme.signature_names:
                return template.render(fields).decode()
        return None

    fields = Fields(
        {
            **filled,
            "method": scheme.method,
            "event": event.name,
            "event_type": event.type or event.name,
        },
        {
            **BUILT_IN,
            **scheme.makers(header),
            "body": lambda fields: join_body(segments, fields),
            "unsigned_body": lambda fields: join_body(segments, Overlay(fields, unsigned)),
        },
        moment,
    )
    if scheme.timestamp is not None:
        fields.know("timestamp", write_moment(moment, scheme.timestamp))
    segments = _body_segments(body, scheme)
    unsigned = dict.fromkeys(scheme.signature_names, "")
    final = _final_url(url, scheme, fields)
    fields.know("url", final)
    usual = provider.scheme(event.scheme)
    of_event = event.headers if scheme.content_type == usual.content_type else {}
    if scheme.name != usual.name:
        own = {name.lower() for name in scheme.headers}
        of_event = {name: text for name, text in of_event.items() if name.lower() in own}
    found, own_headers = _header_templates(scheme, of_event, headers)
    templates.extend(found)
    return Draft(
        provider=provider,
        scheme=scheme,
        handshake=handshake,
        event=event.name,
        method=scheme.method,
        url=final,
        at=moment,
        fixed_time=at is not None,
        parts=filled,
        fields=fields,
        header_templates=found,
        own_headers=own_headers,
        payload=body,
        body_segments=segments,
    )


def fill_parts(known: Mapping[str, Part], given: Mapping[str, str]) -> dict[str, str]:
    """The parts as given, and fresh ones for the rest.

    Raises:
        UnknownKeyword: a part the provider does not have.
        InvalidRequest: a part that is not plain printable ASCII.
    """
    for name, value in given.items():
        if name not in known:
            hint = nearest(name, {*known, *_DRAFT_KEYWORDS})
            raise UnknownKeyword(f"draft() takes no {name!r} for this provider. {hint}")
        if not re.fullmatch(r"[ -~]+", _text(value)):
            raise InvalidRequest(
                f"{name} must be printable ASCII text, because it goes into a header or the body"
            )
    return {name: given[name] if name in given else _fresh(part) for name, part in known.items()}


def _fresh(part: Part) -> str:
    if part.value is not None:
        return part.value
    if part.make == "uuid":
        text = str(uuid.uuid4())
    else:
        alphabet = ALPHABETS[part.make or "base62"]
        text = "".join(secrets.choice(alphabet) for _ in range(part.length))
    return part.prefix + (text.upper() if part.upper else text)


def check_url(url: str) -> SplitResult:
    """The parts of a receiver's URL.

    Raises:
        InvalidRequest: it is not an absolute http or https URL in plain ASCII.
    """
    if not _text(url).strip():
        raise InvalidRequest(
            "the receiver URL is empty; write one such as http://127.0.0.1:8000/webhooks", field="url"
        )
    if not _URL_CHARS.fullmatch(url):
        bad = next(i for i, char in enumerate(url, 1) if not _URL_CHARS.fullmatch(char))
        example = f", for example {quote(url[bad - 1])}" if places.is_text(url[bad - 1]) else ""
        raise InvalidRequest(
            f"character {bad} of the URL is a space, a control character or not ASCII; "
            f"write it percent-encoded{example}",
            field="url",
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidRequest(
            "the URL's host or port cannot be read; a port is a number up to 65535", field="url"
        ) from None
    if parts.scheme.lower() not in ("http", "https"):
        raise InvalidRequest("the URL must begin with http:// or https://", field="url")
    if "@" in parts.netloc:
        raise InvalidRequest(
            "the URL has a name or password before the host; remove it, and add an Authorization header of "
            "your own if the receiver needs one",
            field="url",
        )
    if not host or port == 0:
        raise InvalidRequest(
            "the URL names no host to send to, such as 127.0.0.1:8000 or hooks.example.com", field="url"
        )
    return parts


def _final_url(url: str, scheme: Scheme, fields: Mapping[str, bytes | str]) -> str:
    """The URL with the scheme's own parameters appended and no fragment, which is never sent."""
    check_url(url)
    url = url.partition("#")[0]
    for name, text in scheme.query.items():
        value = quote(Template(text).render(fields), safe="")
        url += f"{'&' if '?' in url else '?'}{name}={value}"
    return url


def as_moment(at: datetime | float | None) -> datetime:
    """The time a caller means, in UTC; now for None.

    Raises:
        InvalidRequest: a time without zone, or no time.
    """
    if at is None:
        return datetime.now(UTC)
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise InvalidRequest("at= has no time zone; write datetime(..., tzinfo=UTC)", field="clock")
        return _in_range(lambda: at.astimezone(UTC))
    if isinstance(at, bool) or not isinstance(at, int | float):
        raise InvalidRequest(
            f"at= is a datetime with time zone or Unix seconds, not {type(at).__name__}", field="clock"
        )
    return _in_range(lambda: datetime.fromtimestamp(at, UTC))


def _in_range(moment: Callable[[], datetime]) -> datetime:
    """A time that every unit of timestamp can write, also in another zone."""
    try:
        found = moment()
    except (ValueError, OverflowError, OSError):
        found = _EARLIEST
    if _EARLIEST < found < _LATEST:
        return found
    raise InvalidRequest(
        "at= is out of range, which is 1970 to 9998; Unix seconds are about 1.8e9 these days", field="clock"
    )


def _header_templates(
    scheme: Scheme, of_event: Mapping[str, str], own: Mapping[str, str] | Iterable[tuple[str, str]]
) -> tuple[tuple[tuple[str, Template], ...], frozenset[str]]:
    templates = {name: scheme.header_template(name) for name in scheme.headers}
    for name, text in of_event.items():
        templates[_same_name(name, templates)] = Template(text)
        if not text:  # this event goes without that header
            del templates[_same_name(name, templates)]
    out = list(templates.items())
    carriers = {n.lower() for n, t in out if t.names & scheme.signature_names}
    seen: set[str] = set()
    for name, value in Headers(own).pairs:
        check_header(name, value)
        lower = name.lower()
        if lower in carriers:
            raise InvalidRequest(
                f"{name} carries the signature and is made by signing; remove your own", field="headers"
            )
        replaced = [i for i, (n, _) in enumerate(out) if n.lower() == lower]
        if replaced and lower not in seen:
            out[replaced[0]] = (name, Template(value, verbatim=True))
        else:
            out.append((name, Template(value, verbatim=True)))
        seen.add(lower)
    return tuple(out), frozenset(seen)


def _same_name(name: str, known: Iterable[str]) -> str:
    return next((k for k in known if k.lower() == name.lower()), name)


def _body_segments(body: bytes, scheme: Scheme) -> tuple[bytes | Slot, ...]:
    """The body cut where the scheme's fields stand inside it; every other byte stays as it is."""
    slots = [*_json_slots(body, scheme), *_form_slots(body, scheme)]
    segments: list[bytes | Slot] = []
    done = 0
    for (start, end), filling in sorted(slots, key=lambda slot: slot[0]):
        quotes = b"" if filling.bare else b"%22" if filling.escaped else b'"'
        segments += [body[done:start] + quotes, filling.slot, quotes]
        done = end
    return (*segments, body[done:])


@dataclass(frozen=True, slots=True)
class _Filling:
    slot: Slot
    escaped: bool
    bare: bool  # without the quotes of a JSON string


def _json_slots(body: bytes, scheme: Scheme) -> Iterator[tuple[tuple[int, int], _Filling]]:
    if not scheme.body:
        return
    window = places.json_window(body, scheme.json_in)
    for path, template in scheme.body_templates.items():
        span = jsontext.span(window.text, path)
        if span is None:
            raise InvalidRequest(
                f"the body has no {path!r}, where this provider puts its {template.text}; "
                "keep that place in the JSON, or reset the body to the event's template",
                field="body",
            )
        value = scheme.body[path]
        bare = isinstance(value, BodyValue) and value.type == "number"
        yield (
            window.raw_span(body, *span),
            _Filling(Slot(template, window.escaped, in_json=not bare), window.escaped, bare),
        )


def _form_slots(body: bytes, scheme: Scheme) -> Iterator[tuple[tuple[int, int], _Filling]]:
    for name, text in scheme.form.items():
        window = places.form_window(body, name)
        yield (
            (window.start, window.end),
            _Filling(Slot(Template(text), escaped=True), escaped=True, bare=True),
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
