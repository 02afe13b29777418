"""Wheels without their compiled part, which is optional: for Pyodide, where they have no wheel."""

from __future__ import annotations

import csv
import io
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo


def without_compiled_part(wheel: Path) -> Path:
    """Replace a wheel by one for any platform, with its Python modules only."""
    name, version, *_ = wheel.name.split("-")
    info = f"{name}-{version}.dist-info"
    with ZipFile(wheel) as archive:
        modules = [
            path for path in archive.namelist() if not path.endswith((".so", ".c", "/WHEEL", "/RECORD"))
        ]
        files = {path: archive.read(path) for path in modules}
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for path, content in files.items():
        digest = urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
        rows.writerow([path, f"sha256={digest}", len(content)])
    rows.writerow([f"{info}/RECORD", "", ""])
    files[f"{info}/RECORD"] = record.getvalue().encode()
    wheel.unlink()
    pure = wheel.with_name(f"{name}-{version}-py3-none-any.whl")
    with ZipFile(pure, "w") as archive:
        for path, content in files.items():
            archive.writestr(
                ZipInfo(path), content, ZIP_DEFLATED
            )  # no time: the same wheel has the same hash
    return pure
