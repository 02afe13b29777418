"""The rules between the fields of a ``provider.toml``, which the records alone cannot say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from hook_widgets.errors import CatalogError, nearest
from hook_widgets.webhooks.fields import BUILT_IN
from hook_widgets.webhooks.handshake import Handshake
from hook_widgets.webhooks.scheme import BodyValue, Event, HeaderValue, Scheme
from hook_widgets.webhooks.template import Template

_ALWAYS = frozenset({"body", "event", "event_type", "method", "url"}) | BUILT_IN.keys()


def faults(
    schemes: Iterable[Scheme],
    events: Collection[Event],
    parts: Collection[str],
    handshakes: Collection[Handshake] = (),
) -> Iterator[str]:
    """What is wrong with a provider's data: each a field's place, a colon, and what to do about it."""
    known: dict[str, frozenset[str]] = {}
    for number, scheme in enumerate(schemes):
        place = f"schemes[{number}]"
        if scheme.name in known:
            yield f"{place}.name: {scheme.name!r} stands twice; give each scheme a name of its own"
        known[scheme.name] = _ALWAYS.union(parts, ["timestamp"] if scheme.timestamp else [], scheme.fields)
        yield from _scheme_faults(place, scheme, known[scheme.name])
    if not events:
        yield "events: there is none; add one with a body below events/"
    for name, count in Counter(event.name for event in events).items():
        if count > 1:
            yield f"events: {name!r} stands {count} times; give each event a name of its own"
    first = next(iter(known), "")
    for number, event in enumerate(events):
        place = f"events[{number}]"
        if event.scheme and event.scheme not in known:
            yield f"{place}.scheme: there is no scheme {event.scheme!r}. {nearest(event.scheme, known)}"
            continue
        fields = known.get(event.scheme or first, _ALWAYS)
        yield from _template_faults({f"{place}.headers.{n}": t for n, t in event.headers.items()}, fields)
    for number, handshake in enumerate(handshakes):
        place = f"handshakes[{number}]"
        names = [event.name for event in events]
        if handshake.event and handshake.event not in names:
            yield f"{place}.event: there is no event {handshake.event!r}. {nearest(handshake.event, names)}"
        answer = {handshake.signature.name} if handshake.signature else set()
        fields = known.get(first, _ALWAYS) | handshake.fields.keys()
        sent = {f"{place}.query.{n}": t for n, t in handshake.query.items()}
        sent |= {f"{place}.headers.{n}": t for n, t in handshake.headers.items()}
        yield from _template_faults(sent, fields)
        wanted = {f"{place}.answer: {p}": t for a in handshake.answers for p, t in a.wanted()}
        yield from _template_faults(wanted, fields | answer)


def _scheme_faults(place: str, scheme: Scheme, fields: Collection[str]) -> Iterator[str]:
    signatures = scheme.signature_names
    if len(signatures) < len(scheme.signatures):
        yield f"{place}.signatures: two have the same name; give each its own, such as 'signature_sha1'"
    messages = {f"{place}.signatures[{n}].message": s.message for n, s in enumerate(scheme.signatures)}
    yield from _template_faults(messages, fields)
    carriers = {
        f"{place}.headers.{name}": value.value if isinstance(value, HeaderValue) else value
        for name, value in scheme.headers.items()
    }
    carriers |= {
        f"{place}.body.{path}": value.value if isinstance(value, BodyValue) else value
        for path, value in scheme.body.items()
    }
    carriers |= {f"{place}.form.{name}": text for name, text in scheme.form.items()}
    yield from _template_faults(carriers, {*fields, *signatures})
    yield from _template_faults({f"{place}.query.{n}": t for n, t in scheme.query.items()}, fields)
    worked_out = {
        f"{place}.fields.{n}[{i}]": t for n, f in scheme.fields.items() for i, t in enumerate(f.templates)
    }
    yield from _template_faults(worked_out, fields)
    carried: set[str] = set()
    for text in carriers.values():
        carried |= _names(text)
    for name in sorted(signatures - carried):
        yield f"{place}.headers: none carries {{{name}}}; write it into a header's value or below body"


def _template_faults(templates: Mapping[str, str], fields: Collection[str]) -> Iterator[str]:
    for place, text in templates.items():
        try:
            unknown = Template(text).names - set(fields)
        except CatalogError as error:
            yield f"{place}: {error}"
            continue
        for name in sorted(unknown):
            if name == "timestamp":
                yield f'{place}: {{timestamp}} needs the scheme\'s unit; add timestamp = "s" to the scheme'
            else:
                yield f"{place}: there is no field {{{name}}}. {nearest(name, fields)}"


def _names(text: str) -> frozenset[str]:
    try:
        return Template(text).names
    except CatalogError:
        return frozenset()
