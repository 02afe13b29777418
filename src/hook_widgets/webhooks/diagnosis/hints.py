"""Collect what a request shows by itself if no hypothesis verifies: damage, another secret, other headers.

A hint is not proven by a signature, unlike a finding.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hook_widgets.webhooks.body import json_scanner
from hook_widgets.webhooks.body.stats import is_utf8
from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.evidence import ReceivedEvidence
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import JsonText
from hook_widgets.webhooks.diagnosis.guesses.json_values import rounded_integers
from hook_widgets.webhooks.diagnosis.guesses.question_marks import marked_words
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.scheme import SharedSecretSpec

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider

_REPLACEMENT = "\ufffd".encode()
# Bodies that a program wrote of no value, or of an object that is not its text: a stream, a promise, bytes.
_PLACEHOLDER = re.compile(
    rb"undefined|null|None|nil|NaN|Array|\[object \w{1,60}\]|\[B@[0-9a-f]{1,16}"
    rb"|(?:[a-z]\w{0,40}\.){1,12}[A-Z][\w$]{0,80}@[0-9a-f]{1,16}|System\.(?:\w{1,40}\.){0,6}\w{1,60}(?:\[\])?"
    rb"|<(?:[\w.]{1,100} object(?: [\w.]{1,100})?|coroutine object [\w.]{1,100}) at 0x[0-9a-fA-F]{1,16}>"
    rb"|#<(?:\w{1,60}::){0,6}\w{1,60}:0x[0-9a-f]{1,16}[^>\n]{0,100}>|Promise \{ <\w{1,20}> \}"
    rb"|<bound method [\w.]{1,100} of <[^<>\n]{1,200}>>|\w{1,40}Stream \{[^{}\n]{0,200}\}"
)
# Values of headers that a log masked or cut, or that a program printed for none.
_MASKED = re.compile(
    r"(?i:\W?(?:filtered|redacted|masked|hidden|removed|scrubbed)\W?)|undefined|null|None|nil"
    r"|[^*•…]{0,200}(?:\*{3}|•{3}|…).{0,200}|.{0,200}\.\.\."
)
_MAX_PLACEHOLDER = 400  # bytes
_BRACKETED = re.compile(rb"[\w.-]{1,100}(?:(?:\[|%5B)[\w.-]{0,100}(?:\]|%5D))*=", re.IGNORECASE)
_MAX_JSON = 1 << 20  # bytes of a body in which rounded integers are looked for
_MAX_SORTED = 1 << 16  # characters of a text whose order of keys is looked at
_MIN_SORTED = 4  # keys of one object or query; fewer are in order by chance
_MAX_SAMPLES = 10  # sample bodies that a body is compared with
_MAX_LISTED = 4  # members that are named
_MAX_NAMED = 3  # other providers that are named
# Beginnings of texts that are a shared secret of no provider.
_NEVER_SECRETS = {
    re.compile(beginning): kind
    for beginning, kind in (
        (r"https?://", "a URL"),
        (r"-----BEGIN", "a key or certificate in PEM"),
        (r"ssh-", "an SSH key"),
        (
            r"\$\{|\$\(|\{\{|\$(?=[A-Z][A-Z0-9_]{2,99}\Z)|%(?=[A-Z0-9_]{3,99}%\Z)|process\.env|os\.environ|ENV\[",
            "a variable that nothing replaced",
        ),
        (r"%(?=\{)|@(?=[a-z][a-z0-9_-]{2,99}\Z)", "a variable that nothing replaced"),
        (r"[uUnN](?=(?:ndefined|ull|one|il|ULL)\Z)", "the text of a missing value"),
        (r"(?i:your[-_ ]|change[-_ ]?me|replace[-_ ]?me|<(?=your|my|the))", "an example"),
        (
            r"arn:|op://|vault://|@Microsoft\.KeyVault|projects/(?=[^/]{1,99}/secrets/)",
            "a reference to a store of secrets",
        ),
        (r"AQICA|vault:v\d|\$ANSIBLE_VAULT|ENC\[|U2FsdGVkX1", "an encrypted text"),
        (r"\$2[aby]\$|\$argon2|\$scrypt|\$pbkdf2", "a hash of a password"),
        (r"[*•](?=[*•]{2})|(?=[^…*•]{0,99}(?:…|\*\*\*|•••))", "a masked text"),
        (r"\{(?=\")", "a JSON object, of which one member may be the secret"),
        (r"eyJ(?=[\w-]{1,999}\.eyJ)", "a JSON Web Token"),
        (
            r"gh[opsu]_|github_pat_|glpat-|xox[a-z]-|xapp-|shp(?:at|ca|pa)_|SG\.|AKIA|AIza|ya29\.",
            "a token of an API",
        ),
        (r"tfp_(?=\w{20})|APP_USR-(?=\d{10})|pat(?=\w{14}\.[0-9a-f]{64}\Z)", "a token of an API"),
        (r"[12]/(?=\d{10,20}(?:/\d{10,20})?:[0-9a-f]{32}\Z)", "a token of an API"),
        (r"AT(?:ATT|CTT|BB|TA)(?=[\w=-]{20,999}\Z)|\d{8,10}:(?=[\w-]{35}\Z)", "a token of an API"),
    )
}
_SIGNATURE_NAME = re.compile(r"(?i)(?:^|[_.-])(?:signature|sig|sign|hmac)$")
_BARE_SECRET = re.compile(r"[0-9a-f]{32,128}")
_HASHES = {16: "md5", 20: "sha1", 32: "sha256", 48: "sha384", 64: "sha512"}
_FREE = ("generic", "queue")  # kinds of senders whose bodies are those of the application
_MAGIC = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "deflate": b"\x78"}
_LOCAL = re.compile(
    r"localhost|[^.:]*|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|.*\.(?:local|internal)|::1"
)


def hints_of(evidence: ReceivedEvidence, likely: Iterable[Provider]) -> tuple[CauseRef, ...]:
    """Return what a request shows by itself, the most telling first.

    Args:
        evidence: the request.
        likely: the providers that its headers fit.
    """
    return (
        *_unkeyed(evidence),
        *_headers(evidence, likely),
        *_body(evidence),
        *_url(evidence),
        *_sender(evidence),
    )


def secret_hints(key: object, spec: object) -> tuple[CauseRef, ...]:
    """Return why a secret is not the one that signs; the text of the secret is never repeated.

    Args:
        key: the key that was given.
        spec: the definition of the provider's key.
    """
    if not isinstance(key, Secret) or not isinstance(spec, SharedSecretSpec):
        return ()
    text = key.reveal().strip().strip("\"'")
    kinds = {re.compile(re.escape(beginning)): kind for beginning, kind in spec.mistaken.items()}
    for beginning, kind in (kinds | _NEVER_SECRETS).items():
        if match := beginning.match(text):
            return (CauseRef("secret-kind", f"{match[0]}… is {kind}, not a {spec.title.lower()}"),)
    is_other = spec.other_secrets and _BARE_SECRET.fullmatch(text)
    if spec.prefix and not text.startswith(spec.prefix) and not is_other:
        return (CauseRef("secret-form", spec.described),)
    return ()


def _unkeyed(evidence: ReceivedEvidence) -> Iterator[CauseRef]:
    """Yield a hint if the signature is a hash of the body alone, which needs no key."""
    for candidate in evidence.candidates:
        name = None if candidate.cause else _HASHES.get(len(candidate.raw))  # a digest has its own header
        if name and hashlib.new(name, evidence.request.body).digest() == candidate.raw:
            yield CauseRef("signature-no-key", name)
            return


def _headers(evidence: ReceivedEvidence, likely: Iterable[Provider]) -> Iterator[CauseRef]:
    headers = evidence.request.headers
    carriers = [*evidence.scheme.carriers({evidence.signature.name})]
    masked = [name for name in carriers if _MASKED.fullmatch(headers.get(name, "").strip())]
    if masked:
        yield CauseRef("header-masked", masked[0])
    titles = [] if any(p.id == evidence.provider.id for p in likely) else [p.title for p in likely]
    if titles:
        yield CauseRef("provider-headers", " or ".join(titles[:_MAX_NAMED]))
    elif not evidence.candidates:
        unread = next((name for name in _names(evidence) if _SIGNATURE_NAME.search(name)), "")
        own = [name for name in evidence.scheme.headers if evidence.scheme.header_template(name).names]
        if unread:
            yield CauseRef("signature-unread", unread)
        elif own and not any(name in headers for name in own):
            yield CauseRef("request-unsigned", ", ".join(own[:_MAX_LISTED]))
        elif carriers and not any(name in headers for name in carriers):
            yield CauseRef("signature-not-sent", carriers[0])


def _names(evidence: ReceivedEvidence) -> Iterator[str]:
    """Yield the names of the members of a JSON object, or of the parameters of a form."""
    body, text = evidence.request.body, evidence.json_text
    if len(body) > _MAX_SORTED:
        return
    if text is None:
        yield from (part.partition(b"=")[0].decode(errors="replace") for part in body.split(b"&"))
    elif text.text.startswith("{"):
        yield from json.loads(text.text, parse_int=str)


def _body(evidence: ReceivedEvidence) -> Iterator[CauseRef]:
    request, headers = evidence.request, evidence.request.headers
    body = request.body
    encoding = headers.get("Content-Encoding", "").strip().lower()
    compressed = body.startswith(_MAGIC.get(encoding, b"\x1f\x8b"))
    length = headers.get("Content-Length", "").strip()
    other_size = length.isascii() and length.isdigit() and len(length) < 16 and int(length) != len(body)
    if other_size:
        sizes = f"{len(body)} bytes, and Content-Length says {length}"
        if len(body) > int(length):
            yield CauseRef("body-longer", sizes)
        elif evidence.json_text is not None:
            yield CauseRef("body-shorter", sizes)
        elif body:
            yield CauseRef("body-cut-off", sizes)
    if _REPLACEMENT in body:
        yield CauseRef("body-replacement", str(body.count(_REPLACEMENT)))
    if marked := marked_words(body):
        yield CauseRef("body-question-marks", "a word" if marked == 1 else f"{marked} words")
    if len(body) <= _MAX_PLACEHOLDER and _PLACEHOLDER.fullmatch(body.strip()):
        yield CauseRef("body-placeholder", body.decode().strip())
    elif body and not compressed and len(body) <= _MAX_JSON:
        yield from _json(evidence, whole=not other_size and _REPLACEMENT not in body)
    if encoding and encoding != "identity" and not compressed:
        as_text = CauseRef("body-content-encoding", encoding)
        yield as_text if is_utf8(body) else CauseRef("body-compressed")


def _json(evidence: ReceivedEvidence, *, whole: bool) -> Iterator[CauseRef]:
    body = evidence.request.body
    json_text = evidence.json_text
    if json_text is not None:
        yield from _envelope(evidence, json_text)
        if len(json_text.text) <= _MAX_SORTED:
            yield from _part(evidence.provider, json_text)
        suspects = list(rounded_integers(json_text))
        if suspects:
            yield CauseRef("body-integer-rounded", suspects[0])
        sample = JsonText.read(evidence.provider.template())
        order = _order(json_text) if len(json_text.text) <= _MAX_SORTED else ""
        if order and not (sample and _order(sample) == order):
            yield CauseRef(order)
        return
    yield from _envelope(evidence, None)
    if whole and (
        "json" in evidence.request.headers.get("Content-Type", "").lower() or body[:1] in (b"{", b"[")
    ):
        errors = [p for p in json_scanner.scan(body).problems if p.level is json_scanner.ProblemLevel.ERROR]
        is_form = _BRACKETED.match(body)
        detail = (
            "a form, as qs.stringify or http_build_query write parsed JSON"
            if is_form
            else (
                f"line {errors[0].line}, column {errors[0].column}: {errors[0].message}"
                if errors
                else "a text"
            )
        )
        yield CauseRef("body-not-json", detail)


def _part(provider: Provider, json_text: JsonText) -> Iterator[CauseRef]:
    """Yield a hint if the body has the names of an object inside a sample body, and not those around it."""
    names = _names_of(json.loads(json_text.text, parse_int=str))
    places: list[str] = []
    for event in provider.all_events[:_MAX_SAMPLES] if names and provider.kind not in _FREE else ():
        sample = provider.template(event.name)
        if 5 * sum(f'"{name}"'.encode(errors="replace") in sample for name in names) < 4 * len(names):
            continue
        try:
            value = json.loads(sample, parse_int=str)
        except ValueError:
            continue
        if 2 * len(names & _names_of(value)) >= len(_names_of(value)):
            return
        places += [path for path, inner in _inner(value) if names == inner or _alike(names, inner)][:1]
    if places:
        yield CauseRef("body-part", places[0])


def _inner(value: object) -> Iterator[tuple[str, set[str]]]:
    """Yield the names in the objects inside an object, and in those inside them, each with its path."""
    for name, member in value.items() if isinstance(value, dict) else ():
        if isinstance(member, dict):
            yield name, _names_of(member)
            yield from ((f"{name}.{key}", _names_of(inner)) for key, inner in member.items())


def _alike(names: set[str], others: set[str]) -> bool:
    return len(names) > 1 and 5 * len(names & others) >= 4 * max(len(names), len(others))


def _names_of(value: object) -> set[str]:
    """Return the names of the members of an object; none for another value."""
    return set(value) if isinstance(value, dict) else set()


def _envelope(evidence: ReceivedEvidence, json_text: JsonText | None) -> Iterator[CauseRef]:
    """Yield a hint if the body has no member that the sender puts the signature or its time in."""
    scheme = evidence.scheme
    text = evidence.request.body.decode(errors="replace") if json_text is None else json_text.text
    inside = any(evidence.signature.name in template.names for template in scheme.body_templates.values())
    names = dict.fromkeys(path.partition(".")[0] for path in scheme.body)
    if inside and not scheme.json_in and f'"{next(iter(names))}"' not in text:
        value = None if json_text is None else json.loads(json_text.text, parse_int=str)
        if not _names_of(value) & names.keys():
            yield CauseRef("body-envelope-lost", ", ".join(list(names)[:_MAX_LISTED]))


def _order(json_text: JsonText) -> str:
    """Return the cause that orders the keys of every object; "" without one, or if so few are by chance."""
    objects: list[list[str]] = []
    json.loads(
        json_text.text,
        object_pairs_hook=lambda pairs: objects.append([key for key, _ in pairs]),
        parse_int=str,
    )
    if max(map(len, objects), default=0) < _MIN_SORTED:
        return ""
    if all(keys == sorted(keys) for keys in objects):
        return "body-keys-sorted"
    by_length = all(
        keys == sorted(keys, key=lambda key: (len(key.encode(errors="replace")), key)) for keys in objects
    )
    return "body-keys-by-length" if by_length else ""


def _url(evidence: ReceivedEvidence) -> Iterator[CauseRef]:
    url = evidence.request.url
    if "url" not in evidence.needed or not url:
        return
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if not parts.netloc:
        yield CauseRef("url-relative", url)
    elif parts.path in ("", "/"):
        yield CauseRef("url-no-path", f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
    elif _LOCAL.fullmatch(parts.hostname or ""):
        yield CauseRef("url-local", parts.hostname or "")
    names = [param.partition("=")[0] for param in parts.query.split("&")]
    if len(names) >= _MIN_SORTED and names == sorted(names):
        yield CauseRef("url-query-sorted")


def _sender(evidence: ReceivedEvidence) -> Iterator[CauseRef]:
    provider = evidence.provider
    template = evidence.scheme.closure(evidence.signature.template.names)
    carried = {name for shapes in evidence.scheme.header_shapes.values() for s in shapes for name in s.names}
    for name, part in provider.parts.items():
        if part.value is not None and name in template - carried and name not in evidence.parts:
            yield CauseRef("part-unknown", name)
    if isinstance(provider.key, SharedSecretSpec) and provider.key.other_secrets:
        yield CauseRef("secret-origin", provider.key.other_secrets)
    if provider.responses.rejected_status is not None:
        yield CauseRef("signature-on-purpose", f"{provider.title} / {provider.responses.rejected_status}")
