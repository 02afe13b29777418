"""Read the log records in a line of OpenTelemetry (OTLP as JSON), of which a line may have several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def is_list_of_logs(value: Any) -> bool:
    """Return True for the logs of several resources, or of one."""
    return isinstance(value, dict) and ("resourceLogs" in value or "scopeLogs" in value)


def log_records(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the records of logs with their attributes as members.

    >>> record = {"timeUnixNano": "1", "attributes": [{"key": "a", "value": {"intValue": "2"}}]}
    >>> list(log_records({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}))
    [{'time': '1', 'severity': None, 'message': None, 'a': '2'}]
    """
    for resource in _dicts(value.get("resourceLogs", [value])):
        for scope in _dicts(resource.get("scopeLogs")):
            for record in _dicts(scope.get("logRecords")):
                time = record.get("timeUnixNano")
                yield {
                    "time": record.get("observedTimeUnixNano") if time in (None, "0", 0) else time,
                    "severity": record.get("severityText"),
                    "message": _plain(record.get("body")),
                    **{
                        str(attribute.get("key")): _plain(attribute.get("value"))
                        for attribute in _dicts(record.get("attributes"))
                    },
                }


def _dicts(values: Any) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _plain(value: Any) -> Any:
    """Return the value in a wrapper such as ``{"intValue": "200"}``."""
    return next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
