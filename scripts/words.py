"""Check the words of the source: how docstrings open, and how variables are called.

    python scripts/words.py

A docstring states what something is or does, so none opens with a question word. A variable is named by what
it holds, so none is called `found` or `given`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUESTION = re.compile(r"(?:What|How|Where|Whether|Why|Who|Whose|When|Which)\b")
COMMENT = re.compile(r"/\*\*\s*(?:\*\s*)?(?=(?:What|How|Where|Whether|Why|Who|Whose|When|Which)\b)")
VARIABLES = {"found", "given", "kept", "made", "told", "wanted"}
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
SCRIPT_VARIABLE = re.compile(
    r"(?:\b(?:const|let|var|function)\s+|[({\[,]\s*|\.\.\.)"
    rf"({'|'.join(sorted(VARIABLES))})\s*(?=[:=,)\]}}?(;<]|of\b|in\b)"
)
WORDS = re.compile(r"\b(?:anew|whosever|whoever|hearken|slip of the pen)\b", re.IGNORECASE)


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring, those of attributes included."""
    for node in ast.walk(tree):
        for statement in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str):
                    yield statement.lineno, text


def variables(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of each variable and parameter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def python_faults(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield line and description of each fault in a Python module.

    >>> list(python_faults('def size(given):\n    "How large it is."'))
    [(2, 'the docstring opens with "How"'), (1, 'a variable is called "given"')]
    """
    tree = ast.parse(text)
    for line, docstring in docstrings(tree):
        if opening := QUESTION.match(docstring.lstrip()):
            yield line, f'the docstring opens with "{opening[0]}"'
        if word := WORDS.search(docstring):
            yield line, f'the docstring says "{word[0]}"'
    for line, name in variables(tree):
        if name in VARIABLES:
            yield line, f'a variable is called "{name}"'


def script_faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and description of each fault in a TypeScript module.

    >>> list(script_faults('/** What it is. */'))
    [(1, 'the comment opens with "What"')]
    >>> list(script_faults('const { style, ...made } = load((given: string) => say("found")); // (told)'))
    [(1, 'a variable is called "made"'), (1, 'a variable is called "given"')]
    """
    for opening in COMMENT.finditer(text):
        word = QUESTION.match(text, opening.end())
        yield line_at(text, opening.end()), f'the comment opens with "{word[0] if word else ""}"'
    code = NOT_CODE.sub(blank, text)
    for variable in SCRIPT_VARIABLE.finditer(code):
        yield line_at(code, variable.start(1)), f'a variable is called "{variable[1]}"'


def line_at(text: str, index: int) -> int:
    """Return the number of the line that contains an index."""
    return text.count("\n", 0, index) + 1


def blank(part: re.Match[str]) -> str:
    """Replace everything but line breaks by spaces, so that lines keep their numbers."""
    return re.sub(r"[^\n]", " ", part[0])


def faults() -> Iterator[str]:
    """Yield every fault with its file and line."""
    for folder, pattern, check in (
        ("src", "*.py", python_faults),
        ("scripts", "*.py", python_faults),
        ("js/src", "*.ts*", script_faults),
    ):
        for path in sorted((ROOT / folder).rglob(pattern)):
            for line, fault in check(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(ROOT)}:{line}: {fault}"


def main() -> int:
    """Print the faults, and return their number as far as an exit code goes."""
    number = 0
    for fault in faults():
        print(fault)
        number += 1
    print(f"Words: {number or 'no'} faults")
    return min(number, 1)


if __name__ == "__main__":
    sys.exit(main())
