"""What a diagnosis says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hook_widgets.webhooks.diagnosis.causes import Finding, Mention
from hook_widgets.webhooks.scheme.fields import sha256_hex
from hook_widgets.webhooks.text.bodyfacts import visible
from hook_widgets.webhooks.verifying import Verdict

_CONTEXT = 12  # bytes shown at the first difference


@dataclass(frozen=True, slots=True)
class BaseString:
    """A text that is signed.

    Attributes:
        label: which one it is.
        length: in bytes.
        sha256: in hex.
        shown: its beginning, with nothing invisible in it.
    """

    label: str
    length: int
    sha256: str
    shown: str

    @classmethod
    def of(cls, label: str, message: bytes) -> BaseString:
        """The facts about a base string."""
        return cls(label, len(message), sha256_hex(message), visible(message)[0])


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a request does not verify. It holds neither the secret nor an expected signature.

    Attributes:
        verdict: what `verify` says.
        provider: the id of the provider; None when none was given and none recognised.
        detected: ids of the providers whose headers these are, the likeliest first, when none was given.
        findings: what was the matter, two things at most; none when nothing that was tried verifies, or
            when nothing is the matter.
        excluded: what was tried without success, and what cannot be tried, in words.
        strings: the base strings that are known: by the request as received, as sent, and as it verified.
        difference: where the first two of them first differ, in words; "" when that is not known.
    """

    verdict: Verdict
    provider: str | None
    detected: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    excluded: tuple[str, ...] = ()
    strings: tuple[BaseString, ...] = ()
    difference: str = ""

    def __str__(self) -> str:
        lines = [self.verdict.detail]
        for found in self.findings:
            lines += [f"{found.title}.", f"  {found.change}"]
            lines += [f"  {name}: {call}" for name, call in found.frameworks]
        lines += self.excluded
        return "\n".join(lines)


def difference(received: bytes, other: bytes, *, other_is: str) -> str:
    """Where two texts first differ, in words; "" when they do not.

    >>> difference(b'{"a": 1}', b'{"a":1}', other_is="signed")
    'they first differ at byte 5: received ‘·1}’, signed ‘1}’'
    """
    if received == other:
        return ""
    place = _common(received, other)
    return (
        f"they first differ at byte {place}: received {_at(received, place)}, {other_is} {_at(other, place)}"
    )


def _common(first: bytes, second: bytes) -> int:
    """The length of the beginning that two texts share."""
    low, high = 0, min(len(first), len(second))
    while low < high:  # a slice compares at the speed of memory
        middle = (low + high + 1) // 2
        if first[:middle] == second[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _at(text: bytes, place: int) -> str:
    if place >= len(text):
        return "nothing more"
    shown, _ = visible(text[place : place + _CONTEXT].decode("utf-8", "surrogateescape"))
    one_line = shown.replace("\n", "")  # in a sentence the mark of a line feed is enough
    return f"‘{one_line}’"


_ROOMS = (
    ("secret", "reading", "of the secret (prefix, base64, hex, quotes, line ends …)"),
    ("body", "form", "of the body (white space, escapes, line ends, encodings …)"),
    ("timestamp", "reading", "of the timestamp (units, other headers)"),
    ("message", "form", "of the base string (parts missing, order, separators)"),
    ("algorithm", "algorithm", ""),
    ("url", "form", "of the URL (scheme, host, port, path, query)"),
    ("header", "reading", "of the headers"),
    ("signature", "signature", "of the request"),
    ("provider", "provider", ""),
)


def tried(hypotheses: Iterable[Sequence[Mention]], signatures: int) -> tuple[str, ...]:
    """What was tried without success, in words with counts."""
    singles: dict[str, int] = {}
    pairs = 0
    for mentions in hypotheses:
        if len(mentions) == 1:
            room = mentions[0].cause.partition("-")[0]
            singles[room] = singles.get(room, 0) + 1
        elif mentions:
            pairs += 1
    lines = []
    for room, what, rest in _ROOMS:
        count = singles.get(room, 0)
        if count:
            lines.append(f"{count} other {what}{'' if count == 1 else 's'} {rest}".rstrip() + ": no match")
    if pairs:
        lines.append(f"{pairs} pairs of these: no match")
    if lines and signatures > 1:
        lines.append(f"each against {signatures} texts of the request that may be a signature")
    return tuple(lines)
