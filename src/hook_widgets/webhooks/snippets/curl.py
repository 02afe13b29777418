"""A request as a curl command: with its signature in it, or as a script that signs it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.scheme import Encoding, PairKey
from hook_widgets.webhooks.snippets import bash
from hook_widgets.webhooks.snippets.shell import File, Piece, Variable, group, quote, word, write
from hook_widgets.webhooks.text.template import Field, Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.request import Draft, Slot, WebhookRequest

# What curl adds of its own accord; each is taken out unless the request has it.
_CURLS_OWN: Final = ("User-Agent", "Accept", "Content-Type", "Expect")


def curl(request: WebhookRequest, *, packed: bool = False, file: File | None = None) -> str:
    """A command for bash or zsh that sends exactly this request.

    The body reaches curl through the builtin ``printf``, so that its size has no limit. curl is held to
    HTTP/1.1, because HTTP/2 writes every header name in lower case.

    Args:
        request: what to send.
        packed: whether the body stands in it compressed; it needs gzip then.
        file: holds the body where the command runs.
    """
    headers = [(name, [value.encode()]) for name, value in request.headers.pairs]
    body = write([request.body], packed=packed, file=file)
    return _piped(body, request, headers, empty=not request.body) + "\n"


def self_signing_curl(
    draft: Draft,
    secret_env: str,
    *,
    packed: bool = False,
    body_file: str | os.PathLike[str] | None = None,
) -> str:
    """A command that signs in the shell when it runs, with the key in an environment variable.

    The text holds no secret, and the key is on no command line, so that no process list shows it. The
    timestamp is made when the text runs, unless the draft was made with ``at=``; every other field is as
    the draft has it. It needs bash, curl, and OpenSSL or LibreSSL (OpenSSL 3 for Ed25519). A handshake
    without a signature needs no key, and gives the text of `curl`.

    Args:
        draft: what to sign and send.
        secret_env: the variable's name. It holds the secret, or the private key as PEM text.
        packed: whether the body stands in it compressed; it needs gzip then.
        body_file: holds the draft's payload where the text runs. Other bytes are refused there, because
            headers may tell of the payload and a signature inside it has its place.

    Raises:
        InvalidRequest: `secret_env` is no name for a variable, `body_file` is no name for a file, or the
            request cannot sign itself.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", secret_env):
        raise InvalidRequest(
            "secret_env= is no name for an environment variable. It is not shown: it could be the secret "
            "itself. Use letters, digits and _, such as WEBHOOK_SECRET"
        )
    file = None if body_file is None else _file(body_file, draft.payload)
    draft.render_headers(dict.fromkeys(draft.scheme.signature_names, ""))  # refuses what no header can carry
    if not draft.scheme.signatures:
        return curl(draft.complete(()), packed=packed, file=file)
    key, signatures = draft.provider.key, draft.scheme.signatures
    pieces = _Pieces(draft, packed=packed, file=file)
    spec = None if isinstance(key, PairKey) else key.spec
    lines = bash.preamble(secret_env, spec, {signature.algorithm for signature in signatures})
    lines += [] if file is None else bash.checked(file)
    written = pieces.write(pieces.of_body())
    lines.append(f"body() {written if written.startswith('{ ') else f'{{ {written}; }}'}")
    if pieces.fresh:
        lines.append(f"timestamp={bash.CLOCKS[pieces.fresh]}")
    for signature in signatures:
        message = pieces.message(signature.template)
        lines.append(bash.assign(signature.name, message, signature.algorithm, signature.encoding))
    headers = [(name, list(pieces.of(template))) for name, template in draft.header_templates]
    tokens = {s.name for s in signatures if s.algorithm.reveals_secret}
    lines.append(_piped("body", draft, headers, tokens, empty=not any(draft.body_segments)))
    return bash.script(lines)


class _Pieces:
    """A draft's templates as bytes that are known now and variables that the shell fills in."""

    def __init__(self, draft: Draft, *, packed: bool, file: File | None) -> None:
        self._draft = draft
        self.write = partial(write, packed=packed, file=file)
        # A timestamp that is part of the URL was written with the draft, and so stays the same everywhere.
        in_url = any("timestamp" in Template(text).names for text in draft.scheme.query.values())
        # So was one that other fields are worked out from, such as a token. Of times in another unit only
        # those matter that are signed.
        signed = draft.scheme.closure(n for s in draft.scheme.signatures for n in s.template.names)
        derived = draft.scheme.closure(
            name for name, spec in draft.scheme.fields.items() if spec.time is None or name in signed
        )
        in_body = any("timestamp" in t.names for t in draft.scheme.body_templates.values())
        in_url |= "timestamp" in derived or (in_body and "unsigned_body" in derived)
        self.fresh = None if draft.fixed_time or in_url else draft.scheme.timestamp
        self._variables = draft.scheme.signature_names | ({"timestamp"} if self.fresh else set())

    def of(self, template: Template) -> Iterator[Piece]:
        """The pieces of a header or of a part of the body."""
        for segment in template.segments:
            yield self._field(segment.name) if isinstance(segment, Field) else segment.encode()

    def of_body(self) -> list[Piece]:
        """The pieces of the body."""
        found: list[Piece] = []
        for segment in self._draft.body_segments:
            found.extend([segment] if isinstance(segment, bytes) else self._slot(segment))
        return found

    def _slot(self, slot: Slot) -> Iterator[Piece]:
        for piece in self.of(slot.template):
            if isinstance(piece, bytes):
                yield slot.written(piece)
            elif slot.escaped and any(s.encoding is not Encoding.HEX for s in self._draft.scheme.signatures):
                raise InvalidRequest(
                    "this request cannot sign itself in the shell, because its signature would have to be "
                    "percent-encoded there; use curl() without secret_env"
                )
            else:
                yield piece

    def message(self, template: Template) -> str:
        """A command that writes a base string."""
        commands, before = [], list[Piece]()
        for segment in template.segments:
            if segment == Field("body"):
                commands += [self.write(before)] if before else []
                commands.append("body")
                before = []
            else:
                before.append(self._field(segment.name) if isinstance(segment, Field) else segment.encode())
        return group([*commands, *([self.write(before)] if before else [])])

    def _field(self, name: str) -> Piece:
        if name in self._variables:
            return Variable(name)
        if "body" in self._draft.scheme.closure([name]) and any(
            isinstance(p, Variable) for p in self.of_body()
        ):
            raise InvalidRequest(
                f"this request cannot sign itself in the shell, because its {{{name}}} changes with the "
                "signature inside the body; use curl() without secret_env"
            )
        value = self._draft.fields[name]
        return value.encode() if isinstance(value, str) else value


def _file(name: str | os.PathLike[str], data: bytes) -> File:
    text: object = os.fspath(name)
    if isinstance(text, str) and re.fullmatch(r"[^\0\ud800-\udfff]+", text):
        return File(text, data)
    raise InvalidRequest(f"body_file={name!r} is no name for a file; write one such as 'payload.json'")


def _piped(
    body: str,
    request: WebhookRequest | Draft,
    headers: Sequence[tuple[str, Iterable[Piece]]],
    tokens: Collection[str] = (),
    *,
    empty: bool,
) -> str:
    """The command, with the body from a pipe.

    Args:
        body: a command that writes the body.
        request: its method and URL.
        headers: name and pieces of each header.
        tokens: the variables with a secret in them: a header that has one comes from a pipe too, because a
            process list shows arguments.
        empty: whether the body is.
    """
    method, url = request.method, request.url
    # Told to send HEAD as it sends POST, curl would wait for the body that the answer's length promises.
    bare = method == "HEAD" and empty
    verb = "--head" if bare else f"--request {method if method.isalpha() else quote(method)}"
    lines = [f"curl --include --http1.1 --globoff --path-as-is {verb}", f"--url {quote(url)}"]
    for name, value in headers:
        pieces = list(value)
        # curl takes "Name:" as a wish to send no such header, and "Name;" as a header without a value.
        line = [f"{name}: ".encode(), *pieces] if any(pieces) else [f"{name};".encode()]
        secret = any(isinstance(piece, Variable) and piece.name in tokens for piece in pieces)
        lines.append(f"--header {f'@<({write(line)})' if secret else word(line)}")
    given = {name.lower() for name, _ in headers}
    lines += [f"--header {quote(name + ':')}" for name in _CURLS_OWN if name.lower() not in given]
    if bare:
        return " \\\n  ".join([*lines, "--header 'Content-Length: 0'"])
    return f"{body} |\n" + " \\\n  ".join([*lines, "--data-binary @-"])
