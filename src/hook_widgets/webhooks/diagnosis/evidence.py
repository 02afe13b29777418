"""A request parsed as far as possible: the fields it carries, and the base string that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from hook_widgets.errors import UnknownName, UnreadableMessage
from hook_widgets.webhooks.body.locators import is_text, scalars
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.diagnosis import signature_candidates
from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import JsonText
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.scheme import Scheme, Signature
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.verdict import Reason
from hook_widgets.webhooks.verification.parsing import Reading, read, request_fields
from hook_widgets.webhooks.verification.parsing.errors import ParseError
from hook_widgets.webhooks.verification.parsing.parsed_request import ParsedRequest
from hook_widgets.webhooks.verification.parsing.parser import legible
from hook_widgets.webhooks.verification.parsing.scheme_selection import choose_scheme

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider


class Change(NamedTuple):
    """Values that are assumed to have been different when the request was signed; None for unchanged ones.

    Attributes:
        causes: the causes that would explain the change.
        field: the name and the text of another signed field.
    """

    causes: tuple[CauseRef, ...] = ()
    body: bytes | None = None
    url: str | None = None
    timestamp: str | None = None
    method: str | None = None
    field: tuple[str, str] | None = None
    template: Template | None = None

    def with_each(self, others: Iterable[Change]) -> Iterator[Change]:
        """Yield this change combined with each of the others that changes other values."""
        for other in others:
            pairs: list[tuple[Any, Any]] = list(zip(self[1:], other[1:], strict=True))
            if not any(mine is not None and theirs is not None for mine, theirs in pairs):
                combined = (theirs if mine is None else mine for mine, theirs in pairs)
                yield Change(self.causes + other.causes, *combined)


_LONG = 1 << 12  # bytes; a second copy of a longer body is avoided


class BaseText(NamedTuple):
    """A base string, and the signatures that may belong to it.

    Attributes:
        pieces: the base string in pieces.
        presented: the signatures; None for those of the evidence.
    """

    pieces: tuple[bytes, ...]
    presented: tuple[bytes, ...] | None = None


class ReceivedEvidence:
    """A request as parsed by one scheme of a provider.

    Args:
        provider: the provider that is assumed to have sent it.
        request: the received request.
        scheme: one of the provider's schemes; the one that fits by default.
        parts: signed fields that no request carries.
    """

    def __init__(
        self,
        provider: Provider,
        request: ReceivedRequest,
        scheme: Scheme | None = None,
        parts: Mapping[str, str] | None = None,
    ) -> None:
        fitting = choose_scheme(provider, request)
        self.provider = provider
        self.parts: Mapping[str, str] = parts or {}
        # Text that a framework could not decode has no bytes, so it cannot have been signed.
        self.request: ReceivedRequest = replace(
            request,
            headers=legible(request.headers),
            url=request.url if is_text(request.url) else "",
            method=request.method if is_text(request.method) else "",
        )
        self.scheme: Scheme = scheme or fitting
        self.signature: Signature = self.scheme.signatures[0]
        self.reading: Reading | None = None
        self.problem: ParseError | None = None
        self._readings: dict[tuple[bytes, str], Reading | None] = {}
        self._last_body: tuple[bytes, Fields] | None = None
        if self.scheme is fitting:
            try:
                self.reading = read(provider, request, parts)
            except ParseError as problem:
                self.problem = problem

    @cached_property
    def needed(self) -> frozenset[str]:
        """The fields of the base string, with all fields that these are computed from."""
        return self.scheme.closure(self.signature.template.names)

    @cached_property
    def bound(self) -> bool:
        """True if body or URL carry the signature or signed fields, or if a token repeats them.

        A changed body or URL then has to be parsed again.
        """
        scheme = self.scheme
        jwt = any(spec.jwt is not None for spec in scheme.fields.values())
        return bool(scheme.body or scheme.form or scheme.query or jwt)

    @cached_property
    def reads_body(self) -> bool:
        """True if another body could make a difference."""
        if self.bound and self.reading is None:
            return True
        return "body" in self.needed and not self._is_body_proven

    @cached_property
    def _is_body_proven(self) -> bool:
        """True if a signed hash is that of the received body, so that no other body fits."""
        schemes, request = self.provider.schemes, self.request
        if not (self.bound and self.reading and request.body) or any(s.body or s.form for s in schemes):
            return False
        try:
            read(self.provider, replace(request, body=request.body + b" "), self.parts)
        except ParseError as problem:
            differs = problem.reason == Reason.BODY_HASH_DIFFERS
            return differs and self._read(replace(request, body=b"")) is None
        return False

    @cached_property
    def json_text(self) -> JsonText | None:
        """The JSON object or array in the body; None if there is none."""
        return JsonText.read(self.request.body)

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        """The texts in the request, by field."""
        try:
            return ParsedRequest(self.scheme, self.request.headers, self.request.body).values
        except ParseError:
            return {}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts at the signature's own place."""
        return tuple(self._values.get(self.signature.name, ()))

    @cached_property
    def candidates(self) -> tuple[signature_candidates.Candidate, ...]:
        """The texts that may be the signature."""
        return signature_candidates.candidates(self.scheme, self.signature, self.texts, self.request.headers)

    @cached_property
    def fields(self) -> Fields:
        """The known fields of the base string."""
        if self.reading is not None:
            return self.reading.fields
        fields = request_fields(self.provider, self.scheme, self.request, self.parts)
        for name, values in self._values.items():
            fields.set(name, values[0])
        return fields

    @cached_property
    def timestamp(self) -> str:
        """The timestamp as the request carries it; "" if there is none."""
        return self.fields.text("timestamp") if "timestamp" in self.fields else ""

    def base(self, change: Change) -> BaseText | None:
        """Return the base string after a change; None if it is unknown, or contradicts the request."""
        if self.bound and (change.body is not None or change.url is not None):
            return self._reparsed(change)
        if self._body_alone and change.body is not None and change.template is None:
            return BaseText((change.body,))
        fields = self.fields if change.body is None else self._with_body(change.body)
        return self._rendered(fields, change, ("url", "timestamp", "method"))

    @cached_property
    def _body_alone(self) -> bool:
        """True if the base string is the body, and so short that it is sent in one piece."""
        return self.signature.template.text == "{body}" and len(self.request.body) < _LONG

    def _with_body(self, body: bytes) -> Fields:
        """Return the fields with another body; the last are kept, as many changes have the same body."""
        last = self._last_body
        if last is None or last[0] is not body:
            self._last_body = last = body, self.fields.changed(body=body)
        return last[1]

    def _reparsed(self, change: Change) -> BaseText | None:
        body = self.request.body if change.body is None else change.body
        url = self.request.url if change.url is None else change.url
        if (body, url) not in self._readings:
            own = self._own_values
            same = own is not None and url == self.request.url and own == scalars(body, self.scheme.body)
            self._readings[body, url] = (
                self._with_same_values(body)
                if same
                else self._read(replace(self.request, body=body, url=url))
            )
        reading = self._readings[body, url]
        if reading is None:
            return None
        base = self._rendered(reading.fields, change, ("timestamp",))
        return base and base._replace(presented=reading.candidates)

    @cached_property
    def _own_values(self) -> list[tuple[bool, str]] | None:
        """The values of the received body that a reading depends on; None if it depends on more."""
        scheme = self.scheme
        more = len(self.provider.schemes) > 1 or scheme.json_in or scheme.form or scheme.query
        if more or not scheme.body or self.reading is None or scheme.absent.body:
            return None
        return scalars(self.request.body, scheme.body)

    def _with_same_values(self, body: bytes) -> Reading | None:
        """Return the reading of a body with the same values, which need not be looked for again."""
        if self.reading is None:
            return None
        fields = self.reading.fields.changed(body=body)
        try:
            self.scheme.signatures[0].template.pieces(fields)
        except (UnknownName, UnreadableMessage):
            return None
        return replace(self.reading, fields=fields)

    def _read(self, request: ReceivedRequest) -> Reading | None:
        try:
            reading = read(self.provider, request, self.parts)
        except ParseError:
            return None
        # Another body may select a scheme that does not cover the body: a match would prove nothing.
        return reading if reading.scheme is self.scheme or _depends_on_body(reading.scheme) else None

    def _rendered(self, fields: Fields, change: Change, axes: Iterable[str]) -> BaseText | None:
        """Return the base string of fields with these axes of a change, and its field and template."""
        known = {axis: value for axis in axes if (value := getattr(change, axis)) is not None}
        if change.field is not None:
            known[change.field[0]] = change.field[1]
        fields = fields.changed(**known) if known else fields
        try:
            pieces = (change.template or self.signature.template).pieces(fields)
        except (UnknownName, UnreadableMessage, KeyError, ValueError):
            return None
        body = self.request.body
        if len(body) >= _LONG:
            pieces = tuple(part for piece in pieces for part in _parts(piece, body))
        return BaseText(pieces)


def _depends_on_body(scheme: Scheme) -> bool:
    """Return True if a request of this scheme carries something that fits only its own body."""
    signed = scheme.closure(scheme.signatures[0].template.names)
    return "body" in signed or bool(scheme.body or scheme.form or scheme.query)


def _parts(piece: bytes, body: bytes) -> tuple[bytes, ...]:
    """Split a long piece so that the body in it is a separate part, which is sent to the browser once."""
    if len(piece) > len(body):
        if piece.startswith(body):
            return body, piece[len(body) :]
        if piece.endswith(body):
            return piece[: -len(body)], body
    return (piece,)
