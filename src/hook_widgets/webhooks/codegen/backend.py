"""Base class of the emitters: the structure of a snippet, its comments and the names of its variables."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from textwrap import dedent, wrap
from typing import ClassVar

from hook_widgets.webhooks.codegen.ir import Program, Step
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable

TextParts = Sequence[Text | Variable]
"""Consecutive texts."""


class Emitter(ABC):
    """A code generator for one language.

    Attributes:
        title: the display name of the language.
        comment: the token that begins a comment line.
        raw_body: expressions for the raw body in common frameworks.
        all_headers: expressions for the headers in common frameworks, and the case of their names.
        from_env: an expression for the environment variable ``%s``.
        guard: a statement that rejects every request if the secret is empty, because it was never set.
        renamed: replacements for names with another meaning in the language or its libraries.
    """

    title: ClassVar[str]
    comment: ClassVar[str] = "//"
    raw_body: ClassVar[str]
    all_headers: ClassVar[str]
    from_env: ClassVar[str]
    guard: ClassVar[str]
    renamed: ClassVar[dict[str, str]] = {}

    def __init__(self, program: Program) -> None:
        self.program = program

    @classmethod
    def write(cls, program: Program) -> str:
        """Return the snippet for a program."""
        return cls(program)._snippet().rstrip() + "\n"

    @abstractmethod
    def _snippet(self) -> str:
        """Return the snippet."""

    @abstractmethod
    def _step(self, step: Step) -> str:
        """Return the lines of one step."""

    @abstractmethod
    def _signature_check(self) -> str:
        """Return the lines that compute and compare the signature."""

    @abstractmethod
    def _concat(self, parts: TextParts) -> str:
        """Return an expression that concatenates texts."""

    @property
    def _has_public_key(self) -> bool:
        """True if the receiver verifies with a public key."""
        return self.program.public_form is not None

    @property
    def _key_name(self) -> str:
        """The name of the argument that holds the key."""
        return "public_key" if self._has_public_key else "secret"

    def _name(self, name: str) -> str:
        """Return the name of a variable in the naming style of this language."""
        return camel(self.renamed.get(name, name))

    def _statements(self, pad: str) -> str:
        """Return the body of the function, each line indented with `pad`."""
        steps = [self._step(step) for step in self.program.steps]
        statements = [*([] if self._has_public_key else [self.guard]), *steps, self._signature_check()]
        return "\n".join(indent(lines.rstrip("\n"), pad) for lines in statements if lines)

    def _arguments(self, kinds: dict[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the name and type of each argument; `kinds` holds the types of headers, body and texts."""
        if self.program.headers:
            yield "headers", kinds["headers"]
        if self.program.body:
            yield "body", kinds["body"]
        for parameter in self.program.parameters:
            yield parameter.name, kinds["text"]
        yield self._key_name, kinds["text"]

    def _header_comment(self) -> str:
        """Return the comment above the function."""
        program, variable = self.program, "WEBHOOK_PUBLIC_KEY" if self._has_public_key else "WEBHOOK_SECRET"
        lines = [f"Whether this is a genuine webhook: {program.title}."]
        if program.link:
            lines.append(program.link)
        if program.headers:
            lines.append(f"{self._name('headers')}: {self.all_headers}.")
        if program.body:
            lines.append(f"{self._name('body')}: the raw bytes, before any parser: {self.raw_body}.")
        lines += [f"{self._name(p.name)}: {p.meaning}." for p in program.parameters]
        lines.append(f"{self._name(self._key_name)}: {program.key_title}, from {self.from_env % variable}.")
        lines += program.notes
        wrapped = [part for line in lines for part in _wrap(line)]
        return "\n".join(f"{self.comment} {line}" for line in wrapped)

    def _join(self, join: Join) -> str:
        """Return an expression for a join that is text."""
        return self._concat([part for part in join.parts if not isinstance(part, Body)])


def regex(shape: Sequence[Text | Variable | None], escaped: str) -> str:
    """Return the regular expression of a `MatchPattern`, with a group for each variable.

    Args:
        shape: the shape of the step.
        escaped: further characters to escape with a backslash.
    """
    return "".join(
        ".*" if part is None else literal_in_regex(part.text, escaped) if isinstance(part, Text) else "(.*)"
        for part in shape
    )


def literal_in_regex(text: str, escaped: str) -> str:
    """Escape a text for a regular expression; `escaped` lists further special characters."""
    text = "".join(f"\\{c}" if c in rf"\.^$*+?()[]{{}}|{escaped}" else c for c in text)
    return text.replace("\n", "\\n").replace("\r", "\\r")


def indent(lines: str, pad: str) -> str:
    """Indent lines; unlike in `textwrap.indent`, only a line feed ends a line."""
    return "\n".join(f"{pad}{line}" if line else line for line in lines.split("\n"))


def shift_expression(shift_s: int) -> str:
    """Return the expression to append to a time in order to shift it, such as `` - 300``; "" for no shift."""
    return "" if shift_s == 0 else f" {'+' if shift_s > 0 else '-'} {abs(shift_s)}"


def _wrap(line: str) -> list[str]:
    """Wrap a comment at 96 characters, without any text that could end the comment."""
    line = "".join(char if char.isprintable() else " " for char in line)
    line = line.replace("?>", "? >").replace("\\u", "\\ u")  # PHP and Java interpret these even in comments
    return wrap(line, 96, break_long_words=False, break_on_hyphens=False)


def camel(name: str) -> str:
    """Convert ``webhook_id`` to ``webhookId``."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def quoted(text: str) -> str:
    r"""Return a string literal in double quotes, with the escapes that Go, Java and Ruby have in common."""
    text = re.sub(r'(["\\])', r"\\\1", text)
    return '"' + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def without_strings(code: str) -> str:
    """Return code with empty string literals, to search it for names."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)


def block(text: str, **values: str) -> str:
    """Fill in the ``@name@`` placeholders of a template of several lines."""
    lines = dedent(text).strip("\n")
    for name, value in values.items():
        lines = lines.replace(f"@{name}@", value)
    return lines
