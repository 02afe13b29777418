"""A file of another archive than the pinned one never reaches a page."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from scripts import frontend, static_pages


def archive(content: bytes) -> bytes:
    """An npm package with one file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as written:
        info = tarfile.TarInfo("package/dist/it.js")
        info.size = len(content)
        written.addfile(info, io.BytesIO(content))
    return packed.getvalue()


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """`npm pack` puts this archive into the folder."""
    packed = archive(b"export default 1;")

    def pack(*arguments: str) -> None:
        (Path(arguments[-1]) / "it-1.0.0.tgz").write_bytes(packed)

    monkeypatch.setattr(frontend, "npm", pack)
    return packed


def test_the_pinned_archive_gives_its_file(registry: bytes):
    pinned = "sha512-" + base64.b64encode(hashlib.sha512(registry).digest()).decode()

    assert b"export default 1;" == static_pages.take("it@1.0.0", "package/dist/it.js", pinned)


def test_an_archive_with_another_hash_is_rejected(registry: bytes):
    pinned = "sha512-" + base64.b64encode(hashlib.sha512(b"another archive").digest()).decode()

    with pytest.raises(SystemExit, match="it was exchanged"):
        static_pages.take("it@1.0.0", "package/dist/it.js", pinned)
