"""Guess which serializer wrote the body that was signed: escapes, white space and numbers of each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.guesses import numbers
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import COMPACT, SPACED, JsonText, Layout

# Serializers with a cause of their own, whose habits differ in several points.
_CAUSES = {
    JsonStyle.COMPACT: "body-javascript",
    JsonStyle.PYTHON: "body-python",
    JsonStyle.PHP: "body-php",
    JsonStyle.GO: "body-go",
    JsonStyle.DOTNET: "body-dotnet",
}
# Their escapes are those of another style.
_SAME_ESCAPES = (JsonStyle.INDENTED, JsonStyle.PYTHON_SORTED, JsonStyle.GO_INDENTED, JsonStyle.GO_LINE)
_NUMBERS = {
    JsonStyle.COMPACT: numbers.Program.JAVASCRIPT,
    JsonStyle.PYTHON: numbers.Program.PYTHON,
    JsonStyle.COMPACT_ASCII: numbers.Program.PYTHON,
    JsonStyle.PHP: numbers.Program.PHP,
    JsonStyle.LARAVEL: numbers.Program.PHP,
    JsonStyle.GO: numbers.Program.JAVASCRIPT,
    JsonStyle.GO_OLD: numbers.Program.JAVASCRIPT,
    JsonStyle.RAILS: numbers.Program.RUBY,
    JsonStyle.JACKSON: numbers.Program.JAVA,
    JsonStyle.GSON: numbers.Program.JAVA,
    JsonStyle.DOTNET: numbers.Program.DOTNET,
}


def common(json_text: JsonText) -> Iterator[BodyGuess]:
    """Yield the JSON as the best-known serializers write it by default."""
    for style, cause in _CAUSES.items():
        text = json_text.quoted(style.quote).write(Layout(*style.spaced))
        yield (CauseRef(cause),), text.encode(errors="replace")


def all_styles(json_text: JsonText, own: JsonStyle | None) -> Iterator[BodyGuess]:
    """Yield the JSON as each serializer writes it: only its strings, then white space and numbers, too.

    Args:
        json_text: the JSON as received.
        own: the serializer of the provider, if it is known.
    """
    styles = [style for style in JsonStyle if style is not own and style not in _SAME_ESCAPES]
    by_escapes: dict[str, JsonText] = {}
    yielded: set[tuple[str, Layout]] = set()
    for style in ([own] if own else []) + styles:
        cause = cause_of(style)
        quoted = json_text.quoted(style.quote)
        strings = by_escapes.setdefault(quoted.text, quoted)
        layout = Layout(*style.spaced)
        if (strings.text, layout) not in yielded:
            yielded.add((strings.text, layout))
            yield (cause,), strings.text.encode(errors="replace")
            yield (cause,), strings.write(layout).encode(errors="replace")
        program = _NUMBERS.get(style)
        if program is not None:
            spelled = strings.with_numbers(program.spell)
            if spelled is not strings:
                number = CauseRef("body-number", program.title)
                causes = (number,) if strings.write(layout) == json_text.text else (cause, number)
                yield causes, spelled.write(layout).encode(errors="replace")


def usual(json_text: str) -> Iterator[bytes]:
    """Yield a JSON text as usual serializers write it, for a value that was printed or escaped."""
    yield JsonText(json_text).write(SPACED).encode(errors="replace")
    if json_text.startswith("["):
        yield on_lines(JsonText(json_text))
    with contextlib.suppress(RecursionError):
        for style in (JsonStyle.COMPACT, JsonStyle.PYTHON, JsonStyle.COMPACT_ASCII, JsonStyle.INDENTED):
            yield style.write(json_text).encode(errors="replace")


def on_lines(json_text: JsonText) -> bytes:
    """Return an array of events with each on its own line, as SendGrid writes it."""
    return json_text.write(COMPACT).replace("},{", "},\r\n{").encode(errors="replace") + b"\r\n"


def cause_of(style: JsonStyle) -> CauseRef:
    """Return the cause for a body that was written by this serializer."""
    return CauseRef(_CAUSES[style]) if style in _CAUSES else CauseRef("body-encoder", style.label)
