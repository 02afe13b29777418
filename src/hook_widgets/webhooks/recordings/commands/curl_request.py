"""Build the request that curl sends for its options."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.headers import Headers, is_token
from hook_widgets.webhooks.recordings.commands import curl_options as options
from hook_widgets.webhooks.recordings.commands.sent_request import FORM, basic, with_query
from hook_widgets.webhooks.recordings.commands.shell_words import Word
from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS, RecordedRequest

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_GLOB_MARK: Final = re.compile(r"[\[\]{}]")
_GLOB: Final = re.compile(r"\{[^{}]*\}|\[[A-Za-z0-9]+-[A-Za-z0-9]+(:\d+)?\]")
_INVALID_URL: Final = "the URL of the command is not valid; copy the whole command"
_ORDER: Final = ("Host", "Authorization", "Range", "User-Agent", "Accept", "Referer", "Cookie")


class CurlRequest:
    """The request of one command.

    Args:
        stdin: the standard input of the command; None if unknown.
        notes: sentences about the command.
    """

    def __init__(self, stdin: Word | None, notes: Iterable[str] = ()) -> None:
        self._stdin = stdin
        self._urls: list[str] = []
        self._data: list[bytes | None] = []  # None: not in the command
        self._query: list[bytes] = []
        self._headers: list[str] = []
        self._own: dict[str, str] = {}
        self._cookies: list[str] = []
        self._method = ""
        self._flags: set[str] = set()
        self._json = False
        self._upload = ""
        self._basic = ""
        self._negotiates = False
        self._notes: dict[str, None] = dict.fromkeys(notes)

    def take(self, name: str, value: Word) -> None:
        """Apply one option, or a flag with an empty value.

        Raises:
            InvalidArgument: the request cannot be known with it.
        """
        if value.variables:
            names = ", ".join(value.variables)
            self._note(f"--{name} contains {names} of the shell, whose value is not in the command")
        match name:
            case "url":
                self._urls.append(value.text)
            case "request":
                self._method = value.text
            case "header":
                self._header(value)
            case "cookie":
                self._cookie(value.text)
            case "data" | "data-ascii" | "data-binary" | "data-raw" | "json":
                self._json |= name == "json"
                joined = b"" if name == "json" or not self._data else b"&"
                self._append(joined, self._content(name, value))
            case "data-urlencode":
                self._append(b"&" if self._data else b"", self._encoded(value.data))
            case "url-query":
                self._url_query(value.data)
            case "upload-file":
                self._upload = value.text
                self._data.append(
                    self._standard_input() if value.data in (b"-", b".") else self._in_file(value)
                )
            case "user":
                self._basic = basic(value.data if b":" in value.data else value.data + b":")
                if b":" not in value.data:
                    self._note("curl asks for the password of --user, which is not in the command")
            case "oauth2-bearer":
                self._own["Authorization"] = f"Bearer {value.text}"
            case "range":
                self._own["Range"] = f"bytes={value.text}{'' if '-' in value.text else '-'}"
            case "user-agent" | "referer":
                self._own[name.title()] = value.text.removesuffix(";auto")
            case _ if name in options.UNKNOWN_HEADERS:
                self._negotiates |= options.UNKNOWN_HEADERS[name] == "Authorization" and "netrc" not in name
                self._note(f"curl adds {options.UNKNOWN_HEADERS[name]} by itself (--{name})")
            case _:
                self._flags.add(name)

    def finish(self) -> RecordedRequest:
        """Return the request.

        Raises:
            InvalidArgument: the command has no URL or several, or curl would reject it.
        """
        if len(self._urls) != 1:
            problem = "has no URL" if not self._urls else "sends several requests"
            raise InvalidArgument(f"the command {problem}; paste a command with one URL", field="url")
        url = self._url(self._urls[0])
        data = self._data
        as_query = "get" in self._flags
        if as_query:
            known = [piece for piece in data if piece is not None]
            url, data = with_query(url, b"".join(known).decode("utf-8", "replace")), []
        body: bytes | None = b""
        if data:
            body = None if None in data else b"".join(piece for piece in data if piece is not None)
        return RecordedRequest(
            method=self._verb(has_body=bool(data)),
            url=url,
            headers=Headers(self._all_headers(url, body, has_body=bool(data) and not self._upload)),
            body=body,
            notes=tuple(self._notes),
        )

    def _note(self, text: str) -> None:
        self._notes[text] = None

    def _append(self, joined: bytes, content: bytes | None) -> None:
        self._data.append(None if content is None else joined + content)

    def _content(self, name: str, value: Word) -> bytes | None:
        if name == "data-raw" or not value.data.startswith(b"@"):
            return value.data
        if value.data not in (b"@-", b"@/dev/stdin"):
            return self._in_file(Word(value.data[1:]))
        content = self._standard_input()
        if content is not None and name in ("data", "data-ascii"):
            return content.translate(None, b"\r\n\0")  # as curl does with a file
        return content

    def _in_file(self, name: Word) -> bytes | None:
        self._note(f"the body is in the file {name.text[:80]!r}, which is not in the command")
        return None

    def _standard_input(self) -> bytes | None:
        if self._stdin is None:
            self._note("the body comes from another program, and is not in the command")
            return None
        if self._stdin.variables:
            self._note(
                f"the body contains {', '.join(self._stdin.variables)} of the shell, whose value is unknown"
            )
        return self._stdin.data

    def _encoded(self, data: bytes) -> bytes | None:
        """Encode a value of --data-urlencode: ``content``, ``=content``, ``name=content``, ``@file``."""
        at = re.search(rb"[=@]", data)
        name, content = (data[: at.start()], data[at.end() :]) if at else (b"", data)
        if at and at[0] == b"@":
            self._in_file(Word(content))
            return None
        if b" " in content:
            self._note("curl writes a space as + or as %20, depending on its version; read as +")
        encoded = quote(content, safe="-._~").replace("%20", "+").encode()
        return name + b"=" + encoded if name else encoded

    def _url_query(self, data: bytes) -> None:
        encoded = data[1:] if data.startswith(b"+") else self._encoded(data)
        if encoded is None:
            raise InvalidArgument(
                "the query of the URL is in a file, which is not in the command", field="url"
            )
        self._query.append(encoded)

    def _header(self, value: Word) -> None:
        if value.data.startswith(b"@"):
            self._note(f"headers are in the file {value.text[1:81]!r}, which is not in the command")
        elif len(self._headers) < MAX_HEADERS:
            self._headers.append(value.text)
        else:
            raise InvalidArgument(f"the command has more than {MAX_HEADERS:,} headers", field="headers")

    def _cookie(self, text: str) -> None:
        if "=" in text:
            self._cookies.append(text)
        else:
            self._note(f"cookies are in the file {text[:80]!r}, which is not in the command")

    def _verb(self, *, has_body: bool) -> str:
        if self._method:
            if not is_token(self._method):
                raise InvalidArgument(
                    f"{self._method[:40]!r} is no method; check the command", field="headers"
                )
            return self._method
        if "head" in self._flags:
            return "HEAD"
        if self._upload:
            return "PUT"
        return "POST" if has_body else "GET"

    def _url(self, text: str) -> str:
        """Return the URL as it is sent: with scheme and path, without user and fragment."""
        url = text if _SCHEME.match(text) else f"http://{text}"
        marks = url.partition("://")[2].partition("]:")[2] or url  # not the brackets of an IPv6 address
        if "globoff" not in self._flags and _GLOB_MARK.search(marks) and _GLOB.search(url):
            raise InvalidArgument(
                "curl sends several requests for the braces or brackets in the URL; paste the URL that "
                "was sent",
                field="url",
            )
        url = url.partition("#")[0]
        try:
            parts = urlsplit(url)
            userinfo, at, host = parts.netloc.rpartition("@")
        except ValueError:
            raise InvalidArgument(_INVALID_URL, field="url") from None
        if not host:
            raise InvalidArgument(_INVALID_URL, field="url")
        if at and not self._basic:
            user, _, password = userinfo.partition(":")
            self._basic = basic(unquote_to_bytes(user) + b":" + unquote_to_bytes(password))
        if self._basic and not self._negotiates:
            self._own.setdefault("Authorization", self._basic)
        if not parts.path.isascii() or not parts.query.isascii() or " " in url:
            self._note("the URL contains characters that curl may encode")
        if "path-as-is" not in self._flags and re.search(r"/\.{1,2}(/|$)", parts.path):
            self._note("curl removes /./ and /../ from the path")
        rest = url[url.index("://") + 3 + len(parts.netloc) :]
        if not rest.startswith("/"):
            rest = "/" + rest
        path, mark, query = rest.partition("?")
        if path.endswith("/") and self._upload not in ("", "-", "."):
            path += quote(re.split(r"[/\\]", self._upload)[-1], safe="-._~")
        url = f"{parts.scheme}://{host}{path}{mark}{query}"
        return with_query(url, b"&".join(self._query).decode("utf-8", "replace"))

    def _all_headers(self, url: str, body: bytes | None, *, has_body: bool) -> list[tuple[str, str]]:
        defaults = {"Host": urlsplit(url).netloc, "Accept": "*/*", **self._own}
        if self._cookies:
            defaults["Cookie"] = ";".join(self._cookies)
        after: dict[str, str] = {}
        if body is not None and (has_body or self._upload):
            after["Content-Length"] = str(len(body))
        if has_body and not self._json:
            after["Content-Type"] = FORM
        own = [_parsed(line) for line in self._headers]
        names = {name.lower() for name, _ in own if name}
        if self._json:
            own += [(n, "application/json") for n in ("Content-Type", "Accept") if n.lower() not in names]
            names |= {"content-type", "accept"}
        if self._upload and "expect" not in names:
            self._note("curl may add Expect, depending on its version")
        if "transfer-encoding" in names:
            names.add("content-length")
        if "user-agent" not in names and "User-Agent" not in self._own:
            self._note("curl adds User-Agent with its version, which is not in the command")
        first = [(name, defaults[name]) for name in _ORDER if name in defaults and name.lower() not in names]
        if "host" in names:
            first = [("Host", value) for name, value in own if name.lower() == "host" and value] + first
        middle = [
            (name, value) for name, value in own if name and value is not None and name.lower() != "host"
        ]
        last = [(name, value) for name, value in after.items() if name.lower() not in names]
        return [*first, *middle, *last]


def _parsed(line: str) -> tuple[str, str | None]:
    """Split a value of --header; the value is None for a header that curl is told to leave out."""
    name, colon, value = line.partition(":")
    if colon and is_token(name.strip()):
        return name.strip(), value.strip() or None
    name, semicolon, rest = line.partition(";")
    if semicolon and not rest.strip() and is_token(name.strip()):
        return name.strip(), ""
    return "", None  # curl ignores it
