"""Test the PNG files with Pillow."""

from __future__ import annotations

import random
from io import BytesIO

import pytest
from PIL import Image

from hook_widgets._plotting.mpl.png import png


@pytest.mark.parametrize(("width", "height"), [(1, 1), (7, 3), (300, 200)])
def test_what_is_read_is_what_was_written(width, height):
    rgba = random.Random(1).randbytes(4 * width * height)

    image = Image.open(BytesIO(png(memoryview(rgba), width, height)))
    image.load()

    assert ("PNG", "RGBA", (width, height)) == (image.format, image.mode, image.size)
    assert rgba == image.tobytes()


def test_every_chunk_has_its_checksum():
    file = png(memoryview(bytes(range(16))), 2, 2)
    Image.open(BytesIO(file)).verify()

    for place in range(8, len(file) - 12):
        broken = bytearray(file)
        broken[place] ^= 1
        with pytest.raises((OSError, SyntaxError, ValueError)):
            Image.open(BytesIO(broken)).verify()
