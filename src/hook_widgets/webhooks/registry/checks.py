"""Check the rules between the fields of a ``provider.toml`` that the records cannot express."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from hook_widgets.errors import CatalogError, InvalidArgument, nearest
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import check_header
from hook_widgets.webhooks.registry.provider_file import ProviderSpec
from hook_widgets.webhooks.registry.toml_positions import Path
from hook_widgets.webhooks.registry.validation_errors import Fault
from hook_widgets.webhooks.requests.handshake import Handshake
from hook_widgets.webhooks.scheme import BodyValue, Event, HeaderValue, OlderHeader, RetryRules, Scheme
from hook_widgets.webhooks.scheme.fields import BUILT_IN

_ALWAYS = frozenset({"body", "event", "event_type", "method", "url"}) | BUILT_IN.keys()
_FIELD = re.compile(r"[a-z][a-z0-9_]*")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DAY = re.compile(r"20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


def faults(spec: ProviderSpec) -> Iterator[Fault]:
    """Yield the faults of a provider's data, except those that need its bodies."""
    if not _ID.fullmatch(spec.id):
        yield Fault(("id",), f"{spec.id!r} is no id; use lower-case letters and digits with '-' between")
    if not spec.title.strip():
        yield Fault(("title",), "it is empty; give the provider's name for people")
    known: dict[str, frozenset[str]] = {}
    for number, scheme in enumerate(spec.schemes):
        own = ("timestamp",) if scheme.timestamp else ()
        known[scheme.name] = _ALWAYS.union(spec.parts, own, scheme.fields)
        yield from _scheme_faults(("schemes", number), scheme, known[scheme.name])
    if not spec.schemes:
        yield Fault(("schemes",), 'there is none; add [[schemes]] with name = "v1"')
    if not spec.events:
        yield Fault(("events",), "there is none; add [[events]] with a name and a body")
    yield from _repeated("schemes", (scheme.name for scheme in spec.schemes))
    yield from _repeated("events", (event.name for event in spec.events))
    yield from _repeated("handshakes", (handshake.name for handshake in spec.handshakes))
    yield from _provenance_faults(spec)
    yield from _evidence_faults(spec)
    yield from _delivery_faults(spec)
    yield from _part_faults(spec)
    yield from _param_faults(spec)
    yield from _event_faults(spec.events, known)
    yield from _handshake_faults(spec.handshakes, spec.events, known)


def _repeated(table: str, names: Iterable[str]) -> Iterator[Fault]:
    counts: Counter[str] = Counter()
    for number, name in enumerate(names):
        counts[name] += 1
        if counts[name] == 2:
            yield Fault(
                (table, number, "name"), f"{name!r} stands there already; give each a name of its own"
            )


def _provenance_faults(spec: ProviderSpec) -> Iterator[Fault]:
    read, retries = spec.current.read, spec.retries
    if read and not _DAY.fullmatch(read):
        yield Fault(("current", "read"), f"{read!r} is no day; write one such as read = 2026-11-22")
    if retries.delays_s and retries.retries not in (None, len(retries.delays_s)):
        text = f"it is {retries.retries}, but there are {len(retries.delays_s)} delays; correct one of them"
        yield Fault(("retries", "retries"), text)
    if retries != RetryRules() and not retries.sources:
        yield Fault(("retries", "sources"), "there is none; name the page that states the schedule")


def _evidence_faults(spec: ProviderSpec) -> Iterator[Fault]:
    for name, part in (("headers", spec.evidence.headers), ("bodies", spec.evidence.bodies)):
        if part.unconfirmed and (part.recorded or part.code):
            text = "it is true beside evidence that confirms them; remove one of both"
            yield Fault(("evidence", name, "unconfirmed"), text)
    if spec.evidence.model is not None:
        yield from _unknown_events(("evidence", "model", "misses"), spec.evidence.model.misses, spec.events)


def _delivery_faults(spec: ProviderSpec) -> Iterator[Fault]:
    if spec.serializer is not None:
        yield from _unknown_events(("serializer", "others"), spec.serializer.others, spec.events)
    yield from _unknown_events(("deliveries", "without_id"), spec.deliveries.without_id, spec.events)
    if spec.deliveries.without_id and not spec.deliveries.id_path:
        yield Fault(
            ("deliveries", "without_id"), "no event has an id without id_path; remove it, or add id_path"
        )


def _unknown_events(path: Path, names: Iterable[str], events: Iterable[Event]) -> Iterator[Fault]:
    known = [event.name for event in events]
    for name in names:
        if name not in known:
            yield Fault(path, f"there is no event {name!r}; {nearest(name, known)}")


def _part_faults(spec: ProviderSpec) -> Iterator[Fault]:
    taken = {*_ALWAYS, "timestamp"}
    for scheme in spec.schemes:
        taken |= scheme.fields.keys() | scheme.signature_names
    for name, part in spec.parts.items():
        yield from _name_faults(("parts", name), name)
        if name in taken:
            yield Fault(("parts", name), "a field of this name is there already; give the part another name")
        if part.make is not None and part.value is not None:
            yield Fault(("parts", name), "give either make or value, not both")


def _param_faults(spec: ProviderSpec) -> Iterator[Fault]:
    samples: dict[str, str] = {}
    for name, param in spec.params.items():
        if param.sample and samples.setdefault(param.sample, name) != name:
            text = f"{param.sample!r} is the sample of {samples[param.sample]!r}, too; give each its own"
            yield Fault(("params", name, "sample"), text)


def _event_faults(events: Iterable[Event], known: Mapping[str, Collection[str]]) -> Iterator[Fault]:
    first = next(iter(known), "")
    spelled: dict[str, str] = {}
    for number, event in enumerate(events):
        for name in ("name", "category"):
            if not getattr(event, name).strip():
                yield Fault(
                    ("events", number, name), "it is empty; name the event and the group it is listed in"
                )
        other = spelled.setdefault(event.category.lower(), event.category)
        if other != event.category:
            text = f"{event.category!r} and {other!r} would be two groups; spell both in one way"
            yield Fault(("events", number, "category"), text)
        if event.file and not _FILE.fullmatch(event.file):
            yield Fault(
                ("events", number, "file"), f"{event.file!r} must be the plain name of a file below events/"
            )
        if event.scheme and event.scheme not in known:
            text = f"there is no scheme {event.scheme!r}; {nearest(event.scheme, known)}"
            yield Fault(("events", number, "scheme"), text)
            continue
        fields = known.get(event.scheme or first, _ALWAYS)
        yield from _template_faults(("events", number, "headers"), event.headers, fields)
        yield from _header_faults(("events", number, "headers"), event.headers)


def _handshake_faults(
    handshakes: Iterable[Handshake], events: Iterable[Event], known: Mapping[str, frozenset[str]]
) -> Iterator[Fault]:
    names = [event.name for event in events]
    for number, handshake in enumerate(handshakes):
        place = ("handshakes", number)
        if handshake.event and handshake.event not in names:
            text = f"there is no event {handshake.event!r}; {nearest(handshake.event, names)}"
            yield Fault((*place, "event"), text)
        fields = next(iter(known.values()), _ALWAYS) | handshake.fields.keys()
        yield from _template_faults((*place, "query"), handshake.query, fields)
        yield from _template_faults((*place, "headers"), handshake.headers, fields)
        for name, field in handshake.fields.items():
            inside = {str(n): text for n, text in enumerate(field.templates)}
            yield from _template_faults((*place, "fields"), inside, fields, name)
        signed: set[str] = set()
        if handshake.signature:
            signed = {handshake.signature.name}
            message = {"message": handshake.signature.message}
            yield from _template_faults((*place, "signature"), message, fields)
        expected = {
            part.label: text for item in handshake.expected_responses for part, text in item.expected()
        }
        yield from _template_faults(place, expected, fields | signed, "response")


def _scheme_faults(place: Path, scheme: Scheme, fields: Collection[str]) -> Iterator[Fault]:
    signatures = scheme.signature_names
    if len(signatures) < len(scheme.signatures):
        yield Fault(
            (*place, "signatures"),
            "two have the same name; give each its own, such as 'signature_sha1'",
        )
    for number, signature in enumerate(scheme.signatures):
        yield from _name_faults((*place, "signatures", number, "name"), signature.name)
        message = {"message": signature.message}
        yield from _template_faults((*place, "signatures", number), message, fields)
    yield from _header_faults((*place, "headers"), scheme.headers)
    headers = {n: v.value if isinstance(v, HeaderValue) else v for n, v in scheme.headers.items()}
    body = {p: v.value if isinstance(v, BodyValue) else v for p, v in scheme.body.items()}
    for table, carriers in (("headers", headers), ("body", body), ("form", scheme.form)):
        yield from _template_faults((*place, table), carriers, {*fields, *signatures})
    yield from _template_faults((*place, "query"), scheme.query, fields)
    for name, field in scheme.fields.items():
        yield from _name_faults((*place, "fields", name), name)
        inside = {str(n): text for n, text in enumerate(field.templates)}
        yield from _template_faults((*place, "fields"), inside, fields, name)
        if name in _all_sources(scheme, name):
            text = "it is computed from itself; break the circle"
            yield Fault((*place, "fields", name), text)
    carried = frozenset[str]().union(*map(_names, (*headers.values(), *body.values(), *scheme.form.values())))
    for name in sorted(signatures - carried):
        text = f"none carries {{{name}}}; write it into a header's value, or below body"
        yield Fault((*place, "headers"), text)
    yield from _rotation_faults(place, scheme)
    if scheme.absent.claims and not any(field.jwt for field in scheme.fields.values()):
        text = "the scheme has no token with claims; add a field with jwt, or take the claims out"
        yield Fault((*place, "absent", "claims"), text)
    if scheme.absent.body and scheme.covers_body:
        text = "the scheme signs the body; take body = true out, or sign something else"
        yield Fault((*place, "absent", "body"), text)


def _name_faults(path: Path, name: str) -> Iterator[Fault]:
    if not _FIELD.fullmatch(name):
        text = f"{name!r} cannot stand in a template; use lower-case letters, digits and '_'"
        yield Fault(path, text)


def _header_faults(place: Path, headers: Iterable[str]) -> Iterator[Fault]:
    names: set[str] = set()
    for name in headers:
        try:
            # Some providers send Connection, which unlike other framing headers is harmless.
            if name.lower() != "connection":
                check_header(name, "")
        except InvalidArgument as error:
            yield Fault((*place, name), str(error))
        if name.lower() in names:
            yield Fault((*place, name), "it stands there already, in other letters; keep one of them")
        names.add(name.lower())


def _all_sources(scheme: Scheme, name: str) -> set[str]:
    """Return the fields of the scheme from which a field is computed, including itself in a circle."""
    sources: set[str] = set()
    waiting = [name]
    while waiting:
        names = frozenset[str]().union(*map(_names, scheme.fields[waiting.pop()].templates))
        new = (names & scheme.fields.keys()) - sources
        sources |= new
        waiting += new
    return sources


def _rotation_faults(place: Path, scheme: Scheme) -> Iterator[Fault]:
    lists = [v for v in scheme.headers.values() if isinstance(v, HeaderValue)]
    if scheme.rotation == "list" and not any(_names(v.value) & scheme.signature_names for v in lists):
        text = 'no header with a signature is a list; write one as { value = "…", list = "," }'
        yield Fault((*place, "rotation"), text)
    if isinstance(scheme.rotation, OlderHeader):
        header = {"header": scheme.rotation.header}
        yield from _template_faults((*place, "rotation"), header, {"n"})


def _template_faults(
    place: Path, templates: Mapping[str, str], fields: Collection[str], step: str = ""
) -> Iterator[Fault]:
    """Yield the faults of the templates at a place, at the path of their key, or all at `step`."""
    for key, text in templates.items():
        path = (*place, step or key)
        try:
            unknown = Template(text).names - set(fields)
        except CatalogError as error:
            yield Fault(path, str(error))
            continue
        for name in sorted(unknown):
            if name == "timestamp":
                yield Fault(path, '{timestamp} needs the scheme\'s unit; add timestamp = "s" to the scheme')
            else:
                yield Fault(path, f"there is no field {{{name}}}; {nearest(name, fields)}")


def _names(text: str) -> frozenset[str]:
    try:
        return Template(text).names
    except CatalogError:
        return frozenset()
