"""Split a bash script into simple commands, as far as a recorded command needs it.

The standard library's `shlex` knows neither ``$'...'``, which browsers write, nor here-documents, and it
cannot tell a quoted ``$`` from a variable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import decoded, encoded
from hook_widgets.webhooks.recordings.escapes import ansi_c

_OPERATOR: Final = re.compile(r"\d*(?:<<<|<<-?|>>|<&|>&|<>|>\||<|>)|&&|\|\||&>>?|[|;&\n]")
_PLAIN: Final = re.compile(r"[^\s'\"\\$`|;&<>(){}#]+")
_SPECIAL_IN_QUOTES: Final = re.compile(r'["\\$`]')
_VARIABLE: Final = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]|\{[^{}`$]{1,200}\})")
_MAX_PIECES: Final = 50_000  # words, quotes, escapes and variables; a person's command has a few hundred
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_HIDDEN: Final = "the command runs another command in $(…) or `…`; replace that by its output"


@dataclass(slots=True)
class Word:
    """A word of a command.

    Attributes:
        data: its bytes; a variable is left as it is written.
        variables: the variables in it, which have their value only when the command runs.
    """

    data: bytes = b""
    variables: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The bytes as text; bytes that are not UTF-8 are taken as Latin-1."""
        return decoded(self.data)


@dataclass(slots=True)
class Command:
    """A simple command.

    Attributes:
        words: its words, without redirections.
        piped: True if its standard output goes to the next command.
        stdin: its standard input, if that stands in the script as a here-document or here-string.
        input_file: True if its standard input is a file.
    """

    words: list[Word] = field(default_factory=list)
    piped: bool = False
    stdin: Word | None = None
    input_file: bool = False


def commands(script: str) -> list[Command]:
    r"""Split a script into its simple commands.

    Raises:
        InvalidArgument: a quote is not closed, or the script uses a part of the language that is not read.

    >>> [word.data for word in commands(r"curl -d $'a\'b' 'c d'")[0].words]
    [b'curl', b'-d', b"a'b", b'c d']
    """
    return _Reader(script).run()


class _Reader:
    def __init__(self, script: str) -> None:
        self._text = script
        self._at = 0
        self._commands = [Command()]
        self._here: list[tuple[Command, Word, bool, bool]] = []
        self._pieces = 0

    def run(self) -> list[Command]:
        text = self._text
        while self._at < len(text):
            char = text[self._at]
            if char in " \t\r":
                self._at += 1
            elif char == "#":
                end = text.find("\n", self._at)
                self._at = len(text) if end < 0 else end
            elif text.startswith(("\\\n", "\\\r\n"), self._at):
                self._at = text.index("\n", self._at) + 1
            elif operator := _OPERATOR.match(text, self._at):
                self._at = operator.end()
                self._operate(operator[0])
            elif char in "()":
                raise InvalidArgument("the command is more than a curl command; paste the curl command only")
            else:
                self._commands[-1].words.append(self._word())
        if self._here:
            raise InvalidArgument("the here-document of the command has no end; copy the whole command")
        return [command for command in self._commands if command.words]

    def _count(self) -> None:
        self._pieces += 1
        if self._pieces > _MAX_PIECES:
            raise InvalidArgument("the command has too many words, quotes and escapes; paste one command")

    def _operate(self, operator: str) -> None:
        self._count()
        bare = operator.lstrip("0123456789")
        if bare == "\n":
            for waiting in self._here:
                self._here_document(*waiting)
            self._here.clear()
        if bare[0] not in "<>" and not operator.startswith("&>"):
            self._commands[-1].piped = bare == "|"
            self._commands.append(Command())
            return
        while self._at < len(self._text) and self._text[self._at] in " \t":
            self._at += 1
        start = self._at
        target, command = self._word(), self._commands[-1]
        if bare in ("<<", "<<-"):
            quoted = any(char in self._text[start : self._at] for char in "'\"\\")
            self._here.append((command, target, quoted, bare == "<<-"))
        elif bare == "<<<":
            command.stdin = Word(target.data + b"\n", target.variables)
        elif bare == "<":
            command.input_file = True

    def _here_document(self, command: Command, delimiter: Word, quoted: bool, tabs: bool) -> None:  # noqa: FBT001
        lines: list[str] = []
        while self._at < len(self._text):
            end = self._text.find("\n", self._at)
            line = self._text[self._at :] if end < 0 else self._text[self._at : end]
            self._at = len(self._text) if end < 0 else end + 1
            line = line.lstrip("\t") if tabs else line
            if encoded(line.removesuffix("\r")) == delimiter.data:
                break
            lines.append(line + "\n")
        else:
            raise InvalidArgument("the here-document of the command has no end; copy the whole command")
        text = "".join(lines)
        if quoted:
            command.stdin = Word(encoded(text))
            return
        inner = _Reader(text)
        command.stdin = inner.expanded(len(text), r"\$`")

    def _word(self) -> Word:
        data: list[bytes] = []
        variables: list[str] = []
        unquoted: list[str] = []
        start, text = self._at, self._text
        while self._at < len(text):
            char = text[self._at]
            if char in " \t\r\n|;&<>()":
                break
            begin = self._at
            piece = self._piece(char)
            data.append(piece.data)
            variables += piece.variables
            unquoted.append("" if char in "'\"\\$`" else text[begin : self._at])
        if self._at == start:
            raise InvalidArgument("the command ends in the middle; copy the whole command")
        if any("," in braces[1] or ".." in braces[1] for braces in _BRACES.finditer("".join(unquoted))):
            raise InvalidArgument(
                "the shell expands the braces, which are not quoted; put the word between single quotes"
            )
        return Word(b"".join(data), tuple(variables))

    def _piece(self, char: str) -> Word:
        self._count()
        text, start = self._text, self._at
        if char == "'":
            return Word(encoded(self._until("'", start + 1)))
        if char == '"':
            end = _escaped_end(text, start + 1, '"')
            self._at = start + 1
            piece = self.expanded(end, '"\\$`')
            self._at = end + 1
            return piece
        if char == "\\":
            self._at += 2
            escaped = text[start + 1 : start + 2]
            if escaped == "\r" and text.startswith("\n", start + 2):
                self._at += 1
                return Word()
            return Word(b"" if escaped == "\n" else encoded(escaped))
        if char == "$" and text.startswith(("$'", '$"'), start):
            self._at += 1
            if text[start + 1] == '"':
                return self._piece('"')
            end = _escaped_end(text, start + 2, "'")
            self._at = end + 1
            return Word(ansi_c(text[start + 2 : end]))
        if char in "$`":
            return self._expansion()
        plain = _PLAIN.match(text, start)
        self._at = plain.end() if plain else start + 1
        return Word(encoded(text[start : self._at]))

    def _expansion(self) -> Word:
        text, start = self._text, self._at
        if text[start] == "`" or text.startswith("$(", start):
            raise InvalidArgument(_HIDDEN)
        variable = _VARIABLE.match(text, start)
        self._at = variable.end() if variable else start + 1
        written = text[start : self._at]
        return Word(encoded(written), (written,) if variable else ())

    def expanded(self, end: int, escapable: str) -> Word:
        """Read up to `end` as text between double quotes."""
        text, data, variables = self._text, list[bytes](), list[str]()
        while self._at < end:
            self._count()
            special = _SPECIAL_IN_QUOTES.search(text, self._at, end)
            stop = special.start() if special else end
            data.append(encoded(text[self._at : stop]))
            self._at = stop
            if stop == end:
                break
            if text[stop] == "\\":
                escaped = text[stop + 1 : stop + 2]
                self._at = stop + 2
                data.append(
                    b"" if escaped == "\n" else encoded(escaped if escaped in escapable else "\\" + escaped)
                )
            elif text[stop] == '"':
                self._at = stop + 1
                data.append(b'"')
            else:
                piece = self._expansion()
                data.append(piece.data)
                variables += piece.variables
        return Word(b"".join(data), tuple(variables))

    def _until(self, quote: str, start: int) -> str:
        end = self._text.find(quote, start)
        if end < 0:
            raise InvalidArgument(f"the command has a {quote} that is not closed; copy the whole command")
        self._at = end + 1
        return self._text[start:end]


def _escaped_end(text: str, start: int, quote: str) -> int:
    for mark in re.compile(rf"\\.|{quote}", re.DOTALL).finditer(text, start):
        if mark[0] == quote:
            return mark.start()
    raise InvalidArgument(f"the command has a {quote} that is not closed; copy the whole command")
