"""Write PNG files fast, for pictures that are soon replaced by the next."""

from __future__ import annotations

import zlib
from struct import pack
from typing import Final

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGBA_8_BIT = (8, 6, 0, 0, 0)  # bit depth, colour type, compression, filter and interlace method
_ZLIB_HEADER = b"\x78\x01"  # window of 32 KiB, fastest compression (RFC 1950)
_ADLER_BASE: Final = 65521
_BAND_ROWS: Final = 12


class PngEncoder:
    """An encoder of pictures of one size, each of which resembles the one before.

    Bands of rows are compressed independently, so that bands that do not change are compressed once. A file
    depends on its pixels only: a band is reused if all its bytes are equal.

    Rows are not filtered: choosing a filter for each takes several times as long as the compression, and
    hardly reduces the size of large uniform areas. Format: W3C PNG, third edition, sections 5 and 11.

    Args:
        width: pixels in a row, at least 1.
        height: rows, at least 1.
    """

    def __init__(self, width: int, height: int) -> None:
        self._header = _chunk(b"IHDR", pack(">II5B", width, height, *_RGBA_8_BIT))
        self._stride, self._height = 4 * width, height
        count = -(-height // _BAND_ROWS)
        self._pixels = [b""] * count
        self._checksums = [1] * count
        self._compressed = [b""] * count

    def encode(self, rgba: memoryview) -> bytes:
        """Encode straight (not premultiplied) RGBA pixels, 8 bits per channel.

        Args:
            rgba: `height` rows of `width` times four bytes.
        """
        pixels, size = rgba.cast("B"), _BAND_ROWS * self._stride
        checksum = 1
        for k in range(len(self._pixels)):
            band = bytes(pixels[k * size : (k + 1) * size])  # compared faster than a memoryview
            if band != self._pixels[k]:
                self._compress(k, band)
            rows = len(band) // self._stride
            checksum = _adler32_combine(checksum, self._checksums[k], len(band) + rows)
        data = b"".join((_ZLIB_HEADER, *self._compressed, pack(">I", checksum)))
        return b"".join((_SIGNATURE, self._header, _chunk(b"IDAT", data), _chunk(b"IEND", b"")))

    def _compress(self, k: int, pixels: bytes) -> None:
        """Compress band `k`, the last of which ends the stream, to whole bytes."""
        rows = b"".join(
            part
            for begin in range(0, len(pixels), self._stride)
            for part in (b"\0", pixels[begin : begin + self._stride])
        )
        deflate = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
        end = zlib.Z_FINISH if k == len(self._pixels) - 1 else zlib.Z_SYNC_FLUSH
        self._compressed[k] = deflate.compress(rows) + deflate.flush(end)
        self._checksums[k] = zlib.adler32(rows)
        self._pixels[k] = pixels


def _adler32_combine(first: int, second: int, length: int) -> int:
    """Return the Adler-32 of two joined texts from their own; `length` is that of the second (RFC 1950)."""
    low = (first & 0xFFFF) + (second & 0xFFFF) - 1
    high = (first >> 16) + (second >> 16) + length * ((first & 0xFFFF) - 1)
    return high % _ADLER_BASE << 16 | low % _ADLER_BASE


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
