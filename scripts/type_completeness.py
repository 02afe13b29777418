"""Check that type checkers other than ours know every public type.

    python -m scripts.type_completeness

Runs pyright over typing_tests, whose calls are written as a user writes them, and lets it verify that each
symbol of the package has a known type that no checker has to infer.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.frontend import JS, ROOT, node_path, packages

# ipywidgets has no types, so the widgets' base class, and nothing else of them, is unknown.
UNTYPED_BASE = ("Type of metaclass unknown", 'Type of base class "hook_widgets.widgets.')


def pyright(*args: str) -> tuple[int, dict[str, Any]]:
    """Run pyright and return its exit code and its report."""
    path = node_path()
    # It takes search paths for --verifytypes from here alone.
    search = os.pathsep.join([str(ROOT / "src"), sysconfig.get_path("purelib")])
    run = subprocess.run(
        ["node", str(JS / "node_modules/pyright/index.js"), "--outputjson", *args],
        cwd=ROOT,
        env={**os.environ, "PATH": path or "", "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        return run.returncode, json.loads(run.stdout)
    except json.JSONDecodeError:
        sys.exit(f"pyright failed with code {run.returncode}:\n{run.stdout}{run.stderr}")


def unknown_types(report: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each symbol whose type is not known or not the same for every checker."""
    for symbol in report["typeCompleteness"]["symbols"]:
        if symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]:
            continue
        for diagnostic in symbol["diagnostics"]:
            message = diagnostic["message"].splitlines()[0]
            if not message.startswith(UNTYPED_BASE):
                yield f"{symbol['name']}: {message}"


def wrong_calls(report: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each error in typing_tests."""
    for diagnostic in report["generalDiagnostics"]:
        line = diagnostic["range"]["start"]["line"] + 1
        yield f"{Path(diagnostic['file']).name}:{line}: {diagnostic['message']}"


def main() -> None:
    """Print the faults, and exit with 1 if there are any."""
    packages()
    _, calls = pyright("typing_tests")
    _, types = pyright("--verifytypes", "hook_widgets", "--ignoreexternal")
    symbols = types["typeCompleteness"]["symbols"]
    checked = calls["summary"]["filesAnalyzed"]
    if not symbols or not checked:
        sys.exit("pyright found nothing to check: is the package on its search path?")
    faults = [*wrong_calls(calls), *unknown_types(types)]
    print(*faults, sep="\n", end="\n" if faults else "")
    if faults:
        sys.exit(f"Types: {len(faults)} faults")
    print(f"Types: {len(symbols)} symbols known to pyright, {checked} files of calls without an error")


if __name__ == "__main__":
    main()
