"""Requests that were recorded as files, to be signed again at each run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hook_widgets.errors import InvalidArgument

INDEX: Final = "requests.json"
_BODY_FILE: Final = re.compile(r"[0-9]{4}\.body")


@dataclass(frozen=True, kw_only=True)
class RecordedWebhook:
    """A recorded request without its signature; ``webhook(recorded, url=...)`` signs it again.

    Attributes:
        name: its name in the list of tests.
        provider: the id of the provider.
        event: the event; empty for the provider's first.
        scheme: the name of the provider's scheme.
        headers: the headers to send in addition to those that the provider generates.
        body: the body, byte for byte.
    """

    name: str
    provider: str
    event: str = ""
    scheme: str = ""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes = field(repr=False)

    def __str__(self) -> str:
        return self.name


def recorded_requests(folder: str | Path) -> tuple[RecordedWebhook, ...]:
    """Read the requests that `record_tests` has written.

    Args:
        folder: the folder with ``requests.json`` and a file for each body.

    Raises:
        InvalidArgument: a file is missing or malformed.
    """
    home = Path(folder)
    try:
        index = json.loads((home / INDEX).read_text(encoding="utf-8"))
        return tuple(_request(home, index["provider"], row) for row in index["requests"])
    except OSError as error:
        raise InvalidArgument(f"{error.filename} cannot be read ({error.strerror}); record again") from None
    except (ValueError, LookupError, TypeError):
        raise InvalidArgument(f"{home / INDEX} is not as it was recorded; record again") from None


def _request(home: Path, provider: str, row: dict[str, Any]) -> RecordedWebhook:
    if not _BODY_FILE.fullmatch(row["body"]):
        raise ValueError(row["body"])
    return RecordedWebhook(
        name=str(row["name"]),
        provider=str(provider),
        event=str(row["event"]),
        scheme=str(row["scheme"]),
        headers=tuple((str(name), str(value)) for name, value in row["headers"]),
        body=(home / row["body"]).read_bytes(),
    )
