"""Read dates as mail has them (RFC 5322), which many APIs send in place of an HTTP-date."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

# Of JavaScript, such as GMT+0200 (Central European Summer Time).
_NOT_OF_MAIL: Final = re.compile(r"GMT(?=[+-])| \(.*")


def read_mail_date(text: str) -> datetime:
    """Return the moment of a date as in mail; UTC without a zone.

    Raises:
        ValueError: it is none.
    """
    moment = parsedate_to_datetime(_NOT_OF_MAIL.sub("", text))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
