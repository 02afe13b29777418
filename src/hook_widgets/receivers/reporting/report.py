"""The results of checks, and the report of a run."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from hook_widgets.errors import CannotWrite, InvalidArgument
from hook_widgets.receivers.check_catalogue import AREAS, Check, Fix, Severity, catalogue

MASK: Final = "••••"
"""The replacement of secrets and valid signatures."""


class Status(StrEnum):
    """The status of a check.

    ``warned``: tolerable, but not as expected. ``not_decided``: the run cannot tell; the observation says
    what would decide it. ``not_applicable``: the provider's scheme does not have what is checked.
    """

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    NOT_DECIDED = "not_decided"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRequest:
    """A request as sent, for people: credentials and valid signatures are masked, long texts are cut.

    Attributes:
        label: what is special about it.
        method: the HTTP method.
        url: the URL; the values of its query are masked.
        headers: pairs of name and value.
        body: the beginning of the body.
        body_length: the length of the whole body, in bytes.
    """

    label: str
    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: str
    body_length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SentResponse:
    """The response to a `SentRequest`, for people: masked and cut in the same way.

    Attributes:
        status: the HTTP status, or None if no response came.
        headers: pairs of name and value.
        body: the beginning of the body.
        error: the reason why there is no complete response, or empty.
        elapsed_s: seconds from the start of the host lookup to the end of the response.
    """

    status: int | None
    headers: tuple[tuple[str, str], ...]
    body: str
    error: str
    elapsed_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of one check.

    Attributes:
        id: the id of the check, such as ``"B11"``.
        title: the situation, in words.
        severity: the severity of a failure.
        status: the status.
        expected: the right behaviour.
        observed: the behaviour of this receiver, or the reason why it is not decided or does not apply. It
            quotes nothing that was received.
        request: the request that decided, if one was sent.
        response: the response to it.
        elapsed_s: the duration of the check, in seconds.
        why: the consequence of a failure.
        fix: the change to make in the receiver.
        sources: documents of what the provider demands, and advisories and threads that report the fault.
    """

    id: str
    title: str
    severity: Severity
    status: Status
    expected: str
    observed: str
    request: SentRequest | None = field(repr=False)
    response: SentResponse | None = field(repr=False)
    elapsed_s: float
    why: str = field(repr=False)
    fix: Fix = field(repr=False)
    sources: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(
        cls,
        check: Check,
        *,
        sources: tuple[str, ...] = (),
        status: Status,
        observed: str,
        elapsed_s: float,
        request: SentRequest | None = None,
        response: SentResponse | None = None,
    ) -> CheckResult:
        """Return the result of a check, with what the catalogue says about it.

        The attributes `status`, `observed`, `elapsed_s`, `request` and `response` are those of the arguments,
        and so is `sources`, unless it is empty.
        """
        return cls(
            id=check.id,
            title=check.title,
            severity=check.severity,
            status=status,
            expected=check.expected,
            observed=observed,
            request=request,
            response=response,
            elapsed_s=elapsed_s,
            why=check.consequence(warned=status is Status.WARNED),
            fix=check.fix,
            sources=sources or check.sources,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The number of checks of each status.

    Attributes:
        passed: checks that passed.
        failed: checks that failed.
        warned: checks with a warning.
        not_decided: checks that the run could not decide.
        not_applicable: checks that the provider's scheme makes pointless.
    """

    passed: int = 0
    failed: int = 0
    warned: int = 0
    not_decided: int = 0
    not_applicable: int = 0

    @classmethod
    def of(cls, results: Iterable[CheckResult]) -> Score:
        """Count the results."""
        return cls(**Counter(str(result.status) for result in results))

    @property
    def applicable(self) -> int:
        """The number of checks that apply."""
        return self.passed + self.failed + self.warned + self.not_decided

    @property
    def fraction(self) -> float | None:
        """The passed part of the checks that apply: what is not decided never counts as passed.

        None if no check applies.
        """
        return self.passed / self.applicable if self.applicable else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The report of one run.

    Attributes:
        provider: the id of the provider.
        url: the URL of the receiver; the values of its query are masked.
        suite: ``"standard"`` or ``"full"``.
        event: the event of good requests.
        checks: the results, in the order of the catalogue.
        stopped: the reason why the run ended early, or empty.
        elapsed_s: the duration of the run, in seconds.
        requests: the number of requests sent.
    """

    provider: str
    url: str
    suite: str
    event: str = ""
    checks: tuple[CheckResult, ...]
    stopped: str = ""
    elapsed_s: float = 0.0
    requests: int = 0

    def __repr__(self) -> str:
        score = self.score
        return (
            f"Report({self.provider} {self.url}: {score.passed} passed, {score.failed} failed, "
            f"{score.warned} warned, {score.not_decided} not decided, {score.not_applicable} not applicable)"
        )

    def __getitem__(self, check: str) -> CheckResult:
        """Return the result of the check with that id."""
        for result in self.checks:
            if result.id == check:
                return result
        raise KeyError(check)

    @property
    def ok(self) -> bool:
        """True if no check failed, one passed at least, each forgery was decided, and the run ended in time.

        Warnings are allowed, and other undecided checks: most need an oracle or a `Setup`. A forgery needs
        neither, so that one is undecided because the receiver limits requests or bans the sender.
        """
        return self.score.failed == 0 and self.score.passed > 0 and not (self.stopped or self.unverified)

    @property
    def unverified(self) -> tuple[CheckResult, ...]:
        """The undecided checks without which nobody knows whether forgeries are rejected."""
        rows = catalogue()
        return tuple(
            result
            for result in self.checks
            if result.status is Status.NOT_DECIDED
            and result.id[0] == "B"
            and result.severity is Severity.CRITICAL
            and rows[result.id].suite == "standard"
        )

    @property
    def score(self) -> Score:
        """The number of checks of each status, in total."""
        return Score.of(self.checks)

    @property
    def scores(self) -> Mapping[str, Score]:
        """The number of checks of each status, by the letter of the area."""
        results = {area: [r for r in self.checks if r.id[0] == area] for area in AREAS}
        return {area: Score.of(rows) for area, rows in results.items() if rows}

    @property
    def findings(self) -> tuple[CheckResult, ...]:
        """The failed checks and those with a warning, the most severe first."""
        order = list(Severity)
        return tuple(
            sorted(
                (r for r in self.checks if r.status in (Status.FAILED, Status.WARNED)),
                key=lambda r: (r.status is Status.WARNED, order.index(r.severity)),
            )
        )

    def to_json(self) -> str:
        """Return the report as JSON in the form of `report_schema`, without anything that was received."""
        from hook_widgets.receivers.reporting import rendering

        return rendering.to_json(self)

    def to_junit(self) -> str:
        """Return the report as JUnit XML: failures fail, what is not decided or not applicable is skipped."""
        from hook_widgets.receivers.reporting import rendering

        return rendering.to_junit(self)

    def to_markdown(self) -> str:
        """Return the report as Markdown, with the findings first; it contains nothing that was received."""
        from hook_widgets.receivers.reporting import rendering

        return rendering.to_markdown(self)

    def to_pytest(self, path: str | os.PathLike[str], *, secret_env: str = "WEBHOOK_SECRET") -> Path:
        """Write a pytest file that repeats the checks, and return its path.

        It holds no secret, and no oracle: add ``oracle=`` to the mark. A URL with masked values is left out;
        give it with ``--webhook-url``.

        Args:
            path: the new file, such as ``"tests/test_webhooks.py"``.
            secret_env: the name of the environment variable from which the tests read the secret.

        Raises:
            InvalidArgument: `secret_env` is not the name of a variable.
            CannotWrite: the file exists, or cannot be written.
        """
        from hook_widgets.receivers.reporting import rendering

        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", secret_env):
            raise InvalidArgument(
                "secret_env= is not the name of an environment variable (not shown, because it could be the "
                "secret itself); use letters, digits and _, such as WEBHOOK_SECRET"
            )
        text = rendering.to_pytest(self, secret_env)
        target = Path(path)
        try:
            with target.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise CannotWrite(
                f"{target} cannot be written ({error.strerror}); give a new file in a folder that exists"
            ) from error
        return target

    def _repr_html_(self) -> str:
        from hook_widgets.receivers.reporting import rendering

        return rendering.to_html(self)
