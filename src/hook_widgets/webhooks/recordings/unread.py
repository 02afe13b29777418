"""Name the texts that are known and have no request that can be read."""

from __future__ import annotations

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
