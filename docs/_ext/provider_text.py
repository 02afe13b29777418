"""The page of a provider as Markdown, made from its data, its test vectors and its verifiers alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from hook_widgets.errors import UnsupportedScheme
from hook_widgets.receivers.reporting.rendering import escape_markdown as text
from hook_widgets.webhooks import Provider, languages, receiver_snippet
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.models import Handshake, KeyForm, Scheme
from scripts.readings import KINDS, NOT_RECORDED, gaps
from tests.sdk.table import verified_by

_ALGORITHMS = {
    "ed25519": "Ed25519",
    "ecdsa-p256": "ECDSA on P-256 with SHA-256, in DER",
    "ecdsa-p256-raw": "ECDSA on P-256 with SHA-256, 64 bytes",
    "rsa-sha256": "RSA (PKCS #1 v1.5) with SHA-256",
    "rsa-sha1": "RSA (PKCS #1 v1.5) with SHA-1",
    "sha256-prefix": "SHA-256 of the secret and the base string",
    "sha256-suffix": "SHA-256 of the base string and the secret",
    "sha1-suffix": "SHA-1 of the base string and the secret",
    "token": "no signature: the secret itself is sent",
}
_UNITS = {"s": "Unix seconds", "ms": "Unix milliseconds"}
EVIDENCE = {
    "sdk": "its own library",
    "peer": "another library",
    "model": "a library's types",
    "source": "the sender's source code",
    "captured": "a recorded delivery",
    "docs": "documentation",
    "unconfirmed": "unconfirmed",
}
_SIGNATURE = {
    "sdk": "The provider's own library accepts what is signed here.",
    "peer": "A third party's verifier accepts what is signed here.",
    "docs": "Written from documentation and source code; no library is known that verifies it.",
}
_UNCONFIRMED = (
    "**Nobody could confirm the bodies of these events:** no library's types, source code, recorded delivery "
    "or complete documentation was found. An accepted signature says nothing about their fields."
)
_BODY_CHARACTERS = 700


def title(provider: Provider) -> str:
    """Return the page's title: the question that it answers."""
    what = "webhook signatures" if signs(provider) else "webhooks"
    return f"Verify {provider.title} {what} in Python, Node, Go, Ruby, PHP, Java and C#"


def signs(provider: Provider) -> bool:
    """Return False for a provider that sends a token instead of a signature."""
    return any(not scheme.signatures[0].algorithm.reveals_secret for scheme in provider.schemes)


def signature_words(scheme: Scheme) -> str:
    """Return algorithm and encoding in words, such as ``HMAC-SHA256, hex``."""
    first = scheme.signatures[0]
    words = _ALGORITHMS.get(first.algorithm, first.algorithm.upper())
    return words if first.algorithm.reveals_secret else f"{words}, {first.encoding}"


def page(provider: Provider) -> str:
    """Return the whole page."""
    lines = ["---", "orphan: true", "---", "", f"# {text(title(provider))}", ""]
    if provider.confidence.bodies == "unconfirmed":
        lines += [_UNCONFIRMED, ""]
    for number, scheme in enumerate(provider.schemes):
        if number:
            lines += [f"## Scheme {code(scheme.name)}: {text(scheme.title or scheme.name)}", ""]
        lines += [*_summary(provider, scheme), ""]
        lines += [f"```{{provider-receivers}} {provider.id} {scheme.name}", "```", ""]
    lines += ["## What goes wrong", "", *_pitfalls(provider), ""]
    lines += ["## Retries and time limit", "", *_retries(provider), ""]
    if provider.handshakes:
        lines += ["## Handshake", ""]
        for handshake in provider.handshakes:
            lines += [*_handshake(handshake), ""]
    lines += ["## A delivery", "", *_delivery(provider), ""]
    lines += ["## Send one", "", f"```{{provider-widget}} {provider.id}", "```", ""]
    lines += ["## Evidence", "", *_evidence(provider), ""]
    lines += ["[All providers](../providers.md)"]
    return "\n".join(lines) + "\n"


def code(value: str) -> str:
    """Return a text as code in a line of Markdown.

    >>> code("a"), code("a`b")
    ('`a`', '`` a`b ``')
    """
    words = " ".join(value.split())
    return f"`` {words} ``" if "`" in words else f"`{words}`"


def _summary(provider: Provider, scheme: Scheme) -> Iterator[str]:
    first = scheme.signatures[0]
    names = scheme.signature_names
    for name in scheme.headers:
        template = scheme.header_template(name)
        if first.name in template.names:
            yield f"- Header: {code(f'{name}: {template.text}')}"
    places = [("Form field", scheme.form), ("Query parameter", scheme.query)]
    for label, values in places:
        for name, value in values.items():
            if Template(value).names & names:
                yield f"- {label}: {code(f'{name}={value}')}"
    for path, template in scheme.body_templates.items():
        if template.names & names:
            yield f"- In the JSON body: {code(path)}"
    for name, field in scheme.fields.items():
        if field.jwt is not None:
            claims = ", ".join(code(claim) for claim in field.jwt.claims)
            yield f"- {code(f'{{{name}}}')} is part of a JSON Web Token with the claims {claims}"
    yield f"- Signature: {text(signature_words(scheme))}"
    if not first.algorithm.reveals_secret:
        yield f"- Base string: {code(first.message)}" if first.message else "- Base string: empty"
    note = f": {text(provider.key.note)}" if provider.key.note else ""
    yield f"- Key: {text(provider.key.title)}{note}"
    if scheme.timestamp is not None:
        unit = _UNITS.get(scheme.timestamp, f"{scheme.timestamp} text")
        limit = (
            f"; reject more than {scheme.tolerance_s} s" if scheme.tolerance_s else "; no limit is published"
        )
        yield f"- Time: {text(unit)}{limit}"


def receivers(provider: Provider, scheme: Scheme) -> Iterator[tuple[str, str, str, str]]:
    """Yield for each language its id, its name, the code that verifies, or why there is none."""
    for language, name in languages():
        label = "Node (JavaScript)" if language == "javascript" else name
        try:
            snippet = receiver_snippet(provider, language, scheme=scheme.name).rstrip()
        except UnsupportedScheme as error:
            yield language, label, "", str(error)
        else:
            yield language, label, snippet, ""


_TRAPS = {
    "token": "Nothing is signed. Whoever learns the secret can forge events; compare it in constant time.",
    "bytes": "The signature covers the bytes of the body. Read them before any parser: a body that was "
    "parsed and serialized has other bytes.",
    "members": "Some values of the body are signed, not its bytes. Trust no other value of it.",
    "form": "The parameters of the form are signed, not the bytes of the body.",
    "unsigned": "The body is not signed. Fetch what matters from the provider's API before you act on it.",
    "url": "The URL is signed as the sender called it. Behind a proxy, use the public scheme, host, path and "
    "query.",
    "rotation": "While a secret is rotated, a delivery has several signatures. One that matches is enough.",
}
_OF_URL = {"url", "path", "query", "path_and_query", "host", "url_base", "path_with_escaped_query"}


def _pitfalls(provider: Provider) -> Iterator[str]:
    first, key = provider.schemes[0], provider.key
    if first.signatures[0].algorithm.reveals_secret:
        yield f"- {_TRAPS['token']}"
    else:
        yield f"- {_TRAPS[_coverage(first)]}"
    if provider.serializer is not None:
        style = code(provider.serializer.style.value)
        yield f"- The sender writes its JSON in the style {style}; another serializer changes bytes."
    if first.signed & _OF_URL:
        yield f"- {_TRAPS['url']}"
    if first.timestamp is not None and first.timestamp != "s" and "timestamp" in first.signed:
        yield f"- The time is in {text(_UNITS.get(first.timestamp, first.timestamp))}, not in seconds."
    if key.type == "secret" and (key.form is not KeyForm.UTF8 or key.digest or key.normalize):
        yield f"- The key is not the text of the secret: {text(key.note or key.form)}."
    elif key.type == "secret" and key.example.prefix and not first.signatures[0].algorithm.reveals_secret:
        yield f"- The prefix {code(key.example.prefix)} is part of the key."
    if first.rotation is not None:
        yield f"- {_TRAPS['rotation']}"
    if len(provider.schemes) > 1:
        others = ", ".join(code(scheme.name) for scheme in provider.schemes[1:])
        yield f"- Deliveries can use another scheme: {others}."
    if provider.responses.rejected_status is not None:
        yield f"- It sends wrong signatures on purpose; respond with {provider.responses.rejected_status}."
    if provider.unconfirmed:
        yield f"- Not confirmed in a published source: {'; '.join(map(text, provider.unconfirmed))}."


def _coverage(scheme: Scheme) -> str:
    """Return what of the body is signed: its bytes, a form's parameters, some values of it, or nothing."""
    names, waiting, values = set[str](), [*scheme.signatures[0].template.names], False
    while waiting:
        name = waiting.pop()
        field = scheme.fields.get(name)
        if name in names:
            continue
        names.add(name)
        if field is not None and (field.json_path or field.form or field.lines):
            values = True
        elif field is not None:
            waiting += field.sources
    in_url = scheme.closure(name for value in scheme.query.values() for name in Template(value).names)
    if names & {"body", "unsigned_body", "body_sha256"} or ("url" in names and "unsigned_body" in in_url):
        return "bytes"
    return "form" if "sorted_form" in names else "members" if values else "unsigned"


def _retries(provider: Provider) -> Iterator[str]:
    rules, retries = provider.responses, provider.retries
    if rules.within_s is not None:
        yield f"- Respond within {rules.within_s} s."
    if rules.accepted_statuses:
        yield f"- Only these statuses mean success: {', '.join(map(str, rules.accepted_statuses))}."
    if retries.retries == 0:
        yield "- A failed delivery is not sent again."
    elif retries.sources:
        count = "Retries" if retries.retries is None else f"{retries.retries} retries"
        pauses = f", after {', '.join(map(_span, retries.delays_s))}" if retries.delays_s else ""
        period = f", for {_span(retries.period_s)}" if retries.period_s else ""
        yield f"- {count}{pauses}{period}."
    if retries.note:
        yield f"- {text(retries.note[:1].upper() + retries.note[1:])}."
    for source in dict.fromkeys((*rules.sources, *retries.sources)):
        yield f"- Source: {linked(source)}"
    if not retries.sources:
        yield "- Its schedule of retries was not read."
    if rules.within_s is None:
        yield "- Its time limit was not read. [Respond at once](../../howto/receivers.md) and process later."


def _span(seconds: int) -> str:
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _handshake(handshake: Handshake) -> Iterator[str]:
    yield f"**{text(handshake.title or handshake.name)}** ({code(handshake.method)})."
    query = "&".join(f"{name}={value}" for name, value in handshake.query.items())
    if query:
        yield f"Query: {code(query)}."
    yield ""
    for response in handshake.expected_responses:
        yield f"- Respond with {response.status or 'a status of 2xx'}" + "".join(
            f"; {text(part.label)}: {code(value) if value else 'empty'}"
            for part, value in response.expected()
        )
    for source in handshake.sources:
        yield f"- Source: {linked(source)}"


def _delivery(provider: Provider) -> Iterator[str]:
    group = vectors(provider)["groups"][0]
    request = group["request"]
    body = request.get("body", "")
    short = body if len(body) <= _BODY_CHARACTERS else f"{body[:_BODY_CHARACTERS]}…"
    path = re.sub(r"^https?://[^/]+", "", request["url"])
    link = f'<a href="../../vectors/{provider.id}.json">its test vectors</a>'
    yield f"The event {code(group['event'])} as the provider sends it, signed with a throw-away secret. It is"
    yield f"the first of {link} ([their format](../../howto/test-vectors.md))."
    fence = "`" * 4
    yield from ("", f"{fence}text", f"{request['method']} {path}")
    yield from (f"{name}: {value}" for name, value in request["headers"])
    yield from ("", short, fence)


def vectors(provider: Provider) -> dict[str, Any]:
    """Return the published test vectors of a provider."""
    file = files("hook_widgets.webhooks") / "vectors" / f"{provider.id}.json"
    data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return data


def parts(provider: Provider) -> dict[str, str]:
    """Return the evidence for the parts of a provider's requests, in words."""
    words = provider.confidence
    return {
        "Signature": EVIDENCE[words.scheme],
        "Headers": EVIDENCE[words.headers],
        "Bodies": EVIDENCE[words.bodies],
    }


def _evidence(provider: Provider) -> Iterator[str]:
    words, facts = provider.confidence, provider.evidence
    yield f"{_SIGNATURE[words.scheme]} {len(provider.events)} events."
    yield ""
    yield from (f"- {part}: {evidence}" for part, evidence in parts(provider).items())
    for name, part in (("Headers", facts.headers), ("Fields of the bodies", facts.bodies)):
        yield from (f"- {name} as in a recorded delivery: {linked(source)}" for source in part.recorded)
        yield from (
            f"- {name} as the sender's source code writes them: {linked(source)}" for source in part.code
        )
    if facts.model is not None:
        misses = f", except {', '.join(map(code, facts.model.misses))}" if facts.model.misses else ""
        yield f"- Every body fits the types {code(facts.model.name)}{misses}"
    yield ""
    verifiers = verified_by(provider)
    if verifiers:
        yield from ("| verifier | accepted | rejected |", "|---|---|---|")
        for verifier, accepted, rejected in verifiers:
            own = "its own: " if verifier.own else ""
            yield f"| {own}{code(verifier.call.replace('|', chr(92) + '|'))} | {accepted} | {rejected} |"
        yield ""
    current = provider.current
    version = f"The default version today is {text(current.version)}. " if current.version else ""
    yield f"{version}Last read: {current.read or NOT_RECORDED}."
    yield ""
    for kind, gap in gaps(provider):
        meaning = KINDS[kind]
        yield f"- {meaning[0].upper()}{meaning[1:]}: {text(gap.reason)}."
    if provider.serializer is not None:
        yield from (f"- How it writes JSON: {linked(source)}" for source in provider.serializer.sources)
    sources = dict.fromkeys(source for scheme in provider.schemes for source in scheme.sources)
    yield from (f"- {linked(source)}" for source in dict.fromkeys((*provider.docs, *sources)))


def linked(source: str) -> str:
    """Return a source as Markdown, a link if it is an address alone."""
    if re.fullmatch(r"https://[^\s<>]+", source):
        return f"[{text(source.removeprefix('https://'))}](<{source}>)"
    return text(source)
