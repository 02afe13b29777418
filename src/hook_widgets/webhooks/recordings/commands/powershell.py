"""Read ``Invoke-WebRequest`` and ``Invoke-RestMethod`` of PowerShell.

Sources of the rules: about_Quoting_Rules, about_Hash_Tables and Invoke-WebRequest on learn.microsoft.com.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlencode

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks._texts import encoded
from hook_widgets.webhooks.recordings.commands.curl_options import option_names
from hook_widgets.webhooks.recordings.commands.sent_request import FORM, sent_request, with_query
from hook_widgets.webhooks.recordings.exchange import MAX_BYTES, RecordedRequest

COMMAND: Final = re.compile(
    r"^(?:PS [^>\n]{0,200}> ?)?[ \t]{0,20}(?:\$\w{1,100} ?= ?)?\(?"
    r"(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)[ \t]",
    re.IGNORECASE | re.MULTILINE,
)
"""A line with such a command."""

_NAMES: Final = ("invoke-webrequest", "invoke-restmethod", "iwr", "irm")
# Typographic quotes are quotes, too.
_SINGLE, _DOUBLE = "'\u2018-\u201b", '"\u201c-\u201e'
_TOKEN: Final = re.compile(
    r"(?P<space>(?:[^\S\n]|`\r?\n)++)|(?P<comment>#[^\n]*+)|(?P<end>[\n;]++)"
    rf"|[{_SINGLE}](?P<single>(?:[^{_SINGLE}]|[{_SINGLE}]{{2}})*+)[{_SINGLE}]"
    rf"|[{_DOUBLE}](?P<double>(?:[^{_DOUBLE}`]|`[\s\S]|[{_DOUBLE}]{{2}})*+)[{_DOUBLE}]"
    r"|(?P<open>@\{|@\()|(?P<mark>[{}()\[\]=|,])"
    r"|\$(?P<variable>[A-Za-z_][\w:]*+(?:\.\w++)*+)|"
    rf"(?P<word>(?:-\w+:)?(?i:https?)://[^\s{_SINGLE}{_DOUBLE}`;|{{}}()\[\],]++"
    rf"|[^\s{_SINGLE}{_DOUBLE}`;|{{}}()\[\]=,]++|`)"
)
_TWO_SINGLE: Final = re.compile(rf"([{_SINGLE}])[{_SINGLE}]")
_TWO_DOUBLE: Final = re.compile(rf"(`[\s\S])|([{_DOUBLE}])[{_DOUBLE}]")
_HERE: Final = re.compile(r"@(['\"])\r?\n")
_PROMPT: Final = re.compile(r"^PS [^>\n]{0,200}> ?", re.MULTILINE)
_CHAR: Final = re.compile(r"\$\(\[char\](0x[0-9A-Fa-f]{1,6}|[0-9]{1,7})\)", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"`(\r?\n|u\{[0-9A-Fa-f]{1,6}\}|[\s\S])")
_ESCAPES: Final = dict(zip("nrt0abfve", "\n\r\t\0\a\b\f\v\x1b", strict=True))
_VARIABLE: Final = re.compile(r"(?<!`)\$(?:\{([^{}]{1,100})\}|([A-Za-z_]\w{0,100}))")
_MAX_TOKENS: Final = 20_000
_MAX_DEPTH: Final = 50
_MAX_EXPANDED: Final = 4 * MAX_BYTES  # characters that stand for variables and in texts with them
_VALUED: Final = option_names(
    """
    uri method custommethod headers body form contenttype useragent websession sessionvariable credential
    outfile infile timeoutsec maximumredirection proxy authentication token certificate httpversion
    sslprotocol transferencoding erroraction outvariable
    """
)

Token = tuple[str, str]


class _Unknown:
    """A value that only PowerShell knows when the command runs."""


def read_powershell(text: str) -> RecordedRequest:
    """Read the one command in a script of PowerShell.

    Raises:
        InvalidArgument: there are several commands or none, or its request cannot be known.
    """
    return _Script(_PROMPT.sub("", text)).request()


class _Script:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = self.depth = 0
        self.room = _MAX_EXPANDED
        self.variables: dict[str, Any] = {"true": "True", "false": "False", "null": ""}
        self.parameters: list[dict[str, Any]] = []
        self.notes: list[str] = []
        self.utf8 = False  # a text is made bytes by the command itself

    def request(self) -> RecordedRequest:
        """Return the request of the one command."""
        while self.at < len(self.tokens):
            self.statement()
        if len(self.parameters) != 1:
            problem = "several commands" if self.parameters else "no command with a request"
            raise InvalidArgument(f"there is {problem} in this text; paste one command", field="headers")
        return self.sent(self.parameters[0])

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ("end", "")

    def take(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def statement(self) -> None:
        """Read an assignment, a call of ``Add``, or a command; pass over anything else."""
        kind, text = self.peek()
        if kind == "variable":
            name, _, member = text.lower().partition(".")
            following = self.peek(1)[1]
            if following == "=":
                self.at += 2
                value = self.variables[text.lower()] = self.pipeline()
                if member and isinstance(known := self.variables.get(name), list):
                    self.variables[name] = [*known, (member, value)]
                return
            if member == "cookies.add":
                self.notes.append("the cookies of the session were not read")
            if member == "add" and following == "(":
                self.at += 2
                key, _, value = self.value(), self.take(), self.value()
                self.add(name, _text(key), value)
            elif following == "[" and self.peek(3)[1] == "]" and self.peek(4)[1] == "=":
                key = self.peek(2)[1]
                self.at += 5
                self.add(name, key, self.value())
        elif kind == "word" and text.lower() in _NAMES:
            self.at += 1
            self.command()
        self.skip()

    def add(self, table: str, key: str, value: Any) -> None:
        """Add a member to a hash table, which begins with it if it is not known."""
        known = self.variables.get(table)
        self.variables[table] = [*(known if isinstance(known, list) else []), (key, value)]

    def skip(self) -> None:
        """Go behind the end of the statement."""
        depth = 0
        while self.at < len(self.tokens):
            kind, text = self.take()
            depth += (text in ("@{", "@(", "{", "(", "[")) - (kind == "mark" and text in ("}", ")", "]"))
            if kind == "end" and depth <= 0:
                return

    def pipeline(self) -> Any:
        """Read the right side of an assignment."""
        if self.peek()[0] == "word" and self.peek()[1].lower() in _NAMES:
            self.at += 1
            self.command()
            self.skip()
            return _Unknown()
        value = self.value()
        if self.peek()[1] == "|" and self.peek(1)[1].lower() == "convertto-json":
            value = _Unknown()
        self.skip()
        return value

    def value(self) -> Any:
        """Read a value: text, a list of pairs for a hash table, or an unknown one."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise InvalidArgument("the command has too many levels of brackets; paste one command")
        value = self.value_inside()
        self.depth -= 1
        return value

    def value_inside(self) -> Any:
        """Read a value without a check of its depth."""
        kind, text = self.take()
        if kind == "mark" and text == "[":  # a type, such as [ordered]
            while self.at < len(self.tokens) and self.take()[1] != "]":
                pass
            if self.peek()[1].startswith("::"):
                self.utf8 |= self.take()[1].lower().endswith("utf8.getbytes")
            return self.value()
        if kind == "open" and text == "@{":
            return self.table()
        if kind == "mark" and text == "(":
            value = self.value()
            unread = False
            while self.at < len(self.tokens) and self.take() != ("mark", ")"):
                unread = True
            return _Unknown() if unread else value
        if kind == "variable":
            value = self.variables.get(text.lower(), _Unknown())
            self.spend(len(value) if isinstance(value, str) else 0)
            return value
        if kind == "double":
            return self.expanded(_TWO_DOUBLE.sub(lambda match: match[1] or f"`{match[2]}", text))
        if kind == "here":
            return self.expanded(text)
        return text if kind in ("text", "word") else _Unknown()

    def expanded(self, text: str) -> Any:
        """Return a text between double quotes with the values of its variables, as far as they are known."""
        text = _CHAR.sub(_char, text)
        unknown = [
            match[0]
            for match in _VARIABLE.finditer(text)
            if not isinstance(self.variables.get((match[1] or match[2]).lower()), str)
        ]
        if unknown or "$(" in text.replace("`$(", ""):
            self.notes.append(f"the command contains {(unknown or ['$(...)'])[0]}, whose value is not in it")
        parts, at = [], 0
        for match in _VARIABLE.finditer(text):
            known = self.variables.get((match[1] or match[2]).lower())
            parts += [_unescaped(text[at : match.start()]), known if isinstance(known, str) else match[0]]
            at = match.end()
        parts.append(_unescaped(text[at:]))
        self.spend(sum(map(len, parts)))
        # Characters beyond U+FFFF are written as two units of UTF-16.
        return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def spend(self, size: int) -> None:
        """Count the characters of a text that variables may repeat without end."""
        self.room -= size
        if self.room < 0:
            raise InvalidArgument("the variables of the command are too long; paste one command")

    def table(self) -> list[tuple[str, Any]]:
        pairs = []
        while self.at < len(self.tokens):
            kind, text = self.peek()
            if kind == "end":
                self.at += 1
                continue
            if text == "}":
                self.at += 1
                break
            key = _text(self.value())
            if self.take()[1] != "=":
                raise InvalidArgument("a hash table of the command is not complete; copy the whole command")
            value = self.value()
            while self.peek()[0] != "end" and self.peek()[1] != "}":  # an expression, or a command
                self.at += 1
                value = _Unknown()
            pairs.append((key, value))
        return pairs

    def command(self) -> None:
        """Read the parameters of a command."""
        parameters: dict[str, Any] = {}
        while self.peek()[0] != "end" and self.peek()[1] not in ("|", ")"):
            kind, text = self.peek()
            if kind == "word" and text.startswith("-") and len(text) > 1:
                self.at += 1
                name, _, attached = text[1:].partition(":")
                if full := _full_name(name):
                    parameters[full] = attached or self.value()
            elif kind == "word" and text.startswith("@"):  # parameters from a hash table
                self.at += 1
                table = self.variables.get(text[1:].lower())
                parameters |= {_full_name(name): value for name, value in table or ()}
            elif text == "=" and kind == "mark":
                raise InvalidArgument("the URL of the command has a = and no quotes; quote it", field="url")
            elif "uri" not in parameters:
                parameters["uri"] = self.value()
            else:
                self.at += 1
        self.parameters.append(parameters)

    def sent(self, parameters: dict[str, Any]) -> RecordedRequest:
        """Return the request of a command."""
        if "form" in parameters:
            raise InvalidArgument(
                "the boundary of a multipart body is random; paste the request as it was received",
                field="headers",
            )
        url = parameters.get("uri")
        if not isinstance(url, str) or not url:
            raise InvalidArgument("the command has no URL that is written in it; paste the URL", field="url")
        tables = parameters.get("headers", [])
        headers: list[tuple[str, str | None]] = []
        if not isinstance(tables, list):
            self.notes.append("the headers are in a variable, which is not in the command")
            tables = []
        for name, value in tables:
            if isinstance(value, str):
                headers.append((name, value))
            else:
                self.notes.append(f"the value of {name[:80]} is not in the command")
        stated = parameters.get("custommethod") or parameters.get("method") or "Get"
        method = _text(stated).upper()
        if not method:
            self.notes.append("the method is in a variable, which is not in the command")
        content: Any = parameters.get("body", "")
        body: bytes | None = None
        if isinstance(content, list):
            form = [(name, value) for name, value in content if isinstance(value, str)]
            fields = urlencode(form, errors="replace") if len(form) == len(content) else None
            self.notes.append("PowerShell sends the members of a hash table in any order")
            if method == "GET":  # Invoke-WebRequest, -Body: they are query parameters
                url, body = with_query(url, fields or ""), None if fields is None else b""
            else:
                body = None if fields is None else fields.encode()
        elif isinstance(content, str):
            body = encoded(content)
            if not content.isascii() and not self.utf8:
                self.notes.append("Windows PowerShell sends text of a body as Latin-1, not as UTF-8")
        if "infile" in parameters or body is None:
            body = None
            self.notes.append(
                "the body is in a variable, a file or the output of a program, not in the command"
            )
        agent = parameters.get("useragent") or next(
            (value for name, value in self.variables.items() if name.endswith(".useragent")), None
        )
        defaults = {"User-Agent": agent} if isinstance(agent, str) else {}
        content_type = parameters.get("contenttype")
        if isinstance(content_type, str):
            defaults["Content-Type"] = content_type
        elif method == "POST":
            defaults["Content-Type"] = FORM
        if not {"authentication", "credential"}.isdisjoint(parameters):
            self.notes.append(
                "PowerShell adds Authorization by -Authentication or -Credential, which is not read"
            )
        if not agent:
            self.notes.append("PowerShell adds User-Agent with its version, which is not in the command")
        url = url if "://" in url else f"http://{url}"
        return sent_request(method, url, headers, body, defaults=defaults, notes=self.notes)


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if here := _HERE.match(text, at):
            end = text.find(f"\n{here[1]}@", here.end() - 1)
            if end < 0:
                raise InvalidArgument("the here-string of the command has no end; copy the whole command")
            content = text[here.end() : end].removesuffix("\r")
            tokens.append(("text" if here[1] == "'" else "here", content))
            at = end + 3
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise InvalidArgument("the command has a quote that is not closed; copy the whole command")
        if len(tokens) > _MAX_TOKENS:
            raise InvalidArgument("the command has too many words; paste one command")
        at = match.end()
        kind = match.lastgroup or "word"
        if kind == "single":
            tokens.append(("text", _TWO_SINGLE.sub(r"\1", match[kind])))
        elif kind not in ("space", "comment"):
            tokens.append((kind, match[kind]))
    return tokens


def _full_name(name: str) -> str:
    """Return the full name of a parameter with a value, which may be shortened; empty for any other."""
    lower = name.lower()
    known = [lower] if lower in _VALUED else [known for known in _VALUED if known.startswith(lower)]
    return known[0] if len(known) == 1 else ""


def _char(match: re.Match[str]) -> str:
    number = int(match[1], 0)
    return chr(number) if number < 0x11_0000 else match[0]


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    char = match[1]
    if char.startswith("u{"):
        number = int(char[2:-1], 16)
        return chr(number) if number < 0x11_0000 else match[0]
    return _ESCAPES.get(char, char)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
