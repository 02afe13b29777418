"""Test that error messages have one form: lower case, no full stop, the cause first, then the remedy."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import hook_widgets
from hook_widgets import errors
from tests.support.message_form import VALUE, faults

SOURCE = Path(str(hook_widgets.__file__)).parent
HELPERS = {name for name, value in vars(errors).items() if isinstance(value, type)} | {
    "Fault", "ParseError", "RpcError", "_blocked", "_error", "_wrong", "invalid", "unexpected", "wrong",
}  # fmt: skip
"""Names by which an error is created from its message."""


def texts(node: ast.expr, constants: Mapping[str, ast.expr]) -> Iterator[str]:
    """Yield the text of a literal or of a constant of the module; `VALUE` stands for each value in it."""
    match node:
        case ast.Name(id=name) if name in constants:
            yield from texts(constants[name], {})
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in parts)
        case ast.IfExp(body=body, orelse=other):
            yield from texts(body, constants)
            yield from texts(other, constants)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for begin in list(texts(left, constants)) or [VALUE]:
                yield from (begin + end for end in texts(right, constants))
        case _:
            return


def messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each message: raised, or passed to a function that makes an error."""
    calls: dict[int, ast.Call] = {}
    constants = dict(_constants(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            calls[id(node.exc)] = node.exc
        elif isinstance(node, ast.Call) and _name(node.func) in HELPERS:
            calls[id(node)] = node
    for call in calls.values():
        for argument in call.args:
            yield from ((argument.lineno, text) for text in texts(argument, constants) if " " in text)


def _constants(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            yield _name(node.target), node.value
        elif isinstance(node, ast.Assign):
            yield from ((_name(target), node.value) for target in node.targets)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.relative_to(SOURCE).as_posix()
)
def test_every_message_is_one_phrase_in_lower_case(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))

    wrong = [(line, text, breaches) for line, text in messages(tree) if (breaches := faults(text))]

    assert [] == wrong


def test_the_search_finds_the_messages() -> None:
    every = [
        text for path in SOURCE.rglob("*.py") for _, text in messages(ast.parse(path.read_text("utf-8")))
    ]

    assert 500 < len(every)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('raise InvalidApi("There is no version")', "begins with a capital letter"),
        ('raise InvalidApi(f"The zone {zone} is unknown")', "begins with a capital letter"),
        ('raise InvalidApi("the zone is empty.")', "ends with a full stop"),
        ('raise InvalidApi(f"the zone is {zone}.")', "ends with a full stop"),
        ('raise InvalidApi("the zone is empty. Write UTC")', "is more than one sentence"),
        ('raise InvalidApi(f"no zone {zone!r}. {hint} Or none. Write UTC")', "is more than one sentence"),
        ('raise error("a " + "zone. Write UTC")', "is more than one sentence"),
        ('raise InvalidApi("the zone is " + ("empty." if short else "long"))', "ends with a full stop"),
        ('raise _blocked(host, "port", "port 0 is closed. Write another")', "is more than one sentence"),
        ('return InvalidApi("The zone is empty", field="zone")', "begins with a capital letter"),
        ("raise InvalidApi(_ADVICE)\n_ADVICE = 'the zone is empty. Write UTC'", "is more than one sentence"),
        ('yield Fault(path, "it is missing. Add it")', "is more than one sentence"),
    ],
)
def test_a_message_of_another_form_is_found(source: str, expected: str) -> None:
    tree = ast.parse(source)

    assert expected in [fault for _, text in messages(tree) for fault in faults(text)]


@pytest.mark.parametrize(
    "text",
    [
        "the zone is empty; write UTC",
        "JSON has no comments; remove this one",
        f"{VALUE}; did you mean {VALUE}?",
        "write it as 'Mon, 21 Sep 2026. At noon.'",
        'put the text in double quotes, "…"',
    ],
)
def test_a_message_of_this_form_passes(text: str) -> None:
    assert [] == faults(text)
