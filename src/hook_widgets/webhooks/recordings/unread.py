"""Name the texts that are known and have no request that can be read."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.recordings.structures import cassettes

_RAILS: Final = re.compile(
    r"(?:[A-Z], )?(?:\[[^\]\n]{1,60}\] {0,3}(?:[A-Z]{4,5} -- : )?){0,4}"
    r"(?:Started |Processing by |Parameters: \{\")"
)
_BEGINNINGS: Final = {
    _RAILS: "the log of Rails has no headers; paste the headers, or a curl command",
    re.compile(r"(?:0x)?[0-9a-f]{3,15}0:?\s{1,3}(?:[0-9a-f]{2}){1,2} [0-9a-f]{2}"): (
        "this is a hex dump; give the bytes of the request, which xxd -r makes of a dump by xxd"
    ),
    re.compile(r"(?:---\s{1,9})?(?:[a-z_]{1,20}: [^\n]{0,2000}\n){1,9}headers:[ \t]*\r?\n[ \t]+\S"): (
        "this is a request in YAML, whose body is not its bytes; paste it as raw HTTP or JSON"
    ),
    cassettes.YAML: (
        "this is a cassette in YAML, of which the form in JSON is read; record it as JSON, or paste one of "
        "its requests as raw HTTP"
    ),
}
_STUB: Final = (
    "this is a stub of WireMock, which has patterns and no request; paste the requests that it received, "
    "GET /__admin/requests"
)


def check(text: str) -> None:
    """Check that a text does not begin as one of these.

    Raises:
        InvalidArgument: it does; the message says what to paste.
    """
    for beginning, reason in _BEGINNINGS.items():
        if beginning.match(text):
            raise InvalidArgument(reason, field="headers")


def check_value(value: Any) -> None:
    """Check that a parsed text is none of these.

    Raises:
        InvalidArgument: it is one; the message says what to paste.
    """
    if cassettes.is_stub(value):
        raise InvalidArgument(_STUB, field="headers")


def require_json(text: str) -> None:
    """Check that a text that begins as JSON is JSON.

    Raises:
        InvalidArgument: it is not; the message says where.
    """
    if text.startswith(("{", "[")):
        if "&quot;" in text and '"' not in text:
            raise InvalidArgument(
                "the text has &quot; for its quotes; copy it from the page, not from the source of the page",
                field="headers",
            )
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            raise InvalidArgument(
                f"the text is not JSON at line {error.lineno}, column {error.colno}: {error.msg}; "
                "give the whole JSON, raw HTTP, a curl command or one header a line",
                field="headers",
            ) from None
        except (RecursionError, ValueError):  # too deep, or a number of more than 4,300 digits
            return
