"""Notebooks run as on a machine that makes it hard for them.

There is no network: kernels, and what those start, reach this machine only. The folder for temporary files
has a blank in its name, as users with two names have one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module", autouse=True)
def hard_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent / "offline"))
        for name in ("TMPDIR", "TEMP", "TMP"):
            patch.setenv(name, str(tmp_path_factory.mktemp("of Ada Lovelace")))
        yield
