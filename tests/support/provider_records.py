"""The records of which a provider file consists."""

from __future__ import annotations

from hook_widgets.webhooks.registry.provider_file import ProviderSpec
from hook_widgets.webhooks.registry.validation_errors import field_types, records_in
from hook_widgets.webhooks.scheme.record import Record


def provider_records() -> set[type[Record]]:
    """Return the root record and all records inside it."""
    records: set[type[Record]] = set()
    waiting: list[type[Record]] = [ProviderSpec]
    while waiting:
        record = waiting.pop()
        if record not in records:
            records.add(record)
            waiting += [inner for kind in field_types(record).values() for inner in records_in(kind)]
    return records
