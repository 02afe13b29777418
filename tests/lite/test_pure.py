"""A wheel without its compiled part: whole by its own record, and usable."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts.lite.pure import without_compiled_part

FILES = {
    "acme/__init__.py": b"try:\n    from acme._fast import two\nexcept ImportError:\n    two = 2\n",
    "acme/_fast.cpython-314-x86_64-linux-gnu.so": b"\x7fELF",
    "acme/_fast.c": b"",
    "acme-1.2.dist-info/METADATA": b"Metadata-Version: 2.4\nName: acme\nVersion: 1.2\n",
    "acme-1.2.dist-info/WHEEL": b"Wheel-Version: 1.0\nTag: cp314-cp314-manylinux2014_x86_64\n",
    "acme-1.2.dist-info/RECORD": b"",
}


@pytest.fixture
def pure(tmp_path: Path) -> Path:
    wheel = tmp_path / "acme-1.2-cp314-cp314-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
    with ZipFile(wheel, "w") as archive:
        for path, content in FILES.items():
            archive.writestr(path, content)
    return without_compiled_part(wheel)


def test_the_wheel_for_another_platform_is_gone(pure: Path):
    assert [pure] == list(pure.parent.iterdir())
    assert "acme-1.2-py3-none-any.whl" == pure.name


def test_pip_installs_it_and_its_module_is_imported(pure: Path, tmp_path: Path):
    target = tmp_path / "site"
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--target",
        target,
        pure,
    ]
    subprocess.run([*pip, "--disable-pip-version-check", "--no-warn-script-location"], check=True)

    code = "import acme; print(acme.two)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(target)},
        check=True,
        capture_output=True,
        text=True,
    )

    assert "2" == run.stdout.strip()
    assert ["__init__.py"] == [path.name for path in (target / "acme").iterdir() if path.is_file()]


def test_no_time_of_packing_changes_its_hash(pure: Path):
    with ZipFile(pure) as archive:
        assert {(1980, 1, 1, 0, 0, 0)} == {info.date_time for info in archive.infolist()}
