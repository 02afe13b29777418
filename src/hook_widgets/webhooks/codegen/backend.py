"""Render a program in one language: its record of functions and tables, and its folder of templates.

A language is a `Backend` in `backends/<language>.py` and five templates in `templates/<language>`:

- ``receiver.j2``: the file, from the comment at its top to the last helper function;
- ``steps.j2``: a macro for each step of `codegen.ir`, such as ``read_header``;
- ``values.j2``: a macro for each value of `codegen.ir_values`, such as ``digest``, for its expression. A
  value that needs statements has a macro ``let_<value>`` in ``steps.j2`` instead;
- ``checks.j2``: the macros ``secret_check`` and ``public_key_check`` compute and compare the signature;
- ``helpers.j2``: a macro for each helper function. Only those that are called become part of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from hook_widgets.webhooks.codegen import ir
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Value, Variable
from hook_widgets.webhooks.codegen.literals import Shape, camel

if TYPE_CHECKING:
    from jinja2 import Environment

TextParts = Sequence[Text | Variable]
"""Consecutive texts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Backend:
    """A language that receivers are generated in.

    Attributes:
        title: the display name of the language.
        folder: the folder of its templates.
        comment: the token that begins a comment line.
        raw_body: expressions for the raw body in common frameworks.
        all_headers: expressions for the headers in common frameworks, and the case of their names.
        from_env: an expression for the environment variable ``%s``.
        name: the name of a variable in the naming style of the language.
        literal: a literal of a text, and of a number if the language has numbers in paths.
        concat: an expression that concatenates texts.
        data: an expression for bytes, or for text in a language that takes either.
        plus: the operator that concatenates texts.
        arguments: the declarations of headers, body and text arguments; ``{}`` is the name.
        encodings: expressions that encode the bytes ``{}``, by encoding.
        decodings: expressions that decode the text ``{}``, by encoding.
        imports: the imports that code needs.
        helpers: the names of the helper functions, in the order of the file.
        filters: further functions for the templates, which call each by its name without the underscore.
    """

    title: str
    folder: str
    comment: str = "//"
    raw_body: str
    all_headers: str
    from_env: str
    name: Callable[[str], str] = camel
    literal: Callable[[str], str]
    concat: Callable[[TextParts], str]
    data: Callable[[Join], str]
    plus: str = " + "
    arguments: Mapping[str, str]
    encodings: Mapping[str, str]
    decodings: Mapping[str, str] = field(default_factory=dict)
    imports: Callable[[str], object] = lambda _: ""
    helpers: tuple[str, ...] = ()
    filters: tuple[Callable[..., object], ...] = ()

    def text(self, join: Join) -> str:
        """Return an expression for a join that is text."""
        return self.concat([part for part in join.parts if not isinstance(part, Body)])

    def source(self, source: Body | Variable) -> str:
        """Return the name of the variable that holds a body or text."""
        return self.name("body" if isinstance(source, Body) else source.name)

    def variables(self, shape: Shape) -> list[str]:
        """Return the names of the variables that a `MatchPattern` sets."""
        return [self.name(part.name) for part in shape if isinstance(part, Variable)]

    def framed(self, signature: str, presented: ir.Presented) -> str:
        """Return an expression for a signature with the texts before and after it."""
        before = [self.text(presented.before)] if presented.before.parts else []
        after = [self.literal(presented.after)] if presented.after else []
        return self.plus.join([*before, signature, *after])


def render(backend: Backend, program: ir.Program) -> str:
    """Return the receiver of a program."""
    environment = _environment(backend)
    steps, checks = _macros(environment, "steps"), _macros(environment, "checks")
    check = "secret_check" if program.public_form is None else "public_key_check"
    statements = [*(_statement(steps, step) for step in program.steps), checks[check](program).strip("\n")]
    text = environment.get_template("receiver.j2").render(
        program=program,
        comment="\n".join(f"{backend.comment} {line}" for line in _comment(backend, program)),
        arguments=", ".join(backend.arguments[k].format(backend.name(n)) for n, k in _arguments(program)),
        statements="\n".join(lines for lines in statements if lines),
    )
    return text.rstrip() + "\n"


@cache
def _environment(backend: Backend) -> Environment:
    import jinja2  # only when a receiver is generated: `import hook_widgets.webhooks` does without it

    folder = files(__package__) / "templates" / backend.folder
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # the output is source code, not HTML; `literal` quotes the values
    )
    environment.tests["body"] = lambda value: value in (Body(), Join((Body(),)))
    environment.filters |= {
        "name": backend.name,
        "literal": backend.literal,
        "concat": backend.concat,
        "data": backend.data,
        "text": backend.text,
        "value": lambda value: _value(backend, environment, value),
        "source": backend.source,
        "variables": backend.variables,
        "framed": backend.framed,
        "encode": lambda raw, encoding: backend.encodings[encoding].format(raw),
        "decode": lambda text, encoding: backend.decodings[encoding].format(text),
        "shift": _shift,
        "indent": indent,
        "imports": backend.imports,
        "helpers": lambda code: _helpers(backend, environment, code),
        **{function.__name__.strip("_"): function for function in backend.filters},
    }
    return environment


def _macros(environment: Environment, template: str) -> dict[str, Any]:
    return environment.get_template(f"{template}.j2").module.__dict__


def _statement(steps: dict[str, Any], step: ir.Step) -> str:
    macro = _macro_name(step)
    if isinstance(step, ir.Let) and f"let_{_macro_name(step.value)}" in steps:
        macro = f"let_{_macro_name(step.value)}"
    return str(steps[macro](step)).strip("\n")


def _value(backend: Backend, environment: Environment, value: Value) -> str:
    if isinstance(value, Join):
        return backend.text(value)
    return str(_macros(environment, "values")[_macro_name(value)](value)).strip("\n")


def _macro_name(node: ir.Step | Value) -> str:
    """Return ``read_header`` for a `ReadHeader`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(node).__name__).lower()


def _helpers(backend: Backend, environment: Environment, code: str) -> list[str]:
    """Return the helper functions that code calls, also through other helper functions."""
    macros, helpers = _macros(environment, "helpers"), []
    for name in backend.helpers:
        if re.search(rf"(?<![\w.]){name}\(", code):
            helpers.append(str(macros[name]()).strip("\n"))
            code += helpers[-1]
    return helpers


def _arguments(program: ir.Program) -> Iterator[tuple[str, str]]:
    """Yield the name and kind of each argument."""
    if program.headers:
        yield "headers", "headers"
    if program.body:
        yield "body", "body"
    for parameter in program.parameters:
        yield parameter.name, "text"
    yield _key_name(program), "text"


def _key_name(program: ir.Program) -> str:
    return "secret" if program.public_form is None else "public_key"


def _comment(backend: Backend, program: ir.Program) -> Iterator[str]:
    """Yield the lines of the comment above the function."""
    lines = [f"Return true if the webhook is genuine: {program.title}."]
    if program.link:
        lines.append(program.link)
    if program.headers:
        lines.append(f"{backend.name('headers')}: {backend.all_headers}.")
    if program.body:
        lines.append(f"{backend.name('body')}: the raw bytes, before any parser: {backend.raw_body}.")
    lines += [f"{backend.name(p.name)}: {p.meaning}." for p in program.parameters]
    key = _key_name(program)
    from_env = backend.from_env % f"WEBHOOK_{key.upper()}"
    lines.append(f"{backend.name(key)}: {program.key_title}, from {from_env}.")
    for line in (*lines, *program.notes):
        yield from _wrap(line)


def _wrap(line: str) -> list[str]:
    """Wrap a comment at 96 characters, without any text that could end the comment."""
    line = "".join(char if char.isprintable() else " " for char in line)
    line = line.replace("?>", "? >").replace("\\u", "\\ u")  # PHP and Java interpret these even in comments
    return wrap(line, 96, break_long_words=False, break_on_hyphens=False)


def _shift(step: ir.CheckTime) -> str:
    """Return the expression to append to a time in order to shift it, such as `` - 300``; "" for no shift."""
    return "" if step.shift_s == 0 else f" {'+' if step.shift_s > 0 else '-'} {abs(step.shift_s)}"


def indent(lines: str, pad: str) -> str:
    """Indent lines; unlike in `textwrap.indent` and Jinja2's own filter, only a line feed ends a line."""
    return "\n".join(f"{pad}{line}" if line else line for line in lines.split("\n"))
