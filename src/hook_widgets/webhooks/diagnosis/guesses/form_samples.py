"""Guess which form was signed by the names in the provider's own forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, groupby, islice

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import forms
from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess, fields_of, without

_MAX_EMPTY = 96  # forms with parameters that a parser may have dropped
_MAX_RECEIVED = 256  # parameters of a form into which others are put; senders have fewer
_MAX_GROUPED = 4  # groups of them
_FIRST_WORD = re.compile(r"[A-Za-z][a-z]*")


def like_samples(body: bytes, samples: Iterable[bytes]) -> Iterator[BodyGuess]:
    """Yield the form without fields that no form of the provider has, and with those that were dropped.

    Args:
        body: the form.
        samples: the forms of the provider.
    """
    if b"=" not in body or body.count(b"&") >= _MAX_RECEIVED:
        return
    known = [[part.partition(b"=")[0] for part in sample.split(b"&")] for sample in samples]
    parts = body.split(b"&")
    names = {*chain.from_iterable(known)}
    own = [part for part in parts if part.partition(b"=")[0] in names]
    added: tuple[CauseRef, ...] = ()
    if 0 < len(own) < len(parts):
        try:
            fields = fields_of(body, forms.parse_form(body))
        except UnreadableMessage:
            return
        foreign = {k for k, field in enumerate(fields) if field.raw not in own}
        added = (CauseRef("body-form-added", ", ".join(fields[k].name for k in sorted(foreign))),)
        yield from without(fields, foreign)
        parts = own
    for cause, form in _with_empty(parts, known):
        yield (*added, cause), form


def _with_empty(parts: list[bytes], known: list[list[bytes]]) -> Iterator[tuple[CauseRef, bytes]]:
    """Yield the form with the parameters without a value that a parser such as Python's parse_qs dropped.

    The names are those of the most similar form of the provider.
    """
    if any(part.endswith(b"=") for part in parts):
        return
    names = [part.partition(b"=")[0] for part in parts]
    order = max(known, key=lambda sample: len({*sample} & {*names}), default=[])
    lost = [name for name in order if name not in names]
    for chosen in islice(_likely_together(lost), _MAX_EMPTY):
        form, last = list(parts), -1
        for name in order:
            if name in names:
                last = next(i for i, part in enumerate(form) if part.partition(b"=")[0] == name)
            elif name in chosen:
                last += 1
                form.insert(last, name + b"=")
        listed = ", ".join(name.decode(errors="replace") for name in lost if name in chosen)
        yield CauseRef("body-form-empty-lost", listed), b"&".join(form)


def _likely_together(names: list[bytes]) -> Iterator[tuple[bytes, ...]]:
    """Yield names that may all have been empty: those with the same first word, then one, two, and more."""
    words = sorted(names, key=_first_word)
    groups = [group for _, same in groupby(words, _first_word) if len(group := tuple(same)) > 1]
    for count in range(min(len(groups), _MAX_GROUPED), 0, -1):
        for several in combinations(groups[:_MAX_GROUPED], count):
            yield tuple(chain.from_iterable(several))
    for count in range(1, len(names) + 1):
        yield from combinations(names, count)


def _first_word(name: bytes) -> str:
    match = _FIRST_WORD.match(name.decode(errors="replace"))
    return match[0] if match else ""
