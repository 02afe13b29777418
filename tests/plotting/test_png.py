"""Test the PNG files with Pillow."""

from __future__ import annotations

import random
from io import BytesIO

import pytest
from PIL import Image

from hook_widgets._plotting.mpl.png import PngEncoder


@pytest.mark.parametrize(("width", "height"), [(1, 1), (7, 3), (5, 12), (5, 13), (300, 200)])
def test_what_is_read_is_what_was_written(width, height):
    rgba = random.Random(1).randbytes(4 * width * height)

    image = Image.open(BytesIO(PngEncoder(width, height).encode(memoryview(rgba))))
    image.load()

    assert ("PNG", "RGBA", (width, height)) == (image.format, image.mode, image.size)
    assert rgba == image.tobytes()


def test_every_chunk_has_its_checksum():
    file = PngEncoder(2, 2).encode(memoryview(bytes(range(16))))
    Image.open(BytesIO(file)).verify()

    for place in range(8, len(file) - 12):
        broken = bytearray(file)
        broken[place] ^= 1
        with pytest.raises((OSError, SyntaxError, ValueError)):
            Image.open(BytesIO(broken)).verify()


def test_a_file_depends_on_its_pixels_and_on_none_encoded_before():
    rng = random.Random(2)
    width, height = 9, 40
    rgba = bytearray(4 * width * height)
    reused = PngEncoder(width, height)
    for _ in range(60):
        rgba[rng.randrange(len(rgba))] = rng.randrange(256)  # changes one band, rarely none
        file = reused.encode(memoryview(bytes(rgba)))

        assert PngEncoder(width, height).encode(memoryview(bytes(rgba))) == file
        assert bytes(rgba) == Image.open(BytesIO(file)).tobytes()


def test_a_band_that_did_not_change_is_compressed_once(monkeypatch):
    compressed: list[int] = []
    compress = PngEncoder._compress

    def recorded(self: PngEncoder, k: int, pixels: bytes) -> None:
        compressed.append(k)
        compress(self, k, pixels)

    monkeypatch.setattr(PngEncoder, "_compress", recorded)
    rgba = bytearray(4 * 10 * 30)
    encoder = PngEncoder(10, 30)
    encoder.encode(memoryview(bytes(rgba)))
    rgba[4 * 10 * 15] = 1  # row 15, in the second of three bands of 12 rows
    encoder.encode(memoryview(bytes(rgba)))

    assert [0, 1, 2, 1] == compressed
