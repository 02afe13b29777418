"""What the emitters share: the order of a snippet, its comments and the names of its variables."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from textwrap import dedent, indent, wrap
from typing import ClassVar

from hook_widgets.webhooks.receiving.steps import Program, Step
from hook_widgets.webhooks.receiving.values import Body, Join, Text, Variable

Run = Sequence[Text | Variable]
"""Texts that stand next to each other."""


class Emitter(ABC):
    """Writes one program as text of one language.

    Attributes:
        title: the language's name for people.
        comment: what begins a line of comment.
        raw_body: where the usual frameworks have the raw body.
        all_headers: where they have the headers, and how names are read.
        from_env: an expression for the environment variable ``%s``.
        guard: refuses everything while the secret is empty, because it was never set.
        renamed: names that the language or its libraries use otherwise.
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
        """The snippet."""
        return cls(program)._text().rstrip() + "\n"

    @abstractmethod
    def _text(self) -> str:
        """The snippet."""

    @abstractmethod
    def _step(self, step: Step) -> str:
        """One step as a few lines."""

    @abstractmethod
    def _result(self) -> str:
        """The lines that make the signature and compare."""

    @abstractmethod
    def _run(self, parts: Run) -> str:
        """An expression for texts one after the other."""

    @property
    def _is_pair(self) -> bool:
        """Whether the receiver holds a public key."""
        return self.program.public_form is not None

    @property
    def _key_name(self) -> str:
        """The argument with the key."""
        return "public_key" if self._is_pair else "secret"

    def _name(self, name: str) -> str:
        """A variable's name as this language writes it."""
        return camel(self.renamed.get(name, name))

    def _statements(self, pad: str) -> str:
        """The lines inside the function."""
        steps = [self._step(step) for step in self.program.steps]
        written = [*([] if self._is_pair else [self.guard]), *steps, self._result()]
        return "\n".join(indent(lines.rstrip("\n"), pad) for lines in written if lines)

    def _arguments(self, kinds: dict[str, str]) -> Iterator[tuple[str, str]]:
        """Name and type of each argument; `kinds` has the type of ``headers``, ``body`` and ``text``."""
        if self.program.headers:
            yield "headers", kinds["headers"]
        if self.program.body:
            yield "body", kinds["body"]
        for parameter in self.program.parameters:
            yield parameter.name, kinds["text"]
        yield self._key_name, kinds["text"]

    def _remarks(self) -> str:
        """What stands above the function."""
        program, variable = self.program, "WEBHOOK_PUBLIC_KEY" if self._is_pair else "WEBHOOK_SECRET"
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
        """An expression for a join that is text."""
        return self._run([part for part in join.parts if not isinstance(part, Body)])


def regex(shape: Sequence[Text | Variable | None], escaped: str) -> str:
    """The pattern of a `TakeApart` with a group for each variable; `escaped` characters get a backslash."""
    return "".join(
        ".*" if part is None else literal_in_regex(part.text, escaped) if isinstance(part, Text) else "(.*)"
        for part in shape
    )


def literal_in_regex(text: str, escaped: str) -> str:
    """A text as it stands in a regular expression."""
    return "".join(f"\\{c}" if c in rf"\.^$*+?()[]{{}}|{escaped}" else c for c in text)


def shifted(shift_s: int) -> str:
    """What is added to a time, such as `` - 300``; "" for nothing."""
    return "" if shift_s == 0 else f" {'+' if shift_s > 0 else '-'} {abs(shift_s)}"


def _wrap(line: str) -> list[str]:
    """A line of a comment as lines of 96 characters, without anything that could end the comment."""
    line = "".join(char if char.isprintable() else " " for char in line)
    line = line.replace("?>", "? >").replace("\\u", "\\ u")  # PHP and Java read these inside comments, too
    return wrap(line, 96, break_long_words=False, break_on_hyphens=False)


def camel(name: str) -> str:
    """``webhook_id`` as ``webhookId``."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def quoted(text: str) -> str:
    r"""A text between double quotes, with the escapes that Go, Java and Ruby have in common."""
    text = re.sub(r'(["\\])', r"\\\1", text)
    return '"' + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def without_strings(code: str) -> str:
    """Code without what stands between quotes on one line: to look for names in it."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)


def block(text: str, **values: str) -> str:
    """A template of several lines with ``@name@`` filled in."""
    lines = dedent(text).strip("\n")
    for name, value in values.items():
        lines = lines.replace(f"@{name}@", value)
    return lines
