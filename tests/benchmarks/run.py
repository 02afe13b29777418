"""Run benchmarks by name: ``python -m tests.benchmarks.run NAME...``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from tests.benchmarks.report import ROWS, Gap, record


def main(names: Sequence[str]) -> None:
    """Run each; one that cannot be imported or started is a gap, and the others still run.

    Raises:
        SystemExit: there are gaps, and no file by which `report` learns of them.
    """
    gaps: list[Gap] = []
    for name in names:
        try:
            gaps += import_module(f"tests.benchmarks.{name}").main()
        except Exception as error:  # noqa: BLE001 - the others run all the same
            gaps.append(Gap.of(f"all rows of {name}", error))
            record([], gaps[-1:], {})
    if gaps and ROWS not in os.environ:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
