"""Comments and docstrings: each file and each name of code that they mention exists."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATH = re.compile(r"(?<![\w/.*{<-])((?:\.\.?/)*(?:[\w-]+/)*[\w-]+\.(?:tsx?|pyi?|mjs|css|toml))\b(?![\w/.(])")
#: a name in backticks with a capital or an underscore within, which no word of a text has
NAME = re.compile(r"`+((?:\w+\.)*\w*(?:[a-z][A-Z]|_)[\w.]*)(?:\(\))?`+")
SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
#: comments, docstrings and data in several lines; other texts, in which a # begins no comment
PYTHON_COMMENT = re.compile(
    r"""(?P<text>[rRbBfFuU]*(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}))|(?P<comment>\#[^\n]*)
    |"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL | re.VERBOSE,
)
#: the statements within a statement
BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
#: names and files of other projects, and of examples
ELSEWHERE = {
    "AsyncClient",
    "ClientSession",
    "RequestValidator.compute_signature",
    "client_user",
    "disable_penalty",
    "escapeJavaScript",
    "docs/a.md",
    "HTTP_X_SIGNATURE",
    "read_header",
    "retries/quota.py",
    "retries/standard.py",
    "tests/test_webhooks.py",
    "webhookId",
}


def tracked(*patterns: str) -> list[Path]:
    done = subprocess.run(
        ["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in done.stdout.splitlines()]


def python_comments(text: str) -> Iterator[str]:
    yield from filter(None, (match["comment"] for match in PYTHON_COMMENT.finditer(text)))
    statements: list[ast.AST] = [ast.parse(text)]
    for node in statements:
        statements += [inner for block in BLOCKS for inner in getattr(node, block, ())]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def python_words(text: str) -> list[str]:
    return re.findall(r"\w+", PYTHON_COMMENT.sub(lambda match: "" if match.lastgroup else match[0], text))


def test_each_file_and_name_in_a_comment_exists():
    parts = [path.relative_to(ROOT).parts for path in tracked()]
    paths = {"/".join(names[start:]) for names in parts for start in range(len(names))}
    words: set[str] = set()
    comments: list[tuple[Path, str]] = []
    for path in tracked("src/hook_widgets/*.py", "scripts/*.py", "tests/*.py"):
        text = path.read_text()
        words.update(python_words(text))
        if path.parts[len(ROOT.parts)] != "tests":
            comments += [(path, comment) for comment in python_comments(text)]
    for path in tracked("js/src/*.ts", "js/src/*.tsx"):
        text = path.read_text()
        words.update(re.findall(r"\w+", SCRIPT_COMMENT.sub("", text)))
        comments += [(path, comment) for comment in SCRIPT_COMMENT.findall(text)]

    def named(path: Path, name: str) -> bool:
        return (path.parent / name).is_file() if name.startswith(".") else name in paths

    faults = [
        (str(path.relative_to(ROOT)), mention)
        for path, comment in comments
        for mention in {name for name in PATH.findall(comment) if not named(path, name)}
        | {name for name in NAME.findall(comment) if not words.issuperset(name.split("."))}
        if mention not in ELSEWHERE
    ]

    assert [] == faults
    assert len(comments) > 5_000
