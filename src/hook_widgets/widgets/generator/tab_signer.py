"""Let a run of checks in a thread sign and match with the secret of a browser tab."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

from hook_widgets.errors import HookWidgetsError
from hook_widgets.receivers.outcome import NotDecided
from hook_widgets.receivers.sending import RunEnded
from hook_widgets.webhooks.keys.signing import MatchJob, SigningJob
from hook_widgets.webhooks.registry import Provider
from hook_widgets.widgets.generator.serialize import WEAKER, pinned
from hook_widgets.widgets.generator.signing_broker import OnError, SigningBroker

#: Signatures of runs in a minute. The vault allows 600 (`LIMITS` in js/src/vault/budget.ts); the others are
#: for the preview and single deliveries.
MAX_PER_MINUTE: Final = 480
_MINUTE_S: Final = 60.0
_POLL_S: Final = 0.05
_PATIENCE_S: Final = 15.0  # longer than the broker waits for a tab

OnLoop: TypeAlias = Callable[[Callable[[], None]], None]
"""A function that runs an action on the kernel's loop."""

_MAX_REASON: Final = 300  # characters of a tab's error that a report repeats

_T = TypeVar("_T")


class Allowance:
    """Keeps the signatures of runs below the limit of the vault, which would pause the secret."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._spent: deque[tuple[float, int]] = deque()

    def take(self, signatures: int, *, stopped: Callable[[], bool], waits: Callable[[float], None]) -> None:
        """Wait until so many signatures are allowed, and count them.

        Args:
            signatures: the number of signatures.
            stopped: returns True if nobody waits any more.
            waits: called with the seconds to wait, if there are any.

        Raises:
            RunEnded: the run was stopped.
        """
        announced = False
        while (wait_s := self._wait_s(signatures)) > 0:
            if stopped():
                raise RunEnded("it was stopped")
            if not announced:
                waits(wait_s)
                announced = True
            self._sleep(min(wait_s, _POLL_S))
        self._spent.append((self._clock(), signatures))

    def _wait_s(self, signatures: int) -> float:
        now = self._clock()
        while self._spent and self._spent[0][0] <= now - _MINUTE_S:
            self._spent.popleft()
        excess = sum(number for _, number in self._spent) + signatures - MAX_PER_MINUTE
        for at, number in self._spent:
            if excess <= 0:
                return 0.0
            excess -= number
            if excess <= 0:
                return at + _MINUTE_S - now
        return 0.0


@dataclass(frozen=True, eq=False)
class TabSigner:
    """A `Signer` that asks the tabs, for use in a thread other than the kernel's loop.

    Attributes:
        provider: the provider of the secret.
        keys: asks the tabs, on the loop.
        on_loop: runs an action on the loop.
        allowance: the limit for signatures.
        stopped: returns True if the run was stopped.
        waits: called with the seconds to wait for the limit.
        role: the field of `Setup` whose secret signs; empty for the provider's current one.
    """

    provider: Provider
    keys: SigningBroker
    on_loop: OnLoop
    allowance: Allowance
    stopped: Callable[[], bool] = field(kw_only=True)
    waits: Callable[[float], None] = field(kw_only=True)
    role: str = field(default="", kw_only=True)

    def sign(self, jobs: Sequence[SigningJob]) -> list[bytes]:
        """Return the raw signature of each job, in order.

        Raises:
            NotDecided: the job names another key or algorithm than the provider's, which a tab never uses.
            RunEnded: the run was stopped, or no tab signs.
        """
        scheme, named = self._pinned(jobs)
        self.allowance.take(len(jobs), stopped=self.stopped, waits=self.waits)

        def ask(done: Callable[[list[bytes]], None], failed: OnError) -> None:
            self.keys.sign_jobs(self.provider, scheme, named, done, failed, role=self.role)

        return self._answer(ask)

    def match(self, jobs: Sequence[MatchJob]) -> list[int]:
        """Return for each job the index of the matching candidate, or -1.

        Raises:
            RunEnded: the run was stopped, or no tab replies.
        """
        return self._answer(lambda done, failed: self.keys.match(self.provider, jobs, done, failed))

    def _pinned(self, jobs: Sequence[SigningJob]) -> tuple[str, Sequence[SigningJob]]:
        """Return the scheme with the key and algorithms of these jobs, and the jobs by its names."""
        if all(job.key == self.provider.key.spec for job in jobs):
            for scheme in self.provider.schemes:
                names = {(n.removeprefix(WEAKER), algorithm): n for n, algorithm in pinned(scheme).items()}
                fields = [names.get((job.field, job.algorithm), "") for job in jobs]
                if all(fields):
                    return scheme.name, [replace(j, field=f) for j, f in zip(jobs, fields, strict=True)]
        raise NotDecided(
            "it needs a signature that the browser does not make: the secret there signs only with the "
            "provider's own key form and algorithm; run this check in Python, with check_receiver"
        )

    def _answer(self, ask: Callable[[Callable[[_T], None], OnError], None]) -> _T:
        answer: Future[_T] = Future()

        def failed(error: HookWidgetsError) -> None:
            answer.set_exception(error)

        def start() -> None:
            try:
                ask(answer.set_result, failed)
            except Exception as error:  # noqa: BLE001  # raised in the thread that waits
                answer.set_exception(error)

        self.on_loop(start)
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return answer.result(_POLL_S)
            except TimeoutError:
                if self.stopped():
                    raise RunEnded("it was stopped") from None
                if time.monotonic() > end:
                    raise RunEnded("no tab signs; enter the secret and run again") from None
            except HookWidgetsError as error:
                raise RunEnded(str(error)[:_MAX_REASON]) from error
