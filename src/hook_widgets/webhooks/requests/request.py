"""A webhook request before and after signing, and as received. Bodies are always bytes."""

from __future__ import annotations

import json
import os
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Protocol

from hook_widgets.errors import HookWidgetsError, InvalidArgument, InvalidSecret, UnreadableMessage
from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers, check_value
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, SigningJob
from hook_widgets.webhooks.requests.handshake import Handshake
from hook_widgets.webhooks.scheme import Encoding, HeaderValue, OlderHeader, Scheme, Sender, Signature
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.scheme.secret_form import naming_form


class Receivable(Protocol):
    """Anything with headers, body, URL and method, such as a `WebhookRequest`."""

    @property
    def method(self) -> str:
        """The HTTP method."""

    @property
    def url(self) -> str:
        """The full URL."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""

    @property
    def body(self) -> bytes:
        """The raw body."""


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A webhook request as received.

    Attributes:
        headers: the headers as received.
        body: the raw bytes, before any parser.
        url: the full URL that the sender called; needed only if the URL is signed.
        method: the HTTP method.
    """

    headers: Headers
    body: bytes
    url: str = ""
    method: str = "POST"

    def __repr__(self) -> str:
        # Header values, query and body are left out, as any of them may hold a token of the sender.
        names = ", ".join(name for name, _ in self.headers.multi_items())
        place = f"{self.method} {self.url.partition('?')[0]}".rstrip()
        return f"ReceivedRequest({place}, headers {names or 'none'}, {len(self.body):,} bytes)"


@dataclass(frozen=True, kw_only=True)
class WebhookRequest:
    """A signed webhook request, ready to send as it is.

    Attributes:
        method: the HTTP method.
        url: the full URL.
        headers: all headers except those that HTTP itself needs (Host, Content-Length).
        body: the body, byte for byte as signed.
        draft: the draft that was signed.
    """

    method: str
    url: str
    headers: Headers
    body: bytes
    draft: Draft | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        headers, body = self.headers, repr(self.body)
        if self.draft is not None and self.draft.reveals_secret:
            headers = Headers(
                (n, "••••" if self.draft.signs_header(n) else v) for n, v in headers.multi_items()
            )
            body = "••••" if self.draft.signed_inside else body
        return f"WebhookRequest({self.method} {self.url}, {headers}, {body})"

    def curl(self, *, secret_env: str | None = None) -> str:
        """Return a bash command that sends exactly this request.

        Args:
            secret_env: the name of an environment variable that holds the secret (or the PEM of the private
                key). The command then holds no signature: it computes one in the shell when it runs.

        Raises:
            InvalidArgument: `secret_env` is not a variable name, or this request has no draft.
        """
        if secret_env is None:
            from hook_widgets.webhooks import export

            return export.curl(self)
        if self.draft is None:
            raise InvalidArgument("only a request made by Draft.sign knows how to sign itself in the shell")
        return self.draft.curl(secret_env=secret_env)


@dataclass(frozen=True, slots=True)
class BodyPlaceholder:
    """A placeholder inside the body, filled in by a template.

    Attributes:
        template: the template of the value.
        escaped: True if the value is encoded as a form value.
        in_json: True if the value is inside the quotes of a JSON string.
    """

    template: Template
    escaped: bool = False
    in_json: bool = False

    def render(self, fields: Mapping[str, bytes | str]) -> bytes:
        """Return the value for these fields, with the escapes that its place requires."""
        return self.written(self.template.render(fields))

    def written(self, raw: bytes) -> bytes:
        """Encode a raw text for this place, with the escapes of JSON and of forms.

        Raises:
            UnreadableMessage: it is not UTF-8.
        """
        text = _text(raw, f"what {self.template.text!r} stands for in the body", "body")
        if self.in_json:
            text = json.dumps(text, ensure_ascii=False)[1:-1]
        return (forms.encode_text(text) if self.escaped else text).encode()


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A webhook request that lacks only its signatures, as returned by `Provider.draft`.

    Attributes:
        provider: id, title, key and schemes of the provider that sends it.
        scheme: the signature scheme.
        handshake: the handshake that it is, if any.
        event: the event's name.
        method: the HTTP method.
        url: the full URL, with the parameters that the scheme appends.
        at: the time it claims, with time zone.
        fixed_time: True if the caller set that time.
        parts: the provider's own fields, as given or generated, such as a delivery id.
        fields: every template field except the signatures.
        header_templates: name and value of each header, in sending order.
        own_headers: the lower-case names of the caller's own headers.
        payload: the body as given, before any field is filled in.
        body_segments: the body in pieces; one piece if it has no placeholders.
    """

    provider: Sender = field(repr=False)
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
    body_segments: tuple[bytes | BodyPlaceholder, ...] = field(repr=False)

    @property
    def reveals_secret(self) -> bool:
        """True if the request carries the secret itself (a plain token, Basic) instead of a signature."""
        return self.scheme.reveals_secret

    @property
    def signed_inside(self) -> bool:
        """True if the body carries a signature."""
        signatures = self.scheme.signature_names
        return any(
            isinstance(s, BodyPlaceholder) and s.template.names & signatures for s in self.body_segments
        )

    def jobs(self) -> tuple[SigningJob, ...]:
        """Return the jobs to sign, in the order in which `complete` takes the signatures.

        Raises:
            UnreadableMessage: the body lacks a value that is signed.
        """
        return self._jobs

    @cached_property
    def _jobs(self) -> tuple[SigningJob, ...]:
        spec = self.provider.key.spec
        return tuple(
            SigningJob(s.name, s.algorithm, spec, s.template.pieces(self.fields))
            for s in self.scheme.signatures
        )

    def complete(self, signatures: Sequence[bytes], *previous_signatures: Sequence[bytes]) -> WebhookRequest:
        """Return the request with these raw signatures, one for each job.

        Args:
            signatures: the signatures by the current secret.
            *previous_signatures: the signatures by previous secrets, as providers send them while a secret is
                rotated.

        Raises:
            InvalidArgument: the number of signatures is not the number of jobs, the scheme has no place for
                previous ones, or a header takes a value from the body that no header can carry.
            UnreadableMessage: the body lacks a value that is signed or sent.
            InvalidSecret: the secret itself goes into a header, and no header can carry it.
        """
        if previous_signatures and self.scheme.rotation is None:
            raise InvalidArgument(
                f"{self.provider.title} sends one signature only; sign with one secret at a time"
            )
        signed = [self._named(raw) for raw in (signatures, *previous_signatures)]
        return WebhookRequest(
            method=self.method,
            url=self.url,
            headers=self.render_headers(*signed),
            body=self.render_body(signed[0]),
            draft=self,
        )

    def sign(self, key: Secret | KeyPair, *previous_secrets: Secret | KeyPair) -> WebhookRequest:
        """Sign the request.

        Args:
            key: the current secret or key pair.
            *previous_secrets: the previous ones, while both are valid.

        Raises:
            InvalidSecret: a key is malformed or of the wrong kind for this provider.
            InvalidArgument: there are previous keys, and the provider never sends two signatures.
            UnreadableMessage: the body lacks a value that is signed or sent.
        """
        try:
            return self._signed(key, *previous_secrets)
        except HookWidgetsError as error:  # drop the frames whose variables hold a token
            raise error.with_traceback(None) from None

    def _signed(self, *keys: Secret | KeyPair) -> WebhookRequest:
        jobs = self.jobs()
        with naming_form(self.provider.key):
            signatures = [LocalSigner(key).sign(jobs) for key in keys]
        return self.complete(*signatures)

    def _named(self, signatures: Sequence[bytes]) -> dict[str, str]:
        expected = self.scheme.signatures
        if len(signatures) != len(expected):
            raise InvalidArgument(
                f"{len(expected)} signatures are needed, not {len(signatures)}; give one for each job"
            )
        return {s.name: self._encoded(s, raw) for s, raw in zip(expected, signatures, strict=True)}

    def _encoded(self, signature: Signature, raw: bytes) -> str:
        """Encode a signature, and check that a secret that is sent itself is valid at its place."""
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
        self, *, secret_env: str, compress: bool = False, body_file: str | os.PathLike[str] | None = None
    ) -> str:
        """Return a bash command that signs this request when it runs, and sends it.

        Args:
            secret_env: the name of the environment variable that holds the secret (or the private key's PEM).
            compress: True to compress the body, for a shorter but less readable command that needs gzip.
            body_file: a file that holds the `payload` where the command will run, for a short command with a
                body of any size. The command stops if the file is missing or holds other bytes. By default
                the command holds the payload.

        Raises:
            InvalidArgument: the name of the variable or file is invalid.
            UnsupportedScheme: the shell cannot sign this scheme.
        """
        from hook_widgets.webhooks import export

        return export.self_signing_curl(self, secret_env, compress=compress, body_file=body_file)

    def render_headers(self, signed: Mapping[str, str], *previous: Mapping[str, str]) -> Headers:
        """Return the headers with these signatures; `previous` ones as the scheme's rotation defines.

        Args:
            signed: the text of each signature, by its name, by the secret in force.
            *previous: the same by previous secrets.
        """
        values = with_texts(self.fields, signed)
        pairs: list[tuple[str, str]] = []
        for name, text in self._half_rendered:
            if isinstance(text, str):
                pairs.append((name, text))
                continue
            pairs.append((name, text.render(values).decode()))
            for n, others in enumerate(previous, 2):
                self._rotate(pairs, name, text, with_texts(self.fields, others), n)
        return Headers(tuple(pairs))

    def _rotate(
        self,
        pairs: list[tuple[str, str]],
        name: str,
        template: Template,
        values: Mapping[str, bytes | str],
        n: int,
    ) -> None:
        """Add the signature by a previous secret next to the last one."""
        rotation, spec = self.scheme.rotation, self.scheme.headers.get(name)
        if isinstance(rotation, OlderHeader):
            pairs.append((rotation.name(n), template.render(values).decode()))
        elif isinstance(spec, HeaderValue):
            signatures = self.scheme.signature_names
            more = [e.render(values).decode() for e in spec.elements if e.names & signatures]
            pairs[-1] = (name, spec.list.join([pairs[-1][1], *more]))

    @cached_property
    def _half_rendered(self) -> tuple[tuple[str, str | Template], ...]:
        """The headers with all fields except the signatures filled in."""
        signatures = self.scheme.signature_names
        signed = with_texts(self.fields, dict.fromkeys(signatures, "x"))
        pairs: list[tuple[str, str | Template]] = []
        for name, template in self.header_templates:
            text = _text(template.render(signed), f"the value of the header {name}", "headers")
            check_value(name, text)  # it may hold a value from the body, with line breaks
            pairs.append((name, template if template.names & signatures else text))
        return tuple(pairs)

    def render_body(self, signed: Mapping[str, str]) -> bytes:
        """Return the body with these signatures at the places that the scheme defines.

        Args:
            signed: the text of each signature, by its name.
        """
        return join_body(self.body_segments, with_texts(self.fields, signed))

    def signs_header(self, name: str) -> bool:
        """Return True if this header's value carries a signature.

        Args:
            name: the name of the header, in any case.
        """
        lower = name.lower()
        return any(
            key.lower() == lower and t.names & self.scheme.signature_names for key, t in self.header_templates
        )


def _text(raw: bytes, subject: str, field: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise UnreadableMessage(f"{subject} is not UTF-8; write it as text", field=field) from None


def with_texts(fields: Fields, texts: Mapping[str, str]) -> Mapping[str, bytes | str]:
    """Return a draft's fields with signature texts in front of them; the fields stay lazy."""
    return ChainMap(dict[str, bytes | str](texts), fields)


def join_body(segments: Sequence[bytes | BodyPlaceholder], fields: Mapping[str, bytes | str]) -> bytes:
    """Join the pieces of the body; a single piece is returned as it is, not copied."""
    return b"".join(s.render(fields) if isinstance(s, BodyPlaceholder) else s for s in segments)
