"""A webhook request before and after signing, and as it was received. Bodies are bytes throughout."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidRequest, InvalidSecret
from hook_widgets.webhooks.headers import Headers, check_value
from hook_widgets.webhooks.keypair import KeyPair
from hook_widgets.webhooks.scheme import Encoding, HeaderValue, OlderHeader, Scheme, Signature
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.secret import Secret
from hook_widgets.webhooks.signing import LocalSigner, SigningJob
from hook_widgets.webhooks.text import forms
from hook_widgets.webhooks.text.template import Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.handshake import Handshake
    from hook_widgets.webhooks.provider import Provider


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as a receiver got it.

    Attributes:
        headers: as received.
        body: the raw bytes, before any parser saw them.
        url: the full URL the sender used; needed only where the URL is signed.
        method: the HTTP method.
    """

    headers: Headers
    body: bytes
    url: str = ""
    method: str = "POST"

    def __repr__(self) -> str:
        # Who sent it may have put a token into a header, the query or the body: which one is not known here.
        names = ", ".join(name for name, _ in self.headers.pairs)
        place = f"{self.method} {self.url.partition('?')[0]}".rstrip()
        return f"ReceivedRequest({place}, headers {names or 'none'}, {len(self.body):,} bytes)"


@dataclass(frozen=True)
class WebhookRequest:
    """A signed request, ready to send: these bytes are the message.

    Attributes:
        method: the HTTP method.
        url: the full URL.
        headers: all headers but the ones that HTTP itself needs (Host, Content-Length).
        body: the body, byte for byte as signed.
        draft: what it was signed from.
    """

    method: str
    url: str
    headers: Headers
    body: bytes
    draft: Draft | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        headers, body = self.headers, repr(self.body)
        if self.draft is not None and self.draft.reveals_secret:
            headers = Headers((n, "••••" if self.draft.signs_header(n) else v) for n, v in headers.pairs)
            body = "••••" if self.draft.signed_inside else body
        return f"WebhookRequest({self.method} {self.url}, {headers}, {body})"

    def curl(self, *, secret_env: str | None = None) -> str:
        """A bash command that sends exactly this request.

        Args:
            secret_env: name of an environment variable that holds the secret (or the PEM of the private
                key). The text then holds no signature: it computes one in the shell when it runs.

        Raises:
            InvalidRequest: `secret_env` is not a variable's name, or this request has no draft.
        """
        if secret_env is None:
            from hook_widgets.webhooks import snippets

            return snippets.curl(self)
        if self.draft is None:
            raise InvalidRequest("only a request made by Draft.sign knows how to sign itself in the shell")
        return self.draft.curl(secret_env=secret_env)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place inside the body that is filled in by a template.

    Attributes:
        template: what stands there.
        escaped: whether it is written as a form's value.
        in_json: whether it stands between the quotes of a JSON string.
    """

    template: Template
    escaped: bool = False
    in_json: bool = False

    def render(self, fields: Mapping[str, bytes | str]) -> bytes:
        """What stands there."""
        return self.written(self.template.render(fields))

    def written(self, raw: bytes) -> bytes:
        """A piece of text as it is written there, with the escapes of JSON and of forms.

        Raises:
            InvalidRequest: it is not UTF-8.
        """
        text = _text(raw, f"what {self.template.text!r} stands for in the body", "body")
        if self.in_json:
            text = json.dumps(text, ensure_ascii=False)[1:-1]
        return (forms.encode_text(text) if self.escaped else text).encode()


@dataclass(frozen=True)
class Draft:
    """A request that lacks only its signatures. Make one with `Provider.draft`.

    Attributes:
        provider: whose webhook it is.
        scheme: how it is signed.
        handshake: the handshake that it is, if any.
        event: the event's name.
        method: the HTTP method.
        url: the full URL, with the parameters the scheme appends.
        at: the time it claims, with time zone.
        fixed_time: whether the caller chose that time.
        parts: the fields that were given or made fresh, such as a delivery id.
        fields: every template field but the signatures.
        header_templates: name and value of each header, in sending order.
        own_headers: the lower-case names of the caller's own headers.
        payload: the body as it was given, before any field was put in.
        body_segments: the body in pieces; one piece where no field stands inside it.
    """

    provider: Provider = field(repr=False)
    scheme: Scheme = field(repr=False)
    handshake: Handshake | None = field(repr=False)
    event: str
    method: str
    url: str
    at: datetime
    fixed_time: bool
    parts: Mapping[str, str]
    fields: Fields = field(repr=False)
    header_templates: tuple[tuple[str, Template], ...] = field(repr=False)
    own_headers: frozenset[str] = field(repr=False)
    payload: bytes = field(repr=False)
    body_segments: tuple[bytes | Slot, ...] = field(repr=False)

    @property
    def reveals_secret(self) -> bool:
        """Whether the request carries the secret itself (a plain token, Basic) and not a signature by it."""
        return any(s.algorithm.reveals_secret for s in self.scheme.signatures)

    @property
    def signed_inside(self) -> bool:
        """Whether the body carries a signature."""
        waits = self.scheme.signature_names
        return any(isinstance(s, Slot) and s.template.names & waits for s in self.body_segments)

    def jobs(self) -> tuple[SigningJob, ...]:
        """What has to be signed, in the order `complete` wants the signatures."""
        return self._jobs

    @cached_property
    def _jobs(self) -> tuple[SigningJob, ...]:
        spec = self.provider.key.spec
        return tuple(
            SigningJob(s.name, s.algorithm, spec, s.template.pieces(self.fields))
            for s in self.scheme.signatures
        )

    def complete(self, signatures: Sequence[bytes], *older: Sequence[bytes]) -> WebhookRequest:
        """The request with these raw signatures in it, one for each job.

        Args:
            signatures: by the secret in force.
            *older: by older secrets, as a provider sends them while one is rolled.

        Raises:
            InvalidRequest: there are more or fewer signatures than jobs, or older ones have no place; or a
                header takes a value from the body that no header can carry.
            InvalidSecret: the secret itself goes into a header, and no header can carry it.
        """
        if older and self.scheme.rotation is None:
            raise InvalidRequest(
                f"{self.provider.title} sends one signature only; sign with one secret at a time"
            )
        signed = [self._named(raw) for raw in (signatures, *older)]
        return WebhookRequest(
            self.method, self.url, self.render_headers(*signed), self.render_body(signed[0]), draft=self
        )

    def sign(self, key: Secret | KeyPair, *older: Secret | KeyPair) -> WebhookRequest:
        """The signed request.

        Args:
            key: the secret or key pair in force.
            *older: those that it replaces, while both are valid.

        Raises:
            InvalidSecret: a key is malformed or of the wrong kind for this provider.
            InvalidRequest: there are older keys, and the provider never sends two signatures.
        """
        jobs = self.jobs()
        return self.complete(*(LocalSigner(k).sign(jobs) for k in (key, *older)))

    def _named(self, signatures: Sequence[bytes]) -> dict[str, str]:
        wanted = self.scheme.signatures
        if len(signatures) != len(wanted):
            raise InvalidRequest(f"{len(wanted)} signatures are needed, {len(signatures)} were given")
        return {s.name: self._written(s, raw) for s, raw in zip(wanted, signatures, strict=True)}

    def _written(self, signature: Signature, raw: bytes) -> str:
        """The signature's text; a secret that is sent as it is must be fit to stand there."""
        if signature.encoding is not Encoding.TEXT:
            return signature.encoding.write(raw)
        in_header = any(signature.name in template.names for _, template in self.header_templates)
        try:
            text = raw.decode("ascii" if in_header else "utf-8")
        except UnicodeDecodeError:
            text = "\n"
        if in_header and not (text.isprintable() and text == text.strip()):
            raise InvalidSecret(
                "the secret goes into a header as it is, and holds what no header can carry; a header takes "
                "printable ASCII without spaces at the ends"
            )
        return text

    def curl(
        self, *, secret_env: str, packed: bool = False, body_file: str | os.PathLike[str] | None = None
    ) -> str:
        """A bash command that signs this request itself when it runs, and sends it.

        Args:
            secret_env: name of the environment variable that holds the secret (or the private key's PEM).
            packed: whether the body stands in it compressed, where a short text matters more than one that
                can be read; it needs gzip then.
            body_file: a file that holds the `payload` where the command will run, so that a body of any
                size leaves the text short. The command stops when the file is not there or holds other
                bytes. The payload is in the text when this is not given.

        Raises:
            InvalidRequest: that is no variable's name or no file's, or the shell cannot sign this scheme.
        """
        from hook_widgets.webhooks import snippets

        return snippets.self_signing_curl(self, secret_env, packed=packed, body_file=body_file)

    def render_headers(self, signed: Mapping[str, str], *older: Mapping[str, str]) -> Headers:
        """The headers with these signature texts filled in; `older` ones where the scheme's rotation says.

        Args:
            signed: the text of each signature, by its name, by the secret in force.
            *older: the same by older secrets.
        """
        values = Overlay(self.fields, signed)
        pairs: list[tuple[str, str]] = []
        for name, text in self._half_rendered:
            if isinstance(text, str):
                pairs.append((name, text))
                continue
            pairs.append((name, text.render(values).decode()))
            for n, others in enumerate(older, 2):
                self._rotate(pairs, name, text, Overlay(self.fields, others), n)
        return Headers(tuple(pairs))

    def _rotate(
        self, pairs: list[tuple[str, str]], name: str, template: Template, values: Overlay, n: int
    ) -> None:
        """Add the signature by an older secret beside the one just written."""
        rotation, spec = self.scheme.rotation, self.scheme.headers.get(name)
        if isinstance(rotation, OlderHeader):
            pairs.append((rotation.name(n), template.render(values).decode()))
        elif isinstance(spec, HeaderValue):
            waits = self.scheme.signature_names
            more = [e.render(values).decode() for e in spec.elements if e.names & waits]
            pairs[-1] = (name, spec.list.join([pairs[-1][1], *more]))

    @cached_property
    def _half_rendered(self) -> tuple[tuple[str, str | Template], ...]:
        """The headers with all but the signatures filled in."""
        waits = self.scheme.signature_names
        signed = Overlay(self.fields, dict.fromkeys(waits, "x"))
        pairs: list[tuple[str, str | Template]] = []
        for name, template in self.header_templates:
            text = _text(template.render(signed), f"the value of the header {name}", "headers")
            check_value(name, text)  # it may hold a value out of the body, line breaks included
            pairs.append((name, template if template.names & waits else text))
        return tuple(pairs)

    def render_body(self, signed: Mapping[str, str]) -> bytes:
        """The body with these signature texts filled in where the scheme puts them inside.

        Args:
            signed: the text of each signature, by its name.
        """
        return join_body(self.body_segments, Overlay(self.fields, signed))

    def signs_header(self, name: str) -> bool:
        """Whether this header's value waits for a signature.

        Args:
            name: of the header, in any case.
        """
        wanted = name.lower()
        return any(
            key.lower() == wanted and t.names & self.scheme.signature_names
            for key, t in self.header_templates
        )


def _text(raw: bytes, what: str, field: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise InvalidRequest(f"{what} is not UTF-8; write it as text", field=field) from None


class Overlay(dict[str, "bytes | str"]):
    """Signature texts over the draft's fields, which stay lazy."""

    def __init__(self, base: Mapping[str, bytes | str], over: Mapping[str, str]) -> None:
        super().__init__(over)
        self._base = base

    def __missing__(self, name: str) -> bytes | str:
        return self._base[name]


def join_body(segments: Sequence[bytes | Slot], fields: Mapping[str, bytes | str]) -> bytes:
    """The body's pieces as one; a single piece is returned as it is, not copied."""
    return b"".join(s.render(fields) if isinstance(s, Slot) else s for s in segments)
