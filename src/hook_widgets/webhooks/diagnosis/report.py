"""The result of a diagnosis, and the texts in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hook_widgets.webhooks.body.stats import visible
from hook_widgets.webhooks.diagnosis.causes import CauseRef, Finding
from hook_widgets.webhooks.scheme.fields import sha256_hex
from hook_widgets.webhooks.verification.verify import Verdict

_CONTEXT = 12  # bytes shown at the first difference


@dataclass(frozen=True, slots=True)
class BaseString:
    """The facts about a base string, the text that is signed.

    Attributes:
        label: the name of the base string, such as ``as received``.
        length: the length in bytes.
        sha256: the SHA-256 in hex.
        shown: the beginning, with visible marks for invisible characters.
    """

    label: str
    length: int
    sha256: str
    shown: str

    @classmethod
    def of(cls, label: str, message: bytes) -> BaseString:
        """Describe a base string, with its label and its exact bytes as `message`."""
        return cls(label, len(message), sha256_hex(message), visible(message)[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The reasons why a request does not verify. It holds neither the secret nor an expected signature.

    Attributes:
        verdict: the verdict of `verify`.
        provider: the id of the provider; None if none was given and none was recognised.
        detected: ids of the providers that the headers fit, the likeliest first, if none was given.
        findings: the causes, two at most; empty if no hypothesis verifies, or if nothing is wrong.
        hints: what the request and the secret show by themselves, or is known of the provider's secrets, if
            no hypothesis verifies; not proven.
        excluded: the hypotheses tested without success, in words.
        not_excluded: the causes that remain possible, because they cannot be tested, in words.
        strings: the known base strings: of the request as received, as sent, and as it verified.
        difference: the first difference between the first two base strings, in words; "" if not known.
        notes: sentences about the form that the request was read from; none for the usual arguments.
    """

    verdict: Verdict
    provider: str | None
    detected: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    hints: tuple[Finding, ...] = ()
    excluded: tuple[str, ...] = ()
    not_excluded: tuple[str, ...] = ()
    strings: tuple[BaseString, ...] = ()
    difference: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [self.verdict.detail]
        for finding in (*self.findings, *self.hints):
            lines += [f"{finding.title}.", f"  {finding.change}"]
            lines += [f"  {name}: {call}" for name, call in finding.frameworks]
        lines += self.excluded
        if self.not_excluded:
            lines += ["Not ruled out:", *(f"  {cause}" for cause in self.not_excluded)]
        lines += self.notes
        return "\n".join(lines)


def difference(received: bytes, other: bytes, *, other_is: str) -> str:
    """Describe where two byte strings first differ, in words; return "" if they are equal.

    >>> difference(b'{"a": 1}', b'{"a":1}', other_is="signed")
    'first difference at byte 5: received ‘·1}’, signed ‘1}’'
    """
    if received == other:
        return ""
    position = _common(received, other)
    here, there = _at(received, position), _at(other, position)
    return f"first difference at byte {position}: received {here}, {other_is} {there}"


def _common(first: bytes, second: bytes) -> int:
    """Return the length of the common beginning of two byte strings."""
    low, high = 0, min(len(first), len(second))
    while low < high:  # bisect: comparing slices is much faster than comparing byte by byte
        middle = (low + high + 1) // 2
        if first[:middle] == second[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _at(text: bytes, position: int) -> str:
    if position >= len(text):
        return "end of data" if text else "nothing"
    shown, _ = visible(text[position : position + _CONTEXT].decode("utf-8", "surrogateescape"))
    one_line = shown.replace("\n", "")  # the visible mark of a line feed is enough within a sentence
    return f"‘{one_line}’"


_CATEGORIES = (
    ("secret", "variant", "of the secret (prefix, base64, hex, quotes, line endings …)"),
    ("body", "variant", "of the body (whitespace, escapes, line endings, encodings …)"),
    ("timestamp", "variant", "of the timestamp (units, other headers)"),
    ("message", "variant", "of the base string (missing parts, order, separators)"),
    ("algorithm", "other algorithm", ""),
    ("url", "variant", "of the URL (scheme, host, port, path, query)"),
    ("header", "variant", "of the headers"),
    ("signature", "other signature", "of the request"),
    ("provider", "other provider", ""),
)


def tried(hypotheses: Iterable[Sequence[CauseRef]], signatures: int) -> tuple[str, ...]:
    """Count the hypotheses that did not match, in words.

    Args:
        hypotheses: the causes of each hypothesis.
        signatures: the number of texts in the request that each was tested against.
    """
    tested = [causes for causes in hypotheses if causes]
    singles = Counter(causes[0].id.partition("-")[0] for causes in tested if len(causes) == 1)
    pairs = len(tested) - singles.total()
    lines = []
    for category, noun, rest in _CATEGORIES:
        if count := singles[category]:
            lines.append(f"{count:,} {noun}{'' if count == 1 else 's'} {rest}".rstrip() + ": no match")
    if pairs:
        lines.append(f"{pairs:,} combinations of two of these: no match")
    if lines and signatures > 1:
        lines.append(f"each checked against {signatures} candidate signatures")
    return tuple(lines)
