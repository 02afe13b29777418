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
_OPTION_LINE: Final = re.compile(r"[ \t\r]*(?:--?[A-Za-z]|(['\"]?https?://))")
_CONTINUED: Final = (
    "a line that begins with an option was read with the one before, without a backslash between"
)
_LINE_END: Final = re.compile(r"\\{1,2}[ \t]*\r?\n")
_BACKSLASH: Final = "blanks or a second backslash at the end of a line were left out"
_PROMPT: Final = re.compile(r"> ?(?=-|['\"]?https?://)")
_PROMPTS: Final = "the prompt before each line was left out"
_INSIDE_WORD: Final = re.compile(r"(?<=[^\s&<])[&<](?=[^\s&<>])")
_CUT: Final = "the shell ends the word at the {} inside of it; put the URL between quotes"
_MAX_NESTING: Final = 3  # substitutions inside of each other
_MAX_PIECES: Final = 50_000  # words, quotes, escapes and variables; a person's command has a few hundred
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_NOT_CLOSED: Final = "the command has a {} that is not closed; copy the whole command"
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
        notes: sentences about a text that is probably not what its author meant.
    """

    words: list[Word] = field(default_factory=list)
    piped: bool = False
    stdin: Word | None = None
    input_file: bool = False
    notes: list[str] = field(default_factory=list)

    def output(self) -> Word | None:
        """Return what it writes if that stands in the script: by ``printf``, ``echo`` or ``cat``."""
        name, *arguments = self.words
        match [name.data, *(word.data for word in arguments)]:
            case [b"printf", b"%s" | b"%s\\n" as form, data]:
                return Word(data + (b"\n" if form.endswith(b"n") else b""), arguments[1].variables)
            case [b"printf", b"%b", _] if not arguments[1].variables:
                return Word(ansi_c(arguments[1].text))
            case [b"printf", form] if b"%" not in form and b"\\c" not in form:
                return Word(ansi_c(arguments[0].text), arguments[0].variables)
            case [b"echo", b"-n", data] if b"\\" not in data:
                return arguments[1]
            case [b"echo", data] if b"\\" not in data:
                return Word(data + b"\n", arguments[0].variables)
            case [b"cat"] | [b"cat", b"-"]:
                return self.stdin
        return None


def commands(script: str) -> list[Command]:
    r"""Split a script into its simple commands.

    Raises:
        InvalidArgument: a quote is not closed, or the script uses a part of the language that is not read.

    >>> [word.data for word in commands(r"curl -d $'a\'b' 'c d'")[0].words]
    [b'curl', b'-d', b"a'b", b'c d']
    """
    return _Reader(script).run()


class _Reader:
    def __init__(self, script: str, at: int = 0, nesting: int = 0) -> None:
        self._text = script
        self._at = at
        self._nesting = nesting
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
            elif char == "\\" and (line_end := _LINE_END.match(text, self._at)):
                self._continue(line_end)
            elif char == "\\" and self._at + 1 == len(text):
                break  # the lines after it were not copied
            elif operator := _OPERATOR.match(text, self._at):
                self._at = operator.end()
                self._operate(operator[0])
            elif char == ")" and self._nesting:
                break
            elif char in "()":
                raise InvalidArgument("the command is more than a curl command; paste the curl command only")
            else:
                self._commands[-1].words.append(self._word())
        if self._here:
            raise InvalidArgument("the here-document of the command has no end; copy the whole command")
        return [command for command in self._commands if command.words]

    def _continue(self, line_end: re.Match[str]) -> None:
        """Go to the next line, behind the prompt that a terminal shows there."""
        self._at = line_end.end()
        if line_end[0] not in ("\\\n", "\\\r\n"):
            self._commands[-1].notes.append(_BACKSLASH)
        if prompt := _PROMPT.match(self._text, self._at):
            self._at = prompt.end()
            self._commands[-1].notes.append(_PROMPTS)

    def _count(self) -> None:
        self._pieces += 1
        if self._pieces > _MAX_PIECES:
            raise InvalidArgument("the command has too many words, quotes and escapes; paste one command")

    def _operate(self, operator: str) -> None:
        self._count()
        bare = operator.lstrip("0123456789")
        command = self._commands[-1]
        if _INSIDE_WORD.match(self._text, self._at - 1):
            command.notes.append(_CUT.format(operator))
        if bare == "\n":
            if not self._here and self._continues(command):
                command.notes.append(_CONTINUED)
                return
            for waiting in self._here:
                self._here_document(*waiting)
            self._here.clear()
        if bare[0] not in "<>" and not operator.startswith("&>"):
            command.piped = bare == "|"
            self._commands.append(Command())
            return
        while self._at < len(self._text) and self._text[self._at] in " \t":
            self._at += 1
        start = self._at
        target = self._word()
        if bare in ("<<", "<<-"):
            quoted = any(char in self._text[start : self._at] for char in "'\"\\")
            self._here.append((command, target, quoted, bare == "<<-"))
        elif bare == "<<<":
            command.stdin = Word(target.data + b"\n", target.variables)
        elif bare == "<":
            command.input_file = True

    def _continues(self, command: Command) -> bool:
        """Return True if the next line has an option, or the URL of a command that has none."""
        line = _OPTION_LINE.match(self._text, self._at) if command.words else None
        return line is not None and not (line[1] and any(b"://" in word.data for word in command.words))

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
        command.stdin = inner.expanded(r"\$`")

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
            self._at = start + 1
            return self.expanded('"\\$`', char)
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
            piece = self._expansion()
            if text.startswith("$(", start) and len(piece.data.split()) != 1:
                raise InvalidArgument(_HIDDEN)  # bash makes several words of it, or none
            return piece
        plain = _PLAIN.match(text, start)
        self._at = plain.end() if plain else start + 1
        return Word(encoded(text[start : self._at]))

    def _expansion(self) -> Word:
        text, start = self._text, self._at
        if text.startswith("$(", start):
            return self._substitution()
        if text[start] == "`":
            raise InvalidArgument(_HIDDEN)
        variable = _VARIABLE.match(text, start)
        self._at = variable.end() if variable else start + 1
        written = text[start : self._at]
        return Word(encoded(written), (written,) if variable else ())

    def _substitution(self) -> Word:
        """Read ``$(...)`` with a command whose output is in the script."""
        inner = _Reader(self._text, self._at + 2, self._nesting + 1)
        inner._pieces = self._pieces
        script = inner.run() if self._nesting < _MAX_NESTING else []
        self._at, self._pieces = inner._at + 1, inner._pieces
        output = script[0].output() if len(script) == 1 and self._at <= len(self._text) else None
        if output is None:
            raise InvalidArgument(_HIDDEN)
        return Word(output.data.rstrip(b"\n"), output.variables)

    def expanded(self, escapable: str, quote: str = "") -> Word:
        """Read text as between double quotes, up to the quote or to the end of the text without one."""
        text, data, variables = self._text, list[bytes](), list[str]()
        while special := _SPECIAL_IN_QUOTES.search(text, self._at):
            self._count()
            stop = special.start()
            data.append(encoded(text[self._at : stop]))
            self._at = stop + 1
            if text[stop] == quote:
                return Word(b"".join(data), tuple(variables))
            if text[stop] == "\\":
                escaped = text[stop + 1 : stop + 2]
                self._at = stop + 2
                data.append(
                    b"" if escaped == "\n" else encoded(escaped if escaped in escapable else "\\" + escaped)
                )
            elif text[stop] == '"':
                data.append(b'"')
            else:
                self._at = stop
                piece = self._expansion()
                data.append(piece.data)
                variables += piece.variables
        if quote:
            raise InvalidArgument(_NOT_CLOSED.format(quote))
        data.append(encoded(text[self._at :]))
        self._at = len(text)
        return Word(b"".join(data), tuple(variables))

    def _until(self, quote: str, start: int) -> str:
        end = self._text.find(quote, start)
        if end < 0:
            raise InvalidArgument(_NOT_CLOSED.format(quote))
        self._at = end + 1
        return self._text[start:end]


def _escaped_end(text: str, start: int, quote: str) -> int:
    for mark in re.compile(rf"\\.|{quote}", re.DOTALL).finditer(text, start):
        if mark[0] == quote:
            return mark.start()
    raise InvalidArgument(_NOT_CLOSED.format(quote))
