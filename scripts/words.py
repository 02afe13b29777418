"""Check the words of source and tests: openings of docstrings and comments, names, and texts for users.

    python scripts/words.py

A docstring states what something is or does, so none opens with a question word. A variable is named by what
it holds, so none is called `found` or `given`. Texts that users read take the term of the field: a request is
rejected, not refused; test names follow that, too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUESTION = re.compile(r"(?:What|How|Where|Whether|Why|Who|Whose|When|Which)\b")
COMMENT = re.compile(
    r"(?:/\*\*?\s*(?:\*\s*)?|//\s*)(?!When\b[^*\n]*,)(?=(?:What|How|Where|Whether|Why|Who|Whose|When|Which)\b)"
)
VARIABLES = {"found", "given", "kept", "made", "told", "wanted"}
SCRIPT_VARIABLES = VARIABLES | {"glance", "hear", "ours", "said", "theirs"}
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
SCRIPT_VARIABLE = re.compile(
    r"(?:\b(?:const|let|var|function)\s+|[({\[,]\s*|\.\.\.)"
    rf"({'|'.join(sorted(SCRIPT_VARIABLES))})\s*(?=[:=,)\]}}?(;<]|of\b|in\b)"
)
TERMS = {
    r"anew": "again, or a verb with re-",
    r"answered so": "returns",
    r"believ(?:es?|ed)": "assume",
    r"gainsays?": "contradict",
    r"hearken": "listen",
    r"judg(?:es?|ed|ing)": "verify",
    r"ladders?": "scale",
    r"slip of the pen": "typo",
    r"whoever|whosever": "the one who does it",
    r"written again": "re-serialized",
}
UI_TERMS = TERMS | {r"refus(?:e|es|ed|als?|ing)": "reject"}
TEST_NAMES = {"refus": "reject", "_told": "report, describe or distinguish"}
UI = (
    "src/hook_widgets/widgets",
    "src/hook_widgets/*/reporting",
    "src/hook_widgets/*/planning",
    "src/hook_widgets/*/plotting",
    "src/hook_widgets/*/diagnosis",
    "src/hook_widgets/*/compat",
)


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
        for word, term in discouraged(docstring, TERMS):
            yield line, f'the docstring says "{word}": use "{term}"'
    for line, name in variables(tree):
        if name in VARIABLES:
            yield line, f'a variable is called "{name}"'


def test_faults(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield line and description of each fault in a Python module of tests.

    >>> list(test_faults('def test_a_bad_key_is_refused():\n    "How it ends."'))
    [(2, 'the docstring opens with "How"'), (1, 'the name says "refus": use "reject"')]
    """
    yield from python_faults(text)
    for word, term in TEST_NAMES.items():
        for name in re.finditer(rf"def test_\w*{word}", text):
            yield line_at(text, name.start()), f'the name says "{word.strip("_")}": use "{term}"'


def ui_faults(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield line and description of each fault in the texts of a Python module that users read.

    >>> list(ui_faults('def label():\n    "Refused."\n    return "2 refused"'))
    [(3, 'the text says "refused": use "reject"')]
    """
    tree = ast.parse(text)
    documented = {line for line, _ in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.lineno not in documented:
            for word, term in discouraged(node.value, UI_TERMS):
                yield node.lineno, f'the text says "{word}": use "{term}"'


def discouraged(text: str, terms: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each discouraged word of a text, with the term that replaces it."""
    for pattern, term in terms.items():
        for word in re.finditer(rf"\b(?:{pattern})\b", text, re.IGNORECASE):
            yield word[0], term


def script_faults(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield line and description of each fault in a module of TypeScript or JavaScript.

    >>> list(script_faults('/** What it is. */\n// How it works\n// When it ends, close'))
    [(1, 'the comment opens with "What"'), (2, 'the comment opens with "How"')]
    >>> list(script_faults('const { style, ...made } = load((given: string) => say("found")); // (told)'))
    [(1, 'a variable is called "made"'), (1, 'a variable is called "given"')]
    >>> list(script_faults('say("2 refused");'))
    [(1, 'the text says "refused": use "reject"')]
    """
    for number, line in enumerate(text.splitlines(), 1):
        for word, term in discouraged(line, UI_TERMS):
            yield number, f'the text says "{word}": use "{term}"'
    for opening in COMMENT.finditer(text):
        question = QUESTION.match(text, opening.end())
        yield line_at(text, opening.end()), f'the comment opens with "{question[0] if question else ""}"'
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
    for pattern, check in (
        ("src/**/*.py", python_faults),
        ("scripts/**/*.py", python_faults),
        ("docs/**/*.py", python_faults),
        ("tests/**/*.py", test_faults),
        *((f"{folder}/**/*.py", ui_faults) for folder in UI),
        ("js/src/**/*.ts*", script_faults),
        ("js/tests/**/*.[jt]s*", script_faults),
        ("js/*.mjs", script_faults),
    ):
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            for line, fault in check(path.read_text(encoding="utf-8")):
                yield f"{name}:{line}: {fault}"


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
