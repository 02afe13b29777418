"""The parts of each language of the receivers: its module, its templates and what they quote."""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from importlib import import_module
from importlib.resources import files
from typing import cast, get_args

import jinja2
import pytest

from hook_widgets.webhooks import codegen, provider
from hook_widgets.webhooks.codegen import Language, ir, ir_values
from hook_widgets.webhooks.codegen.backend import Backend, render
from hook_widgets.webhooks.codegen.compiler import compile_scheme
from hook_widgets.webhooks.codegen.ir_values import Text, Variable

TEMPLATES = files(codegen) / "templates"


def backend(language: str) -> Backend:
    return import_module(f"{codegen.__name__}.backends.{language}").BACKEND


def stripe() -> ir.Program:
    return compile_scheme(provider("stripe"), provider("stripe").scheme())


def macros(language: str, template: str) -> set[str]:
    text = (TEMPLATES / language / f"{template}.j2").read_text(encoding="utf-8")
    return {node.name for node in jinja2.Environment().parse(text).find_all(jinja2.nodes.Macro)}


def names(union: object) -> set[str]:
    """Return ``read_header`` for a `ReadHeader` in a union."""
    return {
        "".join(f"_{char.lower()}" if char.isupper() else char for char in member.__name__).lstrip("_")
        for member in get_args(union)
    }


def test_each_language_is_one_module_and_one_folder():
    modules = {
        module.name for module in pkgutil.iter_modules(import_module(f"{codegen.__name__}.backends").__path__)
    }

    assert modules == {folder.name for folder in TEMPLATES.iterdir()} == set(Language)


@pytest.mark.parametrize("language", Language)
def test_templates_cover_every_step_and_value_and_hold_no_macro_without_use(language):
    steps, values = macros(language, "steps"), macros(language, "values")
    lets = {name.removeprefix("let_") for name in steps if name.startswith("let_")}

    assert {name for name in steps if not name.startswith("let_")} == names(ir.Step)
    assert lets | values == names(ir_values.Value) - {"join"}
    assert macros(language, "helpers") == set(backend(language).helpers)


def test_a_template_that_lacks_a_value_is_an_error_and_not_a_gap_in_the_code():
    broken = cast("ir.Step", type("PickElement", (), {"variable": "first"})())

    with pytest.raises(jinja2.UndefinedError):
        render(backend("python"), replace(stripe(), steps=(broken,)))


HOSTILE = ['"', "'", "\\", "`", "${evil}", "#{evil}", "{{ evil }}", "{% evil %}", "\n", "\r", "\u2028", "\0"]


@pytest.mark.parametrize("text", HOSTILE)
def test_template_syntax_in_a_value_is_not_interpreted(text):
    parts = (Text(text), Variable("timestamp"))
    step = ir.Let("hostile", ir_values.Join(parts))

    for language in Language:
        code = render(backend(language), replace(stripe(), steps=(*stripe().steps, step)))
        assert backend(language).concat(parts) in code


@pytest.mark.parametrize(
    ("language", "header"),
    [
        ("javascript", r"headers[`x-\`\$${n + 1}\`-${n + 1}`]"),
        ("php", r"""$headers["x-`\${$n}`-{$n}"]"""),
    ],
)
def test_the_name_of_a_numbered_header_is_quoted(language, header):
    step = ir.ReadHeaders("others", numbered="X-`${n}`-{n}")

    assert header in render(backend(language), replace(stripe(), steps=(step, *stripe().steps)))


def test_a_variable_named_like_a_keyword_of_c_sharp_is_still_a_variable():
    assert backend("csharp").name("checked") == "@checked"
    assert backend("csharp").name("event_id") == "eventId"
