"""Read the headers that a program sets one by one, such as the code that Postman generates for a request.

A call has the name and the value as texts: ``req.Header.Add("Name", "value")`` in Go, ``.addHeader(...)`` in
Java, ``headers.append(...)`` in JavaScript. cURL in PHP has a list of ``Name: value``. Nothing is run, so the
body, which is mostly in a variable, is not read.
"""

from __future__ import annotations

import re
from typing import Final

from hook_widgets.webhooks.headers import Headers, is_token
from hook_widgets.webhooks.recordings.escapes import literal
from hook_widgets.webhooks.recordings.exchange import MAX_HEADERS, RecordedRequest

_MAX_CODE: Final = 100_000  # characters
_METHODS: Final = "GET|POST|PUT|PATCH|DELETE"
_TEXT: Final = r"(?:\"(?:[^\"\\\n]|\\.){0,4000}\"|'(?:[^'\\\n]|\\.){0,4000}')"
_START: Final = (
    r"^[ \t]*(?:[\w$.>:-]{0,80}(?:\(\))?[.>])?"  # of a statement: a body has its calls inside of texts
)
_MORE: Final = r"\s*(?:[+.%]|<<)"  # of an expression that begins with a text
_CALL: Final = re.compile(
    rf"{_START}(?:\w{{0,40}}?[hH]eaders?(?:\.\w{{1,40}})?\(|(?:req|request)\[)\s*({_TEXT})\s*"
    rf"(?:,|\]\s*=)\s*(?:({_TEXT})(?!{_MORE}))?",
    re.MULTILINE,
)
_VARIABLE: Final = re.compile(r"\$[{A-Za-z_]")
_LIST: Final = re.compile(
    r"^[ \t]*(?:curl_setopt\(\$\w{1,40}, ?)?CURLOPT_HTTPHEADER\s*(?:=>|,)\s*(?:array ?\(|\[)", re.MULTILINE
)
# A raw request, whose body may have any calls.
_RAW: Final = re.compile(rf"^.{{0,300}}?\b(?:{_METHODS}) \S{{1,4000}} HTTP/[0-9]", re.MULTILINE)
_ITEM: Final = re.compile(rf"\s*({_TEXT})({_MORE}[^\n]{{0,4000}})?\s*,?")
_URL: Final = re.compile(
    r"(?:\b[uU][rR][lL]|\bURI(?:\.create)?|CURLOPT_URL|\bfetch|\bNewRequest\(\"[A-Z]{3,10}\",)[\s=(>:]{1,8}"
    r"[\"'](https?://[^\s\"'\\]{1,4000})[\"']"
)
_METHOD: Final = re.compile(
    rf"(?:\b[mM]ethod|CURLOPT_CUSTOMREQUEST|\bNewRequest)[\s=(>:]{{1,8}}[\"']({_METHODS})[\"']"
)
_CALLED: Final = re.compile(  # of Unirest and AsyncHttpClient, for example
    rf"\.(?:(get|post|put|patch|delete)\(|prepare\(\"({_METHODS})\",)\s*[\"'](https?://[^\s\"'\\]{{1,4000}})[\"']"
)


def read_code(text: str) -> RecordedRequest | None:
    """Read the headers, URL and method that a program names; None if it sets no header."""
    if len(text) > _MAX_CODE or _RAW.search(text):
        return None
    literals = [(m[1][1:-1], m[2] or "") for m in _CALL.finditer(text)]
    if (headers := _LIST.search(text)) is not None:
        at = headers.end()
        while item := _ITEM.match(text, at):
            name, colon, value = item[1][1:-1].partition(":")
            literals += [(literal(name), "" if item[2] else item[1][0] + value + item[1][0])] if colon else []
            at = item.end()
    literals = [(name, value) for name, value in literals if is_token(name)]
    pairs: list[tuple[str, str]] = []
    computed: list[str] = []
    for name, value in literals:
        if value and not _has_variables(value):
            pairs.append((name, literal(value[1:-1]).strip()))
        else:
            computed.append(name)
    if not any("-" in name for name, _ in pairs) or len(pairs) > MAX_HEADERS:
        return None
    notes = ["the headers were read from calls in program code; the body was not"]
    if computed:
        notes.append(f"left out, because the program computes the value: {', '.join(computed[:5])}")
    url, method = _URL.search(text), _METHOD.search(text)
    called = None if url else _CALLED.search(text)
    return RecordedRequest(
        method=method[1] if method else (called[1] or called[2]).upper() if called else "",
        url=url[1] if url else called[3] if called else "",
        headers=Headers(pairs),
        notes=tuple(notes),
    )


def _has_variables(value: str) -> bool:
    """Return True for a text in which Kotlin, PHP, Ruby or Swift put the value of a variable."""
    if value[0] != '"':
        return False
    return "#{" in value or "\\(" in value or ("$" in value and bool(_VARIABLE.search(value)))
