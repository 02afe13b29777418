"""Build a `Draft` from a provider's data and the caller's options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from secrets import SystemRandom
from urllib.parse import SplitResult, quote, quote_plus, urlsplit

from hook_widgets.errors import InvalidArgument, UnknownName, UnreadableMessage, nearest
from hook_widgets.webhooks.body import json_edit, locators
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers, check_header
from hook_widgets.webhooks.requests.generated_parts import generate_part
from hook_widgets.webhooks.requests.handshake import Handshake
from hook_widgets.webhooks.requests.request import BodyPlaceholder, Draft, join_body, with_texts
from hook_widgets.webhooks.scheme import BodyValue, Event, Part, Scheme, Sender
from hook_widgets.webhooks.scheme.fields import BUILT_IN, Fields
from hook_widgets.webhooks.scheme.timestamps import write_moment

# The bytes of the body that a placeholder replaces, and the quote that is around it.
_Slot = tuple[tuple[int, int], BodyPlaceholder, bytes]
_EARLIEST, _LATEST = datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
_URL_CHARS = re.compile(r"[!-~]+")
_LOCAL_HOST = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?#]|$)")


def make_draft(
    provider: Sender,
    event: Event,
    scheme: Scheme,
    handshake: Handshake | None = None,
    *,
    known_parts: Mapping[str, Part],
    url: str,
    body: bytes,
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
    at: datetime | float | None,
    parts: Mapping[str, str],
) -> Draft:
    """Build the draft of one request; see `Provider.draft` for the arguments.

    Raises:
        InvalidArgument: the URL, a header, the time or the body cannot be used.
        UnreadableMessage: the body lacks a value that is sent or signed.
        UnknownName: a part that the provider does not have.
    """
    moment = as_moment(at)
    filled = _fill_parts(known_parts, parts, moment)
    templates: list[tuple[str, Template]] = []

    def header(name: str) -> str | None:
        """Return a header of this draft that carries no signature."""
        for key, template in templates:
            if key.lower() == name.lower() and not template.names & scheme.signature_names:
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
            "unsigned_body": lambda fields: join_body(segments, with_texts(fields, unsigned)),
        },
        moment,
    )
    if scheme.timestamp is not None:
        fields.set("timestamp", write_moment(moment, scheme.timestamp))
    segments = _body_segments(body, scheme)
    unsigned = dict.fromkeys(scheme.signature_names, "")
    final = _final_url(url, scheme, fields)
    fields.set("url", final)
    default = provider.scheme(event.scheme)
    event_headers = event.headers if scheme.content_type == default.content_type else {}
    if scheme.name != default.name:
        names = {name.lower() for name in scheme.headers}
        event_headers = {name: text for name, text in event_headers.items() if name.lower() in names}
    header_templates, own_headers = _header_templates(scheme, event_headers, headers)
    templates.extend(header_templates)
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
        header_templates=header_templates,
        own_headers=own_headers,
        payload=body,
        body_segments=segments,
    )


def _fill_parts(known: Mapping[str, Part], values: Mapping[str, str], moment: datetime) -> dict[str, str]:
    """Return the parts that were passed, and generated ones for the rest.

    Raises:
        UnknownName: a part that the provider does not have.
        InvalidArgument: a part that is not plain printable ASCII.
    """
    for name, value in values.items():
        if name not in known:
            raise UnknownName(f"this provider has no part {name!r}; {nearest(name, known)}")
        if not re.fullmatch(r"[ -~]+", _text(value)):
            raise InvalidArgument(
                f"{name} must be printable ASCII text, because it goes into a header or the body"
            )
    random = SystemRandom()
    return {
        name: values[name] if name in values else generate_part(part, moment, random)
        for name, part in known.items()
    }


def check_url(url: str) -> SplitResult:
    """Check a receiver's URL, and return its parts.

    Raises:
        InvalidArgument: it is not an absolute http or https URL in plain ASCII.
    """
    if not _text(url).strip():
        raise InvalidArgument(
            "the receiver URL is empty; write one such as http://127.0.0.1:8000/webhooks", field="url"
        )
    if not _URL_CHARS.fullmatch(url):
        bad = next(i for i, char in enumerate(url, 1) if not _URL_CHARS.fullmatch(char))
        example = f", for example {quote(url[bad - 1])}" if locators.is_text(url[bad - 1]) else ""
        raise InvalidArgument(
            f"character {bad} of the URL is a space, a control character or not ASCII; "
            f"write it percent-encoded{example}",
            field="url",
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidArgument(
            "the URL's host or port cannot be read; a port is a number up to 65535", field="url"
        ) from None
    if parts.scheme.lower() not in ("http", "https"):
        # Of what was typed only a local host is repeated: the rest may be a secret in the wrong field.
        local = _LOCAL_HOST.match(url)
        advice = f"; put http:// before {local[0]}" if local else "; put https:// before the host"
        raise InvalidArgument(
            f"the URL must begin with http:// or https://{'' if '://' in url else advice}", field="url"
        )
    if "@" in parts.netloc:
        raise InvalidArgument(
            "the URL has a name or password before the host; remove it, and add an Authorization header of "
            "your own if the receiver needs one",
            field="url",
        )
    if not host or port == 0:
        raise InvalidArgument(
            "the URL names no host to send to; write one such as 127.0.0.1:8000 or hooks.example.com",
            field="url",
        )
    return parts


def _final_url(url: str, scheme: Scheme, fields: Mapping[str, bytes | str]) -> str:
    """Return the URL with the scheme's parameters appended, and without fragment, which is never sent."""
    check_url(url)
    url = url.partition("#")[0]
    for name, text in scheme.query.items():
        value = quote_plus(Template(text).render(fields), safe="")
        url += f"{'&' if '?' in url else '?'}{name}={value}"
    return url


def as_moment(at: datetime | float | None) -> datetime:
    """Convert the argument to a time in UTC; the current time for None.

    Raises:
        InvalidArgument: a time without zone, or not a time.
    """
    if at is None:
        return datetime.now(UTC)
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise InvalidArgument("at= has no time zone; write datetime(..., tzinfo=UTC)", field="clock")
        return _in_range(lambda: at.astimezone(UTC))
    if isinstance(at, bool) or not isinstance(at, int | float):
        raise InvalidArgument(
            f"at= must be a datetime with time zone or Unix seconds, not {type(at).__name__}", field="clock"
        )
    return _in_range(lambda: datetime.fromtimestamp(at, UTC), "; Unix seconds are about 1.8e9 these days")


def _in_range(moment: Callable[[], datetime], hint: str = "") -> datetime:
    """Check that every unit of timestamp can write the time, in any time zone."""
    try:
        result = moment()
    except (ValueError, OverflowError, OSError):
        result = _EARLIEST
    if _EARLIEST < result < _LATEST:
        return result
    raise InvalidArgument(f"the time is out of range, which is 1970 to 9998{hint}", field="clock")


def _header_templates(
    scheme: Scheme, event_headers: Mapping[str, str], own: Mapping[str, str] | Iterable[tuple[str, str]]
) -> tuple[tuple[tuple[str, Template], ...], frozenset[str]]:
    templates = {name: scheme.header_template(name) for name in scheme.headers}
    for name, text in event_headers.items():
        templates[_same_name(name, templates)] = Template(text)
        if not text:  # this event is sent without that header
            del templates[_same_name(name, templates)]
    out = list(templates.items())
    carriers = {n.lower() for n, t in out if t.names & scheme.signature_names}
    own_names: set[str] = set()
    for name, value in Headers(own).multi_items():
        check_header(name, value)
        lower = name.lower()
        if lower in carriers:
            raise InvalidArgument(
                f"{name} carries the signature and is set when signing; remove your own", field="headers"
            )
        replaced = [i for i, (n, _) in enumerate(out) if n.lower() == lower]
        if replaced and lower not in own_names:
            out[replaced[0]] = (name, Template(value, verbatim=True))
        else:
            out.append((name, Template(value, verbatim=True)))
        own_names.add(lower)
    return tuple(out), frozenset(own_names)


def _same_name(name: str, known: Iterable[str]) -> str:
    return next((k for k in known if k.lower() == name.lower()), name)


def _body_segments(body: bytes, scheme: Scheme) -> tuple[bytes | BodyPlaceholder, ...]:
    """Split the body at the fields of the scheme inside it; all other bytes stay as they are."""
    slots = [*_json_slots(body, scheme), *_form_slots(body, scheme)]
    segments: list[bytes | BodyPlaceholder] = []
    done = 0
    for (start, end), slot, quote_mark in sorted(slots, key=lambda slot: slot[0]):
        segments += [body[done:start] + quote_mark, slot, quote_mark]
        done = end
    return (*segments, body[done:])


def _json_slots(body: bytes, scheme: Scheme) -> Iterator[_Slot]:
    if not scheme.body:
        return
    window = locators.json_window(body, scheme.json_in)
    for path, template in scheme.body_templates.items():
        span = json_edit.span(window.text, path)
        if span is None:
            raise UnreadableMessage(
                f"the body has no {path!r}, where this provider puts its {template.text}; "
                "keep that place in the JSON, or reset the body to the event's template",
                field="body",
            )
        value = scheme.body[path]
        bare = isinstance(value, BodyValue) and value.type == "number"
        quote_mark = b"" if bare else b"%22" if window.escaped else b'"'
        slot = BodyPlaceholder(template, window.escaped, in_json=not bare)
        yield window.raw_span(body, *span), slot, quote_mark


def _form_slots(body: bytes, scheme: Scheme) -> Iterator[_Slot]:
    for name, text in scheme.form.items():
        window = locators.form_window(body, name)
        yield (window.start, window.end), BodyPlaceholder(Template(text), escaped=True), b""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
