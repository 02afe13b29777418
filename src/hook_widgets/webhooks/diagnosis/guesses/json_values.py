"""Guess which values a JSON parser changed: the spelling of numbers, empty objects, rounded integers.

A parser changes all values of a kind, or only those that its types cannot hold. So all are tried, then those
under one key, then each alone and two together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, combinations, islice
from typing import Any

from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.diagnosis.causes import CauseRef, one
from hook_widgets.webhooks.diagnosis.guesses import encoders, json_rewriting, numbers
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import COMPACT, SPACED, JsonText, Layout

_MAX_GROUPS = 48  # keys and positions that are tried alone
_MAX_COMBINED = 16  # of those, with each rewriting of the text
_MAX_PAIRS = 12  # keys and positions of which two are tried together
_MAX_SPELLED = 16  # numbers of which every spelling is tried
_MAX_BYTES = 1 << 19  # of all bodies with some values changed
_MAX_COMBINED_BYTES = 1 << 17  # of all bodies that were rewritten and have other values
_MAX_ROUNDED = 512  # integers that one rounded integer may have been

_LINE_FEED = re.compile(r"(?<!\\)(?<!\\r)\\n")
_DATE = re.compile(r'"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?( ?(?:Z|UTC|[+-]\d\d:?\d\d))?"')
_ZONES = (("T", "Z"), ("T", "+00:00"), ("T", "+0000"), ("T", ""), (" ", ""), (" ", " UTC"))
_FRACTION_DIGITS = (0, 3, 6, 7)
_LITERAL = re.compile(r'"(?:-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?|true|false|null)"')
_BOOLEANS = {"1": "true", "0": "false", '"1"': "true", '"0"': "false"}
_COUNT = re.compile(r"[1-9][0-9]?")
_COUNTER = re.compile(r"attempt|retry|retries|tries|deliver|count", re.IGNORECASE)
_HUMP, _UNDERSCORE = re.compile(r"(?<=[a-z0-9])([A-Z])"), re.compile(r"(?<=[a-z0-9])_([a-z])")


def _snake(key: str) -> str:
    return _HUMP.sub(lambda hump: f"_{hump[1].lower()}", key)


def _camel(key: str) -> str:
    return _UNDERSCORE.sub(lambda letter: letter[1].upper(), key)


def _capitalized(key: str) -> str:
    return key[:1] + key[1:2].upper() + key[2:]  # after the quote


# What shows the convention of the received keys, and the others: createdAt was created_at or CreatedAt.
_KEY_CASES: tuple[tuple[re.Pattern[str], tuple[Callable[[str], str], ...]], ...] = (
    (_HUMP, (_snake, _capitalized)),
    (_UNDERSCORE, (_camel, lambda key: _capitalized(_camel(key)))),
)
_MAX_COUNTERS = 4
_MAX_ORDERS = 120
_MAX_EMPTIED = 8  # ways in which some of the empty lists were objects
# The white space of the usual serializers, which are tried where that of the sender is not known.
_LAYOUTS = {
    JsonStyle.COMPACT: ("body-compact", COMPACT),
    JsonStyle.PYTHON: ("body-spaced", SPACED),
    JsonStyle.INDENTED: ("body-indent-2", Layout(",", ": ", "  ")),
}
_SMALL = re.compile("-?[0-9]{1,5}")
_LONG = re.compile("[0-9]{16}")

Values = dict[int, str]
"""Positions of tokens, and the tokens in their place."""
Rewritten = tuple[tuple[CauseRef, ...], JsonText]
"""Causes, and the JSON text that they lead to."""


def all_values(
    json_text: JsonText, layouts: dict[str, Layout], own: JsonStyle | None = None
) -> Iterator[BodyGuess]:
    """Yield the JSON with all values of a kind changed; alone, and with another layout or PHP's escapes.

    Args:
        json_text: the JSON as received.
        layouts: causes, and the white space that they lead to.
        own: the serializer of the provider, if it is known.
    """
    unique: dict[tuple[tuple[int, str], ...], CauseRef] = {}
    for text in _dates(json_text.text):  # not with other layouts: there are many
        yield (CauseRef("body-date"),), _encoded(text)
    for cause, values in _retyped(json_text):
        yield (cause,), _encoded(json_text.replaced(values))
    for cause, values in chain(_kinds(json_text), _programs(json_text)):
        unique.setdefault(tuple(values.items()), cause)
    php = json_text.quoted(JsonStyle.PHP.quote)
    escaped = CauseRef("body-php" if "/" in json_text.text else "body-unicode-escapes-lost")
    for items, cause in unique.items():
        values = dict(items)
        yield (cause,), _encoded(json_text.replaced(values))
        for layout, spaces in layouts.items():
            yield (CauseRef(layout), cause), _encoded(json_text.replaced_in(spaces, values))
        if php.text != json_text.text:
            yield (escaped, cause), _encoded(php.replaced(values))
    count = _MAX_COMBINED_BYTES // len(json_text.text)
    rewritten = _rewritten(json_text, own)
    for causes, base in islice(_some_emptied(rewritten), count if count >= _MAX_EMPTIED else 0):
        yield causes, _encoded(base.text)
    emptied = chain.from_iterable(_some_emptied([base]) for base in rewritten)
    for causes, changed in islice(_with_kinds(chain(rewritten[1:], emptied)), count):
        yield causes, _encoded(changed)


def some_values(json_text: JsonText, own: JsonStyle | None = None) -> Iterator[BodyGuess]:
    """Yield the JSON with a few values of a kind changed, and with rounded integers as they may have been.

    Args:
        json_text: the JSON as received.
        own: the serializer of the provider, if it is known.
    """
    count = max(1, _MAX_BYTES // len(json_text.text))
    changes = chain(
        _groups_of_kinds(json_text),
        _spelled(json_text),
        _untrimmed(json_text),
        _unrounded(json_text),
        _counted(json_text),
        *(_by_group(json_text, cause, values) for cause, values in _retyped(json_text)),
    )
    for cause, values in islice(changes, count):
        yield (cause,), _encoded(json_text.replaced(values))
    layout, spaces = ("body-compact", COMPACT) if ": " in json_text.text else ("body-spaced", SPACED)
    for cause, values in islice(_groups_of_kinds(json_text), min(count // 4, _MAX_GROUPS)):
        yield (CauseRef(layout), cause), _encoded(json_text.replaced_in(spaces, values))
    rewritten = _rewritten(json_text, own)
    combined = (
        (causes, base, change)
        for causes, base in chain(rewritten[1:], _some_emptied(rewritten))
        for change in islice(_groups_of_kinds(base), _MAX_COMBINED)
    )
    for causes, base, (cause, values) in islice(combined, _MAX_COMBINED_BYTES // len(json_text.text)):
        yield (*causes, cause), _encoded(base.replaced(values))
    for text in islice(json_text.reordered(_MAX_ORDERS), count):
        for style in dict.fromkeys((own or JsonStyle.COMPACT, JsonStyle.PYTHON)):
            yield (CauseRef("body-reordered"),), _encoded(style.write(text))


def is_reordered(received: bytes, sent: bytes) -> bool:
    """Return True if two bodies are JSON with the same values, spelled alike, and keys in another order."""

    def content(body: bytes, members: Callable[[list[tuple[str, Any]]], object]) -> Any:
        return json.loads(body.decode(), object_pairs_hook=members, parse_int=repr, parse_float=repr)

    try:
        same = content(received, _unordered) == content(sent, _unordered)
        return bool(same and content(received, list) != content(sent, list))
    except (ValueError, RecursionError):
        return False


def _unordered(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(content := dict(members)) < len(members):
        raise ValueError("a key comes twice")
    return content


def renamed_keys(json_text: JsonText) -> Iterator[BodyGuess]:
    """Yield JSON whose keys follow another convention, which serializers of .NET, Java and Ruby apply."""
    tokens = json_text.tokens
    if len(json_text.text) > _MAX_COMBINED_BYTES:
        return
    keys = sorted(set(range(len(tokens))).difference(json_text.values))
    for pattern, renames in _KEY_CASES:
        if any(pattern.search(tokens[i]) for i in keys):
            for rename in renames:
                renamed = json_text.with_tokens({i: rename(tokens[i]) for i in keys})
                for text in dict.fromkeys((renamed.text, renamed.write(COMPACT))):
                    yield one("body-key-names", _encoded(text))


def _rewritten(json_text: JsonText, own: JsonStyle | None) -> list[Rewritten]:
    """Return the JSON as it is and as senders write it; nothing if it is long or nested deep."""
    if len(json_text.text) > _MAX_COMBINED_BYTES:
        return []
    bases: list[Rewritten] = [((), json_text)]
    for style in (own,) if own else _LAYOUTS:
        try:
            if own:
                text = style.write(json_text.text)
            else:
                text = json_text.quoted(style.quote).write(_LAYOUTS[style][1])
        except RecursionError:
            return []
        if text != json_text.text:
            bases.append(((_rewriting(json_text, text, style),), JsonText(text)))
    return bases


def _some_emptied(bases: Sequence[Rewritten]) -> Iterator[Rewritten]:
    """Yield the JSON texts with ``{}`` for all or some of their ``[]``, to be combined with other changes.

    The same lists of every text come one after another: there may be too many ways to try all.
    """
    cause = CauseRef("body-empty-object")
    emptied = [_emptied(base, "[", "{}") for _, base in bases]
    groups = (
        chain([values], (group for _, group in _by_group(base, cause, values)))
        for (_, base), values in zip(bases, emptied, strict=True)
    )
    for group_of_each in islice(zip(*groups, strict=True), _MAX_EMPTIED if any(emptied) else 0):
        for (causes, base), group in zip(bases, group_of_each, strict=True):
            yield (*causes, cause), base.with_tokens(group)


def _with_kinds(bases: Iterable[Rewritten]) -> Iterator[tuple[tuple[CauseRef, ...], str]]:
    """Yield each JSON text as it is, and with all values of a kind changed."""
    for causes, base in bases:
        yield causes, base.text
        for cause, values in _kinds(base):
            yield (*causes, cause), base.replaced(values)


def _rewriting(json_text: JsonText, text: str, style: JsonStyle) -> CauseRef:
    """Return the cause that leads to the text that a serializer writes."""
    if json_text.text.strip() == text:
        return CauseRef("body-newline-added" if json_text.text.endswith("\n") else "body-space-added")
    cause, layout = _LAYOUTS.get(style, ("", COMPACT))
    if cause and json_text.write(layout) == text:
        return CauseRef(cause)
    return encoders.cause_of(style)


def _groups_of_kinds(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    for cause, values in chain(_kinds(json_text), _without_zeros(json_text)):
        yield from _by_group(json_text, cause, values)


def _by_group(json_text: JsonText, cause: CauseRef, values: Values) -> Iterator[tuple[CauseRef, Values]]:
    keys = _groups(json_text, values, by_key=True)
    single = _groups(json_text, values, by_key=False)
    # A zero most often was 0.0; it is tried before identifiers and times.
    single.sort(key=lambda group: all(json_text.tokens[i] not in ("0", "1") for i in group))
    for group in keys:
        yield cause, group
    if 2 < len(keys) <= _MAX_PAIRS:  # all but one
        for group in keys:
            yield cause, {i: text for i, text in values.items() if i not in group}
    for group in single:
        yield cause, group
    for group, other in (*combinations(keys[:_MAX_PAIRS], 2), *combinations(single[:_MAX_PAIRS], 2)):
        yield cause, group | other


def _retyped(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    """Yield values of another type, as loose parsers and the fields of a class make them."""
    tokens, values = json_text.tokens, json_text.values
    for cause, changed in (
        ("body-text-added", {i: tokens[i][1:-1] for i in values if _LITERAL.fullmatch(tokens[i])}),
        ("body-text-lost", {i: f'"{tokens[i]}"' for i in json_text.numbers}),
        ("body-boolean", {i: _BOOLEANS[tokens[i]] for i in values if tokens[i] in _BOOLEANS}),
    ):
        if changed:
            yield CauseRef(cause), changed


def _untrimmed(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    """Yield each text value with a space or line end around it."""
    tokens = json_text.tokens
    texts = (i for i in json_text.values if tokens[i][0] == '"')
    for i in islice(texts, _MAX_GROUPS):
        inner = tokens[i][1:-1]
        for text in (f'"{inner} "', f'" {inner}"', f'"{inner}\\n"', f'"{inner}\\r\\n"'):
            yield CauseRef("body-text-trimmed", json_text.keys[i].strip('"')), {i: text}


def _counted(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    """Yield each counter of deliveries as it was at an earlier one, which a sender may not sign again."""
    tokens, keys = json_text.tokens, json_text.keys
    counters = (i for i in json_text.numbers if _COUNT.fullmatch(tokens[i]) and _COUNTER.search(keys[i]))
    for i in islice(counters, _MAX_COUNTERS):
        for before in {int(tokens[i]) - 1, 1, 0} - {int(tokens[i])}:
            yield CauseRef("body-counter", keys[i].strip('"')), {i: str(before)}


def _unrounded(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    """Yield the integers that JavaScript may have rounded to the only such one of the text."""
    suspects = rounded_integers(json_text)
    if len(suspects) != 1:
        return
    ((token, positions),) = suspects.items()
    candidates = numbers.rounded(token)
    if len(candidates) <= _MAX_ROUNDED:
        for value in candidates:
            yield CauseRef("body-integer-rounded", token), dict.fromkeys(positions, str(value))


def rounded_integers(json_text: JsonText) -> dict[str, list[int]]:
    """Return the integers that JavaScript may have rounded, each with its positions."""
    suspects: dict[str, list[int]] = {}
    for i in json_text.numbers if _LONG.search(json_text.text) else ():
        token = json_text.tokens[i]
        if len(token) >= 16 and numbers.rounded(token):
            suspects.setdefault(token, []).append(i)
    return suspects


def _programs(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    """Yield all numbers with a fraction or exponent as each program spells floats."""
    for program in numbers.Program:
        if values := json_text.respelled(program.spell):
            yield CauseRef("body-number", program.title), values
    if values := json_text.respelled(numbers.long_digits):
        yield CauseRef("body-number", "a program with 17 digits (PHP before 7.1, C)"), values
    yield from _without_zeros(json_text)


def _without_zeros(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    if values := json_text.respelled(numbers.without_zeros):
        yield CauseRef("body-number", "Java's BigDecimal"), values


def _kinds(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    """Yield the kinds of change of which a parser may make only some."""
    for cause, spell in (
        ("body-fraction-lost", json_rewriting.as_float),
        ("body-fraction-lost", json_rewriting.as_cents),
        ("body-fraction-added", json_rewriting.as_shortest),
    ):
        if values := json_text.respelled(spell):
            yield CauseRef(cause), values
    nulls = {i: '""' for i, token in enumerate(json_text.tokens) if token == "null"}
    if nulls:
        yield CauseRef("body-empty-text"), nulls
    line_ends = {
        i: text
        for i, token in enumerate(json_text.tokens)
        if "\\n" in token and (text := _LINE_FEED.sub(r"\\r\\n", token)) != token
    }
    if line_ends:
        yield CauseRef("body-crlf-lost"), line_ends
    for cause, opener, other in (("body-empty-object", "[", "{}"), ("body-empty-array", "{", "[]")):
        if values := _emptied(json_text, opener, other):
            yield CauseRef(cause), values


def _emptied(json_text: JsonText, opener: str, other: str) -> Values:
    tokens = enumerate(json_text.tokens)
    return {i: f"{other[0]}{token[1:-1]}{other[1]}" for i, token in tokens if token[0] == opener}


def _dates(text: str) -> Iterator[str]:
    """Yield a JSON text with all times in UTC in another form, as parsers of dates write them.

    The text is split once, because there may be many dates.
    """
    parts = _DATE.split(text)
    rests = parts[::5]
    moments = [_in_utc(*groups) for groups in zip(*(parts[n::5] for n in (1, 2, 4)), strict=True)]
    fractions = [(fraction or "").rstrip("0") for fraction in parts[3::5]]
    for digits in (*_FRACTION_DIGITS, *([None] if any(fractions) else [])) if moments else ():
        padded = fractions if digits is None else [fraction.ljust(digits, "0") for fraction in fractions]
        ends = [f".{end}" if end else "" for end in padded]
        for mark, zone in _ZONES:
            written = [f'"{m[:10]}{mark}{m[11:]}{end}{zone}"' for m, end in zip(moments, ends, strict=True)]
            other = rests[0] + "".join([w + rest for w, rest in zip(written, rests[1:], strict=True)])
            if other != text:
                yield other


def _in_utc(date: str, time: str, zone: str | None) -> str:
    if zone is None or zone[-5:] in ("Z", "UTC", " UTC", "00:00", "+0000"):
        return f"{date}T{time}"
    try:
        moment = datetime.fromisoformat(f"{date}T{time}{zone.strip()}").astimezone(UTC)
    except (ValueError, OverflowError):
        return f"{date}T{time}"
    return moment.isoformat()[:19]


def _spelled(json_text: JsonText) -> Iterator[tuple[CauseRef, Values]]:
    """Yield every spelling of each number, alone."""
    positions = islice(
        (i for i in json_text.numbers if not _SMALL.fullmatch(json_text.tokens[i])), _MAX_SPELLED
    )
    spellings = {i: list(numbers.spellings(json_text.tokens[i])) for i in positions}
    for n in range(max(map(len, spellings.values()), default=0)):
        for i, texts in spellings.items():
            if n < len(texts):
                program, text = texts[n]
                yield CauseRef("body-number", program.title if program else "another program"), {i: text}


def _groups(json_text: JsonText, values: Values, *, by_key: bool) -> list[Values]:
    """Divide changed tokens into those under one key, or into single values; only the first groups."""
    keys = json_text.keys
    groups: dict[str, Values] = {}
    for i, text in values.items():
        name = keys[i] if by_key else str(i)
        if name in groups or len(groups) < _MAX_GROUPS:
            groups.setdefault(name, {})[i] = text
    return [group for group in groups.values() if len(group) < len(values)]


def _encoded(text: str) -> bytes:
    return text.encode(errors="replace")
