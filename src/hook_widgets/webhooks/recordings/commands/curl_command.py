"""Read a curl command, as browsers, API clients and manuals write it for bash.

Source of the rules: the manual page of curl. The tests run commands with curl and compare the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.recordings.commands import curl_options as options
from hook_widgets.webhooks.recordings.commands.curl_request import CurlRequest
from hook_widgets.webhooks.recordings.commands.shell_words import Command, Word, commands
from hook_widgets.webhooks.recordings.exchange import RecordedRequest

_CURL: Final = ("curl", "curl.exe")
_MAX_FLAGS: Final = 100  # letters after one hyphen
_CARETS: Final = re.compile(r'(?<!\S)\^"|\^\\\^"')
_DASH: Final = re.compile("[\u2012-\u2015\u2212]{1,2}[A-Za-z]")
_WINDOWS: Final = "this is a command for the Windows prompt; copy it as cURL (bash)"


def read_curl(text: str) -> RecordedRequest:
    """Read the curl command in a bash script.

    Raises:
        InvalidArgument: there is no curl command, or its request cannot be known.
    """
    if ('^"' in text and _CARETS.search(text)) or text.rstrip().startswith("curl.exe"):
        raise InvalidArgument(_WINDOWS)
    script = commands(text)
    places = [i for i, command in enumerate(script) if program_at(command, _CURL) >= 0]
    if not places:
        raise InvalidArgument("there is no curl command in this text; copy the whole command")
    if len(places) > 1:
        raise InvalidArgument("there are several curl commands in this text; paste one of them")
    command, before = script[places[0]], script[places[0] - 1] if places[0] else None
    notes = list(command.notes)
    arguments = list(_arguments(command.words[program_at(command, _CURL) + 1 :], notes))
    request = CurlRequest(stdin=stdin_of(command, before), notes=notes)
    for name, value in arguments:
        request.take(name, value)
    return request.finish()


def program_at(command: Command, names: Sequence[str]) -> int:
    """Return the position of a program: after a prompt and variables that are set for it; -1 without one."""
    for i, word in enumerate(command.words):
        if word.text.rpartition("/")[2] in names and b"=" not in word.data:
            return i
        if word.data not in (b"$", b"%", b">", b"sudo", b"time") and b"=" not in word.data:
            break
    return -1


def stdin_of(command: Command, before: Command | None) -> Word | None:
    """Return the standard input if it is in the script: a here-document, or what ``printf`` writes."""
    if command.stdin is not None or command.input_file:
        return command.stdin
    return before.output() if before is not None and before.piped else None


def _arguments(words: Sequence[Word], notes: list[str]) -> Iterator[tuple[str, Word]]:
    """Yield each option with its value, and each URL as the option ``url``; append to the notes."""
    rest = iter(words)
    only_urls = False
    for word in rest:
        text = word.text
        if dash := _DASH.match(text):
            text = ("-" if dash.end() == len(text) else "--") + text[dash.end() - 1 :]
            word = Word(encoded(text), word.variables)  # noqa: PLW2901
            notes.append("a dash was read as the hyphens of an option")
        if only_urls or not text.startswith("-") or text == "-":
            yield "url", word
        elif text == "--":
            only_urls = True
        elif text.startswith("--"):
            name = text[2:]
            yield name, next(rest, None) or _missing(name) if _takes_value(name) else Word()
        else:
            yield from _short(word, rest)


def _short(word: Word, rest: Iterator[Word]) -> Iterator[tuple[str, Word]]:
    letters = word.data[1:]
    for i in range(len(letters)):
        if i > _MAX_FLAGS:
            raise InvalidArgument("the command has too many options in one word; copy the command again")
        letter = letters[i : i + 1].decode("latin-1")
        name = options.SHORT.get(letter)
        if name is None:
            raise InvalidArgument(f"curl has no option -{letter}; check the command")
        if _takes_value(name):
            attached = letters[i + 1 :]
            yield name, Word(attached, word.variables) if attached else next(rest, None) or _missing(name)
            return
        yield name, Word()


def _missing(name: str) -> Word:
    raise InvalidArgument(f"the option --{name} has no value; copy the whole command")


def _takes_value(name: str) -> bool:
    """Return True for an option with a value, False for a flag; reject those with which nothing is known."""
    if name in options.READ or name in options.WITH_VALUE:
        return True
    if name in options.REJECTED or name.startswith("expand-"):
        reason = options.REJECTED.get(name, "its variables have their values only when it runs")
        raise InvalidArgument(f"a curl command with --{name} cannot be read: {reason}", field="headers")
    if name in options.FLAGS or name in options.UNKNOWN_HEADERS or name.removeprefix("no-") in options.FLAGS:
        return False
    raise InvalidArgument(f"the option --{name[:40]} is not known; leave it out if it does not matter")
