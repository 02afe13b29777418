"""Whatever comes in, `diagnose` and `check_response` raise only what they say they raise.

``FUZZ_INPUTS`` is the number of inputs of each, ``FUZZ_FIRST`` the number of the first: 200,000 inputs can be
tried in any number of pieces, and an input that failed once more alone.
"""

from __future__ import annotations

import os
from datetime import datetime
from typing import Any

from hook_widgets.errors import InvalidArgument, InvalidSecret, UnreadableMessage
from hook_widgets.webhooks import Headers, Verdict, check_response, diagnose, provider
from hook_widgets.webhooks.diagnosis import Diagnosis, api
from hook_widgets.webhooks.diagnosis.hypotheses import Limits
from tests.security.fuzz import URLS, Answered, Fuzz, drafts, handshakes, requests, right_answer, right_key
from tests.support.extent import extent

FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
INPUTS = os.environ.get("FUZZ_INPUTS", "")
FEW = Limits(hashed=1 << 16, sent=1 << 16, jobs=20, checks=2)


def numbers(usual: int) -> range:
    return range(FIRST, FIRST + int(INPUTS or usual))


def again(number: int) -> str:
    return f"FUZZ_FIRST={number} FUZZ_INPUTS=1:"


def no_clock(now: datetime | None) -> bool:
    return now is not None and now.tzinfo is None


def no_tolerance(tolerance_s: float | None) -> bool:
    return tolerance_s is not None and not 0 <= tolerance_s <= 1e9


def test_diagnose_raises_what_is_documented_and_nothing_else(monkeypatch):
    reached = 0
    for number in numbers(extent(300, 10_000)):
        fuzz = Fuzz(number, "diagnose")
        rng = fuzz.rng
        monkeypatch.setattr(api, "Limits", Limits if fuzz.often(0.002) else lambda: FEW)
        request = rng.choice(requests())
        assert request.draft
        source = provider(request.draft.provider.id)
        other = provider(rng.choice(drafts()).provider.id)
        asked = source if fuzz.often(0.9) else rng.choice((None, other, source.id))
        arguments: dict[str, Any] = {
            "secret": fuzz.key(source)
            if fuzz.often(0.9)
            else {"new": right_key(source), "": fuzz.key(source)},
            "headers": fuzz.headers(request.headers),
            "body": fuzz.body(request.body[:400]) if fuzz.often(0.8) else request.body,
            "url": request.url if fuzz.often(0.7) else rng.choice((*URLS, fuzz.text(request.url))),
            "method": request.method if fuzz.often(0.9) else fuzz.text(request.method),
            "now": fuzz.moment(),
            "tolerance_s": fuzz.tolerance(),
            "sent": None if fuzz.often(0.8) else fuzz.body(request.body[:400]),
        }
        try:
            diagnosed = diagnose(asked, **arguments)
        except InvalidArgument:
            assert no_clock(arguments["now"]) or no_tolerance(arguments["tolerance_s"]), (
                f"{again(number)} {arguments!r}"
            )
            continue
        except Exception as error:
            error.add_note(f"{again(number)} diagnose({getattr(asked, 'id', asked)!r}, **{arguments!r})")
            raise
        assert isinstance(diagnosed, Diagnosis)
        assert str(diagnosed)
        reached += 1
    assert reached > len(numbers(extent(300, 10_000))) / 3


def test_check_response_raises_what_is_documented_and_nothing_else():
    reached = 0
    for number in numbers(extent(1_000, 30_000)):
        fuzz = Fuzz(number, "check_response")
        rng = fuzz.rng
        draft = rng.choice(handshakes()) if fuzz.often(0.9) else rng.choice(drafts())
        right = right_answer(draft)
        if fuzz.often(0.3):  # a handshake with a body of the user's own
            try:
                draft = provider(draft.provider.id).draft(event=draft.event, body=fuzz.body(draft.payload))
            except UnreadableMessage:
                continue
        answered = Answered(
            rng.choice((None, right.status, right.status, 204, 301, 500, -1, 10**9)),
            Headers(fuzz.headers(right.headers)),
            fuzz.body(right.body),
        )
        key = fuzz.key(draft.provider)
        try:
            verdict = check_response(draft, answered, key)
        except (InvalidArgument, InvalidSecret):
            continue
        except Exception as error:
            error.add_note(f"{again(number)} check_response of {draft.provider.id}: {answered!r}, {key!r}")
            raise
        assert isinstance(verdict, Verdict)
        assert verdict.detail
        reached += 1
    assert reached > len(numbers(extent(1_000, 30_000))) / 3
