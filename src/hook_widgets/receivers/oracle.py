"""Ask how often a receiver did its work."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from hook_widgets._optional import in_browser
from hook_widgets.errors import InvalidArgument
from hook_widgets.receivers.sending import Transport
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import WebhookRequest

Oracle: TypeAlias = Callable[[], int] | str
"""A count of what a receiver did: a function, an http(s) URL, or a shell command that prints a number."""

_TIMEOUT_S: Final = 10.0
_WAIT_S: Final = 2.0  # the longest wait for work that is done after the response
_TOTAL_S: Final = 10.0  # the time of all waits of a run that end without the expected count
_POLL_S: Final = 0.02
_UNKNOWN: Final = 5  # times as long is waited once, before it is known how late the work is done


class OracleFailed(Exception):
    """Raised if the oracle gives no count; the message is the reason."""


class Counter:
    """Reads an oracle.

    Args:
        oracle: a function, a URL or a shell command.
        transport: sends the request to a URL.
        settle_s: seconds to wait for work that should not be done.
        sent: returns the number of requests that were sent to the receiver.
    """

    def __init__(
        self, oracle: Oracle, transport: Transport, settle_s: float, sent: Callable[[], int]
    ) -> None:
        self._oracle = oracle
        self._transport = transport
        self._settle_s = settle_s
        self._sent = sent
        self._settled_after = -1
        self._delay_s = 0.0
        self._remaining_s = _TOTAL_S
        self._is_calibrated = False
        self._initial: int | None = None

    def begin(self) -> None:
        """Read the count before the first request of a run, if there is one yet."""
        with suppress(OracleFailed):
            self._initial = self.read()

    @property
    def has_risen(self) -> bool:
        """True if work was counted since the run began."""
        return self._initial is not None and self.read() > self._initial

    def read(self) -> int:
        """Return the count.

        Raises:
            OracleFailed: there is none.
        """
        if callable(self._oracle):
            try:
                count = self._oracle()
            except Exception as error:  # the caller's function may fail in any way; the check says so
                raise OracleFailed(f"the oracle raised {type(error).__name__}") from error
            if isinstance(count, bool) or not isinstance(count, int):
                raise OracleFailed(f"the oracle returned {type(count).__name__}, not an int")
            return count
        is_url = self._oracle.lower().startswith(("http://", "https://"))
        return _number(
            self._fetch(self._oracle) if is_url else run_command(self._oracle, "the oracle's command")
        )

    def wait_for(self, count: int) -> int:
        """Return the count as soon as it is `count` or more, or after two seconds.

        After many such waits in vain only the known delay of the work is waited.
        """
        began = asked = time.monotonic()
        end = began + min(_WAIT_S, max(self._pause_s, self._remaining_s))
        while (current := self.read()) < count and asked < end:
            time.sleep(_POLL_S)
            asked = time.monotonic()
        if current >= count:
            self._delay_s = max(self._delay_s, asked - began)
        else:
            self._remaining_s -= asked - began
        return current

    def calibrate(self, do_work: Callable[[], object]) -> None:
        """Measure once how long after a response its work is counted."""
        if not self._is_calibrated:
            self._is_calibrated = True
            before = self._stable(_UNKNOWN * self._settle_s)
            do_work()
            self.wait_for(before + 1)

    def settled(self, *, always: bool = False) -> int:
        """Return the count as soon as it does not change in the time in which work may still be done.

        A receiver with a queue works after its response: twice the longest delay is waited, unless nothing
        was sent since the last time.

        Args:
            always: wait for the work of others, too.
        """
        sent = self._sent()
        if sent == self._settled_after and not always:
            return self.read()
        self._settled_after = sent
        return self._stable(self._pause_s)

    @property
    def _pause_s(self) -> float:
        return max(self._settle_s, 2 * self._delay_s)

    def _stable(self, pause_s: float) -> int:
        """Return the count once two readings with a pause between them agree, or after two seconds.

        The first pause is for the work of the last request, and further ones for a count that still changes.
        """
        began = time.monotonic()
        current = self.read()
        while True:
            previous = current
            time.sleep(pause_s)
            pause_s = min(pause_s, self._settle_s)
            if (current := self.read()) == previous:
                return current
            elapsed_s = time.monotonic() - began
            if elapsed_s >= min(_WAIT_S, self._remaining_s):
                self._remaining_s -= elapsed_s
                return current

    def _fetch(self, url: str) -> str:
        request = WebhookRequest(method="GET", url=url, headers=Headers(), body=b"")
        delivery = self._transport(request, timeout_s=_TIMEOUT_S)
        if not delivery.ok:
            raise OracleFailed(f"the oracle responded with {delivery.status or 'nothing'}")
        return delivery.text


def check_oracle(oracle: Oracle | None, allowed: Callable[[str], object]) -> None:
    """Reject an oracle that cannot be asked.

    Raises:
        InvalidArgument: it is none of these, or a command in a browser.
        DestinationBlocked: requests may not be sent to its URL.
    """
    if oracle is None or callable(oracle):
        return
    text: object = oracle
    if not isinstance(text, str) or not text.strip():
        raise InvalidArgument("oracle= must be a function, a URL or a shell command that gives a number")
    if oracle.lower().startswith(("http://", "https://")):
        allowed(oracle)
    elif in_browser():
        raise InvalidArgument("Python in a browser runs no shell commands; give a function as oracle=")


def run_command(command: str, title: str) -> str:
    """Run a shell command and return what it prints.

    Raises:
        OracleFailed: it cannot be run, takes too long, or ends with an error.
    """
    try:
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise OracleFailed(f"{title} failed ({type(error).__name__})") from None
    if done.returncode:
        raise OracleFailed(f"{title} ended with code {done.returncode}")
    return done.stdout


def _number(text: str) -> int:
    try:
        return int(text.strip()[:40])
    except ValueError:
        raise OracleFailed("the oracle gave no whole number") from None


def work_done(times: int) -> str:
    """Return how often the work was done, such as ``the work was done twice``."""
    often = {0: "not done", 1: "done once", 2: "done twice"}
    return f"the work was {often.get(times, f'done {times} times')}"
