"""Export a request as a curl command, either signed or as a script that signs it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from hook_widgets.errors import InvalidArgument, UnsupportedScheme
from hook_widgets.webhooks.body.template import Field, Template
from hook_widgets.webhooks.export import bash_signer
from hook_widgets.webhooks.export.shell import File, Piece, Variable, group, quote, word, write
from hook_widgets.webhooks.requests.request import BodyPlaceholder, Draft, WebhookRequest
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Encoding

# Headers that curl adds by default; each is removed unless the request has it.
_CURL_DEFAULTS: Final = ("User-Agent", "Accept", "Content-Type", "Expect")


def curl(request: WebhookRequest, *, compress: bool = False, file: File | None = None) -> str:
    """Return a command for bash or zsh that sends exactly this request.

    The body is piped to curl from the builtin ``printf``, so that its size has no limit. curl must use
    HTTP/1.1, because HTTP/2 sends header names in lower case.

    Args:
        request: the request to send.
        compress: if true, the body is compressed in the command, which then requires gzip.
        file: a file that holds the body where the command runs.
    """
    headers = [(name, [value.encode()]) for name, value in request.headers.multi_items()]
    body = write([request.body], compress=compress, file=file)
    return _piped(body, request, headers, empty=not request.body) + "\n"


def self_signing_curl(
    draft: Draft,
    secret_env: str,
    *,
    compress: bool = False,
    body_file: str | os.PathLike[str] | None = None,
) -> str:
    """Return a command that signs when it runs, with the key in an environment variable.

    The command contains no secret, and the key is never a command-line argument, so that it does not appear
    in the process list. The timestamp is the time of the run, unless the draft was created with ``at=``;
    every other field is that of the draft. The command requires bash, curl, and OpenSSL or LibreSSL (OpenSSL
    3 for Ed25519). A handshake without a signature needs no key, so the result is that of `curl`.

    Args:
        draft: the draft to sign and send.
        secret_env: the name of the variable, which holds the secret or the private key as PEM text.
        compress: if true, the body is compressed in the command, which then requires gzip.
        body_file: a file that holds the draft's payload where the command runs. The command rejects other
            content, because headers may depend on the payload and a signature inside it has a fixed position.

    Raises:
        InvalidArgument: `secret_env` is not a valid variable name, or `body_file` not a valid file name.
        UnsupportedScheme: the request cannot be signed in the shell.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", secret_env):
        raise InvalidArgument(
            "secret_env= is not the name of an environment variable (not shown, because it could be the "
            "secret itself); use letters, digits and _, such as WEBHOOK_SECRET"
        )
    file = None if body_file is None else _file(body_file, draft.payload)
    draft.render_headers(dict.fromkeys(draft.scheme.signature_names, ""))  # raises if a header is invalid
    if not draft.scheme.signatures:
        return curl(draft.complete(()), compress=compress, file=file)
    key, signatures = draft.provider.key, draft.scheme.signatures
    pieces = _Pieces(draft, compress=compress, file=file)
    spec = None if isinstance(key, AsymmetricKeySpec) else key.spec
    lines = bash_signer.preamble(secret_env, spec, {signature.algorithm for signature in signatures})
    lines += [] if file is None else bash_signer.check_file(file)
    write_body = pieces.write(pieces.of_body())
    lines.append(f"body() {write_body if write_body.startswith('{ ') else f'{{ {write_body}; }}'}")
    if pieces.clock_unit:
        lines.append(f"timestamp={bash_signer.CLOCKS[pieces.clock_unit]}")
    for signature in signatures:
        message = pieces.message(signature.template)
        lines.append(bash_signer.assign(signature.name, message, signature.algorithm, signature.encoding))
    headers = [(name, list(pieces.of(template))) for name, template in draft.header_templates]
    tokens = {s.name for s in signatures if s.algorithm.reveals_secret}
    lines.append(_piped("body", draft, headers, tokens, empty=not any(draft.body_segments)))
    return bash_signer.script(lines)


class _Pieces:
    """Convert the templates of a draft to known bytes and shell variables.

    Attributes:
        clock_unit: the unit of the timestamp that the shell generates; None if the draft's own is used.
    """

    def __init__(self, draft: Draft, *, compress: bool, file: File | None) -> None:
        self._draft = draft
        self.write = partial(write, compress=compress, file=file)
        # A timestamp in the URL was written when the draft was created, so the same one is used everywhere.
        is_fixed = any("timestamp" in Template(text).names for text in draft.scheme.query.values())
        # The same applies if other fields, such as a token, are computed from the timestamp. Timestamps in
        # another unit count only if they are signed.
        signed = draft.scheme.closure(n for s in draft.scheme.signatures for n in s.template.names)
        computed = draft.scheme.closure(
            name for name, spec in draft.scheme.fields.items() if spec.time is None or name in signed
        )
        in_body = any("timestamp" in t.names for t in draft.scheme.body_templates.values())
        is_fixed |= "timestamp" in computed or (in_body and "unsigned_body" in computed)
        self.clock_unit = None if draft.fixed_time or is_fixed else draft.scheme.timestamp
        self._variables = draft.scheme.signature_names | ({"timestamp"} if self.clock_unit else set())

    def of(self, template: Template) -> Iterator[Piece]:
        """Yield the pieces of a header or of a part of the body."""
        for segment in template.segments:
            yield self._field(segment.name) if isinstance(segment, Field) else segment.encode()

    def of_body(self) -> list[Piece]:
        """Return the pieces of the body."""
        pieces: list[Piece] = []
        for segment in self._draft.body_segments:
            pieces.extend([segment] if isinstance(segment, bytes) else self._slot(segment))
        return pieces

    def _slot(self, slot: BodyPlaceholder) -> Iterator[Piece]:
        for piece in self.of(slot.template):
            if isinstance(piece, bytes):
                yield slot.written(piece)
            elif slot.escaped and any(s.encoding is not Encoding.HEX for s in self._draft.scheme.signatures):
                raise UnsupportedScheme(
                    "this request cannot sign itself in the shell, because its signature would have to be "
                    "percent-encoded there; use curl() without secret_env"
                )
            else:
                yield piece

    def message(self, template: Template) -> str:
        """Return a command that writes a base string."""
        commands, pending = [], list[Piece]()
        for segment in template.segments:
            if segment == Field("body"):
                commands += [self.write(pending)] if pending else []
                commands.append("body")
                pending = []
            else:
                pending.append(self._field(segment.name) if isinstance(segment, Field) else segment.encode())
        return group([*commands, *([self.write(pending)] if pending else [])])

    def _field(self, name: str) -> Piece:
        if name in self._variables:
            return Variable(name)
        if "body" in self._draft.scheme.closure([name]) and any(
            isinstance(p, Variable) for p in self.of_body()
        ):
            raise UnsupportedScheme(
                f"this request cannot sign itself in the shell, because its {{{name}}} changes with the "
                "signature inside the body; use curl() without secret_env"
            )
        value = self._draft.fields[name]
        return value.encode() if isinstance(value, str) else value


def _file(name: str | os.PathLike[str], data: bytes) -> File:
    text: object = os.fspath(name)
    if isinstance(text, str) and re.fullmatch(r"[^\0\ud800-\udfff]+", text):
        return File(text, data)
    raise InvalidArgument(f"body_file={name!r} is not the name of a file; write one such as 'payload.json'")


def _piped(
    body: str,
    request: WebhookRequest | Draft,
    headers: Sequence[tuple[str, Iterable[Piece]]],
    tokens: Collection[str] = (),
    *,
    empty: bool,
) -> str:
    """Return the curl command, which reads the body from a pipe.

    A header with one of the `tokens`, the variables that hold a secret, is piped too, because the process
    list shows arguments.
    """
    method, url = request.method, request.url
    # With `--request HEAD`, curl would wait for a body of the response's Content-Length.
    head = method == "HEAD" and empty
    option = "--head" if head else f"--request {method if method.isalpha() else quote(method)}"
    lines = [f"curl --include --http1.1 --globoff --path-as-is {option}", f"--url {quote(url)}"]
    for name, value in headers:
        pieces = list(value)
        # For curl "Name:" removes a header, and "Name;" sends it without a value.
        line = [f"{name}: ".encode(), *pieces] if any(pieces) else [f"{name};".encode()]
        secret = any(isinstance(piece, Variable) and piece.name in tokens for piece in pieces)
        lines.append(f"--header {f'@<({write(line)})' if secret else word(line)}")
    names = {name.lower() for name, _ in headers}
    lines += [f"--header {quote(name + ':')}" for name in _CURL_DEFAULTS if name.lower() not in names]
    if head:
        return " \\\n  ".join([*lines, "--header 'Content-Length: 0'"])
    return f"{body} |\n" + " \\\n  ".join([*lines, "--data-binary @-"])
