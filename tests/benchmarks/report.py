"""Collect the rows of all benchmarks in one table, and append it to the page on performance.

A benchmark is a module with ``parts``, each of which measures some rows, and a ``main`` that emits them.
``python -m tests.benchmarks.run NAME...`` runs benchmarks: it prints their rows, and appends them to the file
named by ``BENCH_ROWS``, as each may run in another environment. A part that fails is a gap, and the others
still run. Then ``python -m tests.benchmarks.report FILE`` prints the table of all and the gaps, and appends
the table to the page if there is no gap.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "performance.md"
ROWS: Final = "BENCH_ROWS"

_HEADINGS: Final = ("what", "ours", "anchor", "unit", "ratio", "runs", "anchor is")
_GIB: Final = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measurement beside that of an anchor: another library, a physical limit, or an upper limit of ours.

    Attributes:
        what: what is measured.
        ours: our cost, in `unit`.
        anchor: the anchor's cost, in `unit`.
        anchor_name: the anchor.
        unit: unit of both, of something that is better when less.
        runs: number of measurements that `ours` is the median or the best of.
    """

    what: str
    ours: float
    anchor: float
    anchor_name: str
    unit: str
    runs: int

    @property
    def ratio(self) -> float:
        """The anchor's cost divided by ours: above 1, ours is the lower one."""
        return self.anchor / self.ours

    @property
    def cells(self) -> tuple[str, ...]:
        """The texts of the row, in the order of the headings."""
        figures = (
            _short(self.ours),
            _short(self.anchor),
            self.unit,
            f"{_short(self.ratio)}x",
            str(self.runs),
        )
        return (self.what, *figures, self.anchor_name)


def _short(value: float) -> str:
    """Format a number with three digits.

    >>> _short(0.01234), _short(12.34), _short(12345.6)
    ('0.0123', '12.3', '12,346')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


Parts = Mapping[str, Callable[[], Iterable[Row]]]
"""Functions that measure rows, by what the rows have in common."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows that could not be measured.

    Attributes:
        what: what they measure.
        reason: the error.
    """

    what: str
    reason: str

    def __str__(self) -> str:
        return f"missing: {self.what}: {self.reason}"

    @classmethod
    def of(cls, what: str, error: Exception) -> Gap:
        """Return the gap that an error makes, with the first line of its text."""
        first, *_ = str(error).splitlines() or [""]
        return cls(what, f"{type(error).__name__}: {first}")


@dataclass(frozen=True, slots=True)
class Collected:
    """Rows of several benchmarks, the versions of what they used, by name, and the rows they lack."""

    rows: Sequence[Row]
    versions: Mapping[str, str]
    gaps: Sequence[Gap] = ()


def emit(parts: Parts, *packages: str, **others: str) -> Sequence[Gap]:
    """Measure the parts of a benchmark, print their rows and gaps, and append both to ``BENCH_ROWS``.

    Args:
        parts: the parts.
        packages: Python packages that are used; one that is not installed leaves a gap.
        others: versions of other software, by name.

    Returns:
        the gaps.
    """
    rows: list[Row] = []
    gaps: list[Gap] = []
    for what, measure in parts.items():
        try:
            rows.extend(measure())
        except Exception as error:  # noqa: BLE001 - the other parts are measured all the same
            gaps.append(Gap.of(what, error))
    print(table(rows))
    installed = {name: version(name) for name in packages if any(distributions(name=name))}
    record(rows, gaps, {"Python": platform.python_version(), **installed, **others})
    return gaps


def record(rows: Sequence[Row], gaps: Sequence[Gap], versions: Mapping[str, str]) -> None:
    """Print gaps, and append everything to the file named by ``BENCH_ROWS``."""
    for gap in gaps:
        print(gap, flush=True)
    if path := os.environ.get(ROWS):
        line = {
            "rows": [asdict(row) for row in rows],
            "gaps": [asdict(gap) for gap in gaps],
            "versions": dict(versions),
        }
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def collected(path: Path) -> Collected:
    """Read the file to which benchmarks appended their rows."""
    rows: list[Row] = []
    gaps: list[Gap] = []
    versions: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        part = json.loads(line)
        rows.extend(Row(**row) for row in part["rows"])
        gaps.extend(Gap(**gap) for gap in part["gaps"])
        for name, each in part["versions"].items():
            versions.setdefault(name, set()).add(each)
    joined = {name: " and ".join(sorted(versions[name])) for name in sorted(versions, key=str.lower)}
    return Collected(rows, joined, gaps)


def table(rows: Sequence[Row]) -> str:
    """Return an aligned table, which is also one of Markdown."""
    lines = [_HEADINGS, *(row.cells for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    right = [heading in ("ours", "anchor", "ratio", "runs") for heading in _HEADINGS]
    rule = ["-" * (width - 1) + ":" if end else "-" * width for width, end in zip(widths, right, strict=True)]
    texts = [
        [
            cell.rjust(width) if end else cell.ljust(width)
            for cell, width, end in zip(line, widths, right, strict=True)
        ]
        for line in lines
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (texts[0], rule, *texts[1:]))


def machine() -> str:
    """Describe the machine, without its name."""
    cores = os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    load = os.getloadavg()[2] / cores
    shared = f"average load of the last 15 minutes: {load:.1f} for each core"
    return f"{_cpu_model()}, {cores} cores, {memory:.0f} GiB of memory; {_system()}; {shared}"


def _cpu_model() -> str:
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text(encoding="utf-8").splitlines() if cpus.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _system() -> str:
    release = Path("/etc/os-release")
    if not release.is_file():
        return f"{platform.system()} {platform.release()}"
    return platform.freedesktop_os_release()["PRETTY_NAME"]


def section(results: Collected, *, at: datetime, machine: str) -> str:
    """Return a section of the page, in Markdown."""
    versions = ", ".join(f"{name} {each}" for name, each in results.versions.items())
    heading = f"## {at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return f"{heading}\n\n{machine}.\n\nVersions: {versions}.\n\n{table(results.rows)}\n"


def append(page: Path, section: str) -> None:
    """Append a section to a page; its earlier sections stay as they are."""
    with page.open("a", encoding="utf-8") as file:
        file.write(f"\n{section}")


def main(path: Path, page: Path = PAGE) -> None:
    """Print the table of all rows in a file, and append it to the page if it is complete.

    Raises:
        SystemExit: rows are missing.
    """
    results = collected(path)
    print(f"\nAll rows; ratio: anchor / ours, above 1 is better than the anchor\n\n{table(results.rows)}")
    if results.gaps:
        print(*("", *results.gaps), sep="\n")
        sys.exit(f"not appended to {page.name}, because rows are missing")
    append(page, section(results, at=datetime.now(UTC), machine=machine()))
    print(f"\nappended to {page.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
