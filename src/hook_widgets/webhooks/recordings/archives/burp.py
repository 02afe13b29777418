"""Read the items that Burp Suite saves, as XML of which no entity and no definition is expanded."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.recordings.exchange import MAX_EXCHANGES, RecordedRequest
from hook_widgets.webhooks.recordings.pasted.raw_http import read_message

_MAX_HEAD: Final = 4_000  # characters before the items: the declaration and the types of elements
_ITEMS: Final = re.compile(r"<items\s[^>]{0,200}>")
_BEGIN: Final = "<![CDATA["
_END: Final = "]]>"
_TAG: Final = re.compile(r'<(url|request)(?: base64="(true|false)")?>\s*\Z')
_MAX_TAG: Final = 60  # characters
_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_URL: Final = re.compile(r"https?://\S{1,4000}")
_REQUEST_LINE: Final = re.compile(rb"([^\s]{1,40}) [^\s]{1,4000} ")


def read_burp(text: str) -> list[RecordedRequest]:
    """Read the requests of saved items; none if the text is not of that form.

    Raises:
        InvalidArgument: no item has a request that can be read.
    """
    items = _ITEMS.search(text, 0, _MAX_HEAD) if text.startswith("<") else None
    if items is None:
        return []
    requests = list(islice(_requests(text, items.end()), MAX_EXCHANGES))
    if not requests:
        raise InvalidArgument(
            "the items have no request in base64; save them with 'Base64-encode requests and responses'",
            field="headers",
        )
    return requests


def _requests(text: str, at: int) -> Iterator[RecordedRequest]:
    """Yield the requests in base64; others could contain the text of another item."""
    url = ""
    while (start := text.find(_BEGIN, at)) >= 0:
        tag = _TAG.search(text, max(at, start - _MAX_TAG), start)
        end = text.find(_END, start)
        if end < 0:
            return
        content, at = text[start + len(_BEGIN) : end].strip(), end + len(_END)
        if tag is None:
            continue
        if tag[1] == "url":
            url = content if _URL.fullmatch(content) else ""
        elif tag[2] == "true":
            try:
                data = base64.b64decode(_BLANKS.sub("", content), validate=True)
            except binascii.Error:
                continue
            line = _REQUEST_LINE.match(data)
            if url and line:  # the request itself has no scheme
                data = line[1] + b" " + encoded(url) + data[line.end() - 1 :]
            if (request := read_message(data)) is not None:
                yield request
            url = ""
