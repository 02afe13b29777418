"""Generate the parts of a request that its sender makes up, such as the id of a delivery."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from hook_widgets.webhooks.scheme import Part

ALPHABETS = {
    "hex": "0123456789abcdef",
    "digits": "0123456789",
    "base62": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "crockford": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    "base32": "abcdefghijklmnopqrstuvwxyz234567",
}
_KSUID_BEGIN = datetime(2014, 5, 13, 16, 53, 20, tzinfo=UTC)
_UNIX_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_UUID_BEGIN = datetime(1582, 10, 15, tzinfo=UTC)


def generate_part(part: Part, moment: datetime, random: Random) -> str:
    """Return a value of a part.

    Sources: RFC 9562 for UUIDs, github.com/segmentio/ksuid for KSUIDs, github.com/ulid/spec for ULIDs. A time
    outside the years that a form can write begins again at its first one.
    """
    match part.make:
        case _ if part.value is not None:
            return part.value
        case "uuid":
            text = str(UUID(int=random.getrandbits(128), version=4))
        case "uuid1":
            text = str(_uuid1(moment, random))
        case "ksuid":
            seconds = (moment - _KSUID_BEGIN) // timedelta(seconds=1) % 2**32
            text = _digits(seconds << 128 | random.getrandbits(128), ALPHABETS["base62"], 27)
        case "ulid":
            milliseconds = (moment - _UNIX_BEGIN) // timedelta(milliseconds=1) % 2**48
            text = _digits(milliseconds << 80 | random.getrandbits(80), ALPHABETS["crockford"], 26)
        case "base64":
            text = b64encode(random.randbytes(part.length)).decode()
        case alphabet:
            text = "".join(random.choices(ALPHABETS[alphabet or "base62"], k=part.length))
    return part.prefix + (text.upper() if part.upper else text)


def _uuid1(moment: datetime, random: Random) -> UUID:
    ticks = (moment - _UUID_BEGIN) // timedelta(microseconds=1) * 10 % 2**60
    node = random.getrandbits(48) | 1 << 40  # no address of this machine (RFC 9562, 6.10)
    low, middle, high = ticks & 0xFFFF_FFFF, ticks >> 32 & 0xFFFF, ticks >> 48
    return UUID(
        int=low << 96 | middle << 80 | high << 64 | random.getrandbits(64) & 0xFFFF << 48 | node, version=1
    )


def _digits(number: int, alphabet: str, length: int) -> str:
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, len(alphabet))
        digits = alphabet[digit] + digits
    return digits
