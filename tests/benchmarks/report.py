"""Collect the rows of all benchmarks in one table, and append it to the page on performance.

A benchmark is a module with a generator of rows. Run as a module, it prints them, and appends them to the
file named by ``BENCH_ROWS``, as each may run in another environment. Then ``python -m tests.benchmarks.report
FILE`` prints the table of all, and appends it to the page.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
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


@dataclass(frozen=True, slots=True)
class Collected:
    """Rows of several benchmarks, and the versions of what they used, by name."""

    rows: Sequence[Row]
    versions: Mapping[str, str]


def emit(rows: Iterable[Row], *packages: str, **others: str) -> None:
    """Print the rows of a benchmark, and append them to the file named by ``BENCH_ROWS``.

    Args:
        rows: the rows.
        packages: installed Python packages that were used.
        others: versions of other software, by name.
    """
    measured = list(rows)
    print(table(measured))
    if path := os.environ.get(ROWS):
        versions = {
            "Python": platform.python_version(),
            **{name: version(name) for name in packages},
            **others,
        }
        line = {"rows": [asdict(row) for row in measured], "versions": versions}
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def collected(path: Path) -> Collected:
    """Read the file to which benchmarks appended their rows."""
    rows: list[Row] = []
    versions: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        part = json.loads(line)
        rows.extend(Row(**row) for row in part["rows"])
        for name, each in part["versions"].items():
            versions.setdefault(name, set()).add(each)
    return Collected(
        rows, {name: " and ".join(sorted(versions[name])) for name in sorted(versions, key=str.lower)}
    )


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
    """Print the table of all rows in a file, and append it to the page."""
    results = collected(path)
    print(f"\nAll rows; ratio: anchor / ours, above 1 is better than the anchor\n\n{table(results.rows)}")
    append(page, section(results, at=datetime.now(UTC), machine=machine()))
    print(f"\nappended to {page.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
