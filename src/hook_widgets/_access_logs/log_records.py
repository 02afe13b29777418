"""Join the lines of records that have several: indented lines, and lines about one request."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from hook_widgets._access_logs.log_text import Line

_MAX_LINES: Final = 50  # of a record; more are left out
_MAX_RUNNING: Final = 10_000  # requests that have no status yet
_INDENTED: Final = (" ", "\t")
# What differs between two lines about a request, before the words that tell them.
_TIME: Final = re.compile(r"\d{2,4}[-/]\d{2}[-/]\d{2}|\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?")
# pino-pretty, README: the time, the level, the process, and the message.
_PRETTY: Final = re.compile(r"\[([^\[\]\n]{8,40})\] [A-Z]{4,5} {1,2}\([^()\n]{1,80}\): ([^\n{]*+)")
_CONSOLE: Final = re.compile(r"(\d{4}[-/]\d\d[-/]\d\d[T ][^\t]{8,30})\t([A-Z]{4,6})\t")
_MEMBER: Final = re.compile(r"\n {4}([\w.$@-]{1,60}): ((?:[^\n]|\n(?! {4}[\w.$@-]))*+)")


def has_records(sample: Sequence[Line]) -> bool:
    """Return True if a quarter of the lines, but not the first, are indented below one that is not."""
    below = sum(line.startswith(_INDENTED) for _, line in sample[1:])
    return 4 * below >= len(sample) > 1 and not sample[0][1].startswith(_INDENTED)


def records(lines: Iterable[Line], pass_over: Callable[[int], None]) -> Iterator[Line]:
    """Yield each line with the indented lines below it as one text.

    Args:
        lines: the lines.
        pass_over: called with the number of lines of each record but the first.
    """
    at, parts, below = 0, list[str](), 0
    for number, line in lines:
        if parts and line.startswith(_INDENTED):
            below += 1
            if len(parts) < _MAX_LINES:
                parts.append(line)
            continue
        if parts:
            pass_over(below)
            yield at, "\n".join(parts)
        at, parts, below = number, [line], 0
    if parts:
        pass_over(below)
        yield at, "\n".join(parts)


def console_json(line: str) -> str:
    r"""Return a line of the console of zap or Caddy as JSON; empty if it is none.

    >>> console_json('2026-10-10T13:55:36.000Z\tINFO\ta.go:7\tdone\t{"status": 200}')
    '{"time": "2026-10-10T13:55:36.000Z", "level": "INFO", "logger": "a.go:7", "msg": "done", "status": 200}'
    """
    head, members = _CONSOLE.match(line), line.partition("\t{")[2]
    if head is None or (members and not members.endswith("}")):
        return ""
    logger, *messages = line[head.end() :].partition("\t{")[0].split("\t")
    record = {"time": head[1], "level": head[2], "logger": logger, "msg": (messages or [""])[-1]}
    return f"{json.dumps(record)[:-1]}{', ' if members not in ('', '}') else ''}{members or '}'}"


def pretty_json(record: str) -> str:
    r"""Return a record of pino-pretty as JSON; empty if it is none.

    >>> pretty_json('[13:55:36.000] INFO (7): done\n    res: {\n      "statusCode": 200\n    }')
    '{"time": "13:55:36.000", "msg": "done", "res": {"statusCode": 200}}'
    """
    head = _PRETTY.match(record)
    if head is None:
        return ""
    members: dict[str, Any] = {"time": head[1], "msg": head[2].strip()}
    if record.startswith("{", head.end()):  # in a single line
        members |= _object(record[head.end() :])
    for name, text in _MEMBER.findall(record, head.end()):
        members.setdefault(name, _value(text))
    return json.dumps(members)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _object(text: str) -> dict[str, Any]:
    value = _value(text)
    return value if isinstance(value, dict) else {}


def with_status(
    lines: Iterable[Line],
    begins: Callable[[str], re.Match[str] | None],
    ends: re.Pattern[str],
    pass_over: Callable[[int], None],
) -> Iterator[Line]:
    """Yield each line that begins a request, with the status of the line that ends it, in their order.

    Lines belong together if they are the same up to what tells them, but for the time. Of requests at once
    that cannot be told apart, no status is known.

    Args:
        lines: the lines.
        begins: returns a match in a line that begins a request.
        ends: finds the status, its first group, in a line that ends one.
        pass_over: called with the number of other lines.
    """
    begun, texts = deque[int](), dict[int, str]()  # line numbers, and their lines
    running, alone = Counter[str](), dict[str, int]()  # by what is before the words that tell a line
    waiting = set[int]()
    for at, line in lines:
        if begin := begins(line):
            head = _TIME.sub("", line[: begin.start()])
            begun.append(at)
            texts[at] = line
            running[head] += 1
            waiting.discard(alone.pop(head, -1))
            if running[head] == 1:
                alone[head] = at
                waiting.add(at)
        else:
            pass_over(1)
            end = ends.search(line)
            head = _TIME.sub("", line[: end.start()]) if end else ""
            if end and running[head]:
                running[head] -= 1
                number = alone.pop(head, -1)
                waiting.discard(number)
                if number in texts:
                    texts[number] += f"\n status={end[1]}"
                if not running[head]:
                    del running[head]
        while begun and (len(begun) > _MAX_RUNNING or begun[0] not in waiting):
            number = begun.popleft()
            yield number, texts.pop(number)
    yield from ((number, texts[number]) for number in begun)
