"""Read commands of HTTPie and wget for bash.

Sources of the rules: the manuals of HTTPie 3.2 and GNU Wget 1.21. The tests have what both programs sent.
"""

from __future__ import annotations

import json
import mimetypes
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.recordings.commands.curl_command import program_at, stdin_of
from hook_widgets.webhooks.recordings.commands.curl_options import option_names
from hook_widgets.webhooks.recordings.commands.sent_request import FORM, basic, sent_request, with_query
from hook_widgets.webhooks.recordings.commands.shell_words import Word, commands
from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS, RecordedRequest

_HTTPIE: Final = ("http", "https", "xh", "xhs")
_ITEM: Final = re.compile(r"(?<!\\)(?::=@|==@|=@|:@|==|:=|=|:|@|;)")
_ESCAPED: Final = re.compile(r"\\([:=@;])")
_HTTPIE_VALUES: Final = option_names(
    """
    raw auth auth-type print history-print pretty style output session session-read-only proxy verify
    ssl cert cert-key ciphers timeout max-redirects max-headers boundary format-options response-charset
    response-mime default-scheme a A p P s o
    """
)
_WGET_VALUES: Final = option_names(
    """
    header post-data body-data post-file body-file method user-agent referer user password http-user
    http-password output-document output-file append-output tries timeout wait waitretry load-cookies
    save-cookies ca-certificate ca-directory certificate private-key secure-protocol directory-prefix
    dns-timeout connect-timeout read-timeout limit-rate quota bind-address compression max-redirect
    execute base U O o a t T w P e B Q
    """
)


def read_program(text: str) -> RecordedRequest:
    """Read the command of HTTPie or wget in a bash script.

    Raises:
        InvalidArgument: there is no such command, or its request cannot be known.
    """
    script = commands(text)
    places = [i for i, command in enumerate(script) if program_at(command, (*_HTTPIE, "wget")) >= 0]
    if len(places) != 1:
        problem = "several commands" if places else "no command of HTTPie or wget"
        raise InvalidArgument(f"there is {problem} in this text; paste one command", field="headers")
    command, before = script[places[0]], script[places[0] - 1] if places[0] else None
    at = program_at(command, (*_HTTPIE, "wget"))
    words = command.words[at:]
    notes = [*command.notes] + [
        f"the command contains {', '.join(word.variables)} of the shell, whose value is not in it"
        for word in words
        if word.variables
    ]
    if len(words) > MAX_HEADERS:
        raise InvalidArgument(f"the command has more than {MAX_HEADERS:,} words", field="headers")
    name = words[0].text.rpartition("/")[2]
    stdin = stdin_of(command, before)
    elsewhere = stdin is None and (command.input_file or (before is not None and before.piped))
    if name == "wget":
        return _wget(words[1:], notes)
    return _httpie(
        words[1:], "https" if name in ("https", "xhs") else "http", stdin, notes, elsewhere=elsewhere
    )


def _options(words: Sequence[Word], valued: frozenset[str]) -> Iterator[tuple[str, Word]]:
    """Yield options with their values, and the other words with an empty name."""
    rest = iter(words)
    for word in rest:
        text = word.text
        if not text.startswith("-") or text == "-":
            yield "", word
        elif text.startswith("--"):
            name, equals, value = text[2:].partition("=")
            if equals:
                yield name, Word(encoded(value))
            else:
                yield name, next(rest, Word()) if name in valued else Word()
        else:
            for k, letter in enumerate(text[1:100], 1):
                if letter in valued:
                    yield letter, Word(text[k + 1 :].encode()) if text[k + 1 :] else next(rest, Word())
                    break
                yield letter, Word()


def _httpie(
    words: Sequence[Word], scheme: str, stdin: Word | None, notes: list[str], *, elsewhere: bool
) -> RecordedRequest:
    positional: list[str] = []
    options: dict[str, str] = {}
    for option, word in _options(words, _HTTPIE_VALUES):
        if option:
            options[option] = word.text
        else:
            positional.append(word.text)
    method = positional.pop(0).upper() if len(positional) > 1 and positional[0].isalpha() else ""
    if not positional:
        raise InvalidArgument("the command has no URL; copy the whole command", field="url")
    url = _shorthand(positional[0], options.get("default-scheme", scheme))
    form = not {"form", "f"}.isdisjoint(options)
    headers: list[tuple[str, str | None]] = []
    query: list[tuple[str, str]] = []
    data: list[tuple[str, Any]] = []
    in_files: list[str] = []
    file_type: str | None = None
    for item in positional[1:]:
        separator = _ITEM.search(item)
        if separator is None:
            raise InvalidArgument(f"{item[:40]!r} is no item of HTTPie; check the command", field="headers")
        name, value = (
            _ESCAPED.sub(r"\1", part) for part in (item[: separator.start()], item[separator.end() :])
        )
        match separator[0]:
            case ":":
                headers.append((name, value.strip() or None))
            case ";":
                headers.append((name, ""))
            case "==":
                query.append((name, value))
            case "=":
                data.append((name, value))
            case ":=":
                data.append((name, _json_value(value)))
            case "@" if not name:
                in_files.append(value)
                file_type = mimetypes.guess_type(value, strict=False)[0]
            case _:
                in_files.append(value)
    if {"multipart", "boundary"} & options.keys() or (form and in_files):
        raise InvalidArgument(
            "the boundary of a multipart body is random; paste the request as it was received",
            field="headers",
        )
    body: bytes | None = b""
    if in_files:
        body = None
        notes.append(
            f"a part of the request is in the file {in_files[0][:80]!r}, which is not in the command"
        )
    elif data and form:
        body = urlencode(data, errors="replace").encode()
    elif data:
        body = _json_text(dict(data)).encode()
        if any("[" in name for name, _ in data):
            body = None
            notes.append("names with brackets are nested by HTTPie, which is not read")
    elif "raw" in options:
        body = encoded(options["raw"])
    elif stdin is not None:
        body = stdin.data
    elif elsewhere and not {"ignore-stdin", "I"} & options.keys():
        body = None
        notes.append("the body comes from another program or file, and is not in the command")
    has_body = body is None or bool(body) or "raw" in options
    defaults = {"Accept": "*/*" if form or not has_body else "application/json, */*;q=0.5"}
    if form and data:
        defaults["Content-Type"] = f"{FORM}; charset=utf-8"
    elif has_body or {"json", "j"} & options.keys():
        defaults |= {"Accept": "application/json, */*;q=0.5", "Content-Type": file_type or "application/json"}
    if credentials := options.get("auth", options.get("a", "")):
        kind = options.get("auth-type", options.get("A", "basic"))
        if kind in ("basic", "bearer"):
            bearer = f"Bearer {credentials}"
            defaults["Authorization"] = bearer if kind == "bearer" else basic(credentials.encode())
        else:
            notes.append(f"HTTPie adds Authorization of the type {kind[:40]}, which is not read")
    notes.append("HTTPie adds User-Agent, Accept-Encoding and Connection by itself")
    return sent_request(
        method or ("POST" if has_body else "GET"),
        with_query(url, urlencode(query)),
        headers,
        body,
        defaults=defaults,
        notes=notes,
    )


def _shorthand(url: str, scheme: str) -> str:
    """Return a URL of HTTPie in full: ``:3000/x`` is on this machine."""
    if url.startswith("://"):
        return scheme + url
    if url.startswith(":") and not url.startswith("::"):
        port = re.match(r":(\d*)", url)
        digits = port[1] if port else ""
        return f"{scheme}://localhost{':' + digits if digits else ''}{url[len(digits) + 1 :]}"
    return url if "://" in url else f"{scheme}://{url}"


def _json_value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidArgument(f"{text[:40]!r} is no JSON; check the command", field="body") from None


def _json_text(value: Any) -> str:
    try:
        return json.dumps(value)
    except RecursionError:
        raise InvalidArgument(
            "the JSON of the command has too many levels; check the command", field="body"
        ) from None


def _wget(words: Sequence[Word], notes: list[str]) -> RecordedRequest:
    urls: list[str] = []
    headers: list[tuple[str, str | None]] = []
    options: dict[str, str] = {}
    for name, value in _options(words, _WGET_VALUES):
        if not name:
            urls.append(value.text)
        elif name == "header":
            header, _, text = value.text.partition(":")
            headers.append((header.strip(), text.strip()))
        else:
            options[name] = value.text
    if len(urls) != 1:
        problem = "several URLs" if urls else "no URL"
        raise InvalidArgument(f"the command has {problem}; paste a command with one", field="url")
    body: bytes | None = b""
    defaults = {"User-Agent": options.get("user-agent", options.get("U", "")), "Accept": "*/*"}
    if not defaults["User-Agent"]:
        del defaults["User-Agent"]
        notes.append("wget adds User-Agent with its version, which is not in the command")
    defaults |= {"Accept-Encoding": "identity", "Connection": "Keep-Alive"}
    if "referer" in options:
        defaults["Referer"] = options["referer"]
    texts = [options[name] for name in ("post-data", "body-data") if name in options]
    files = [options[name] for name in ("post-file", "body-file") if name in options]
    if files:
        body = None
        notes.append(f"the body is in the file {files[0][:80]!r}, which is not in the command")
    elif texts:
        body = encoded(texts[0])
    if texts or files:
        defaults["Content-Type"] = FORM
    user = options.get("user", options.get("http-user"))
    if user is not None and "auth-no-challenge" in options:
        pair = f"{user}:{options.get('password', options.get('http-password', ''))}"
        defaults["Authorization"] = basic(pair.encode())
    method = options.get("method", "POST" if texts or files else "GET")
    url = urls[0] if "://" in urls[0] else f"http://{urls[0]}"
    return sent_request(method.upper(), url, headers, body, defaults=defaults, notes=notes)
