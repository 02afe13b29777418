"""Test the table of the benchmarks, and the page to which it is appended."""

from __future__ import annotations

import platform
import re
import socket
import sys
from datetime import UTC, datetime, timedelta, timezone
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.benchmarks import report, run, start
from tests.benchmarks.report import Collected, Gap, Row
from tests.support.benchmarks import complete

FAST = Row(what="Sign 1 KB", ours=2.0, anchor=6.0, anchor_name="slack_sdk", unit="us", runs=25)
SLOW = Row(what="Compare", ours=12_345.6, anchor=1234.56, anchor_name="json.loads", unit="ms", runs=3)
SUITES = ("browser/jupyterlab", "peers")
AT = datetime(2026, 11, 23, 18, 5, tzinfo=timezone(timedelta(hours=2)))


def cells(line: str) -> list[str]:
    """Return the cells of a line of a Markdown table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_ratio_is_how_many_times_as_fast_as_the_anchor():
    assert 3.0 == FAST.ratio
    assert pytest.approx(0.1) == SLOW.ratio


def test_a_table_has_a_line_for_each_row_below_its_headings():
    heading, rule, *lines = report.table([FAST, SLOW]).splitlines()

    assert ["what", "ours", "anchor", "unit", "ratio", "runs", "anchor is"] == cells(heading)
    assert set("-: |") == set(rule)
    assert [
        ["Sign 1 KB", "2", "6", "us", "3x", "25", "slack_sdk"],
        ["Compare", "12,346", "1,235", "ms", "0.1x", "3", "json.loads"],
    ] == [cells(line) for line in lines]


def test_all_lines_of_a_table_are_aligned():
    lines = report.table([FAST, SLOW]).splitlines()

    assert 1 == len({tuple(i for i, char in enumerate(line) if char == "|") for line in lines})


def test_rows_of_several_benchmarks_are_collected_with_the_versions_they_used(tmp_path, monkeypatch, capsys):
    path = tmp_path / "rows.jsonl"
    monkeypatch.setenv(report.ROWS, str(path))
    report.emit({"Sign": lambda: iter([FAST])}, "numpy", Chromium="141.0")
    report.emit({"Compare": lambda: [SLOW]}, "numpy", "traitlets", Chromium="142.0")

    results = report.collected(path)

    assert [FAST, SLOW] == results.rows
    assert {
        "Chromium": "141.0 and 142.0",
        "numpy": version("numpy"),
        "Python": platform.python_version(),
        "traitlets": version("traitlets"),
    } == results.versions
    assert "Sign 1 KB" in capsys.readouterr().out


def test_a_benchmark_run_alone_prints_its_rows_and_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv(report.ROWS, raising=False)
    monkeypatch.chdir(tmp_path)
    report.emit({"Sign": lambda: [FAST]}, "numpy")

    assert "slack_sdk" in capsys.readouterr().out
    assert [] == list(tmp_path.iterdir())


def fails():
    """Measure one row, and fail before the next one."""
    yield SLOW
    raise LookupError("no such slider\nand many more lines")


def test_a_part_that_fails_leaves_a_gap_and_the_others_print(tmp_path, monkeypatch, capsys):
    path, page = tmp_path / "rows.jsonl", tmp_path / "performance.md"
    monkeypatch.setenv(report.ROWS, str(path))
    gap = Gap("Slider", "LookupError: no such slider")

    assert [gap] == report.emit({"Slider": fails, "Sign": lambda: [FAST]}, "numpy", "no-such-package")
    assert Collected(
        [SLOW, FAST], {"numpy": version("numpy"), "Python": platform.python_version()}, [gap]
    ) == (report.collected(path))
    capsys.readouterr()
    with pytest.raises(SystemExit, match="rows are missing"):
        report.main(path, page)

    printed = capsys.readouterr().out
    assert "slack_sdk" in printed
    assert "missing: Slider: LookupError: no such slider\n" in printed
    assert not page.exists(), "a table with gaps is not appended"


@pytest.mark.parametrize("alone", [True, False])
def test_a_benchmark_that_cannot_be_imported_leaves_a_gap_and_the_others_run(
    tmp_path, monkeypatch, capsys, alone
):
    path = tmp_path / "rows.jsonl"
    monkeypatch.setattr(start, "main", lambda: report.emit({"Sign": lambda: [FAST]}))
    monkeypatch.setitem(sys.modules, "tests.benchmarks.signing", None)
    if alone:
        monkeypatch.delenv(report.ROWS, raising=False)
        with pytest.raises(SystemExit):
            run.main(["signing", "start"])
    else:
        monkeypatch.setenv(report.ROWS, str(path))
        run.main(["signing", "start"])
        results = report.collected(path)
        assert ([FAST], ["all rows of signing"]) == (results.rows, [gap.what for gap in results.gaps])

    printed = capsys.readouterr().out
    assert "missing: all rows of signing: ModuleNotFoundError: " in printed
    assert "slack_sdk" in printed


def test_a_section_names_date_machine_and_versions():
    text = report.section(Collected([FAST], {"Python": "3.14.1"}), at=AT, machine="A CPU, 2 cores")

    assert text.startswith("## 2026-11-23 16:05 UTC\n\nA CPU, 2 cores.\n\nVersions: Python 3.14.1.\n\n| what")
    assert text.endswith("| slack_sdk |\n")


def test_a_section_is_appended_and_the_earlier_ones_stay(tmp_path):
    page = tmp_path / "performance.md"
    page.write_text("# Performance\n\nWhat the rows mean.\n", encoding="utf-8")
    rows = tmp_path / "rows.jsonl"
    before = page.read_text(encoding="utf-8")
    for _ in range(2):
        report.append(page, report.section(Collected([FAST], {}), at=AT, machine="A CPU"))

        after = page.read_text(encoding="utf-8")
        assert after.startswith(before)
        assert f"{before}\n## 2026-11-23 16:05 UTC\n" == after[: len(before) + 25]
        before = after
    rows.write_text('{"rows": [], "gaps": [], "versions": {}}\n', encoding="utf-8")
    report.main(rows, page)

    text = page.read_text(encoding="utf-8")
    assert text.startswith(before)
    assert 3 == text.count("\n## ")
    assert f"\n## {datetime.now(UTC):%Y-%m-%d} " in text[len(before) :]


def test_the_machine_is_described_without_its_name_or_a_path():
    text = report.machine()

    assert "cores" in text
    assert "GiB of memory" in text
    assert socket.gethostname() not in text
    assert str(Path.home()) not in text


BENCHMARKS = {
    path.stem for path in Path(report.__file__).parent.glob("*.py") if "def parts(" in path.read_text("utf-8")
}


def test_the_page_explains_the_rows_of_every_benchmark():
    page = report.PAGE.read_text(encoding="utf-8")

    assert BENCHMARKS == set(re.findall(r"`\S+ -m tests\.benchmarks\.run (\w+)`", page))


def test_make_bench_runs_every_benchmark():
    makefile = Path(__file__).parents[1].joinpath("Makefile").read_text(encoding="utf-8")
    commands = re.findall(r"-m tests\.benchmarks\.run ([a-z ]+)", makefile)

    assert sorted(BENCHMARKS) == sorted(" ".join(commands).split())


def test_every_benchmark_runs_in_the_tests():
    """Each in the suite that has what it needs; this one needs nothing else."""
    suites = [Path(__file__), *(Path(__file__).parent / folder / "test_benchmarks.py" for folder in SUITES)]

    assert BENCHMARKS == set(re.findall(r"\b(\w+)\.parts\(", "".join(map(Path.read_text, suites))))


def test_the_start_is_measured():
    assert complete(start.parts(smallest=True))
