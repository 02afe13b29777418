"""Run the checks of a mark once, and decide the tests that are made of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from textwrap import indent
from typing import Any, Final

import pytest

from hook_widgets.errors import HookWidgetsError, UnknownKeyword, nearest
from hook_widgets.receivers import CheckResult, Report, Status, catalogue, check_receiver
from hook_widgets.receivers.runner import select_checks
from hook_widgets.testing.shared_file import computed_once
from hook_widgets.webhooks import registry

_OPTIONS: Final = (
    "suite", "only", "skip", "oracle", "allow_hosts", "allow_load", "event", "body", "timeout_s", "budget_s",
    "settle_s", "slow_s", "transport", "connect",
)  # fmt: skip
_NAMES: Final = ("provider", "url", "secret_env", *_OPTIONS)
_WAIT_S: Final = 600.0  # seconds that a worker waits for the run of another one
_RUN: Final = ("provider", "url", "suite", "event", "stopped", "requests", "elapsed_s")


class WebhookCheckWarning(UserWarning):
    """A check of a receiver is tolerable, but not as expected."""


@dataclass(frozen=True)
class Plan:
    """The arguments of a mark.

    Attributes:
        provider: the provider that the receiver serves.
        url: the URL of the receiver; empty if the fixture ``webhook_url`` returns it.
        secret_env: the environment variable with the secret; empty for that of the session.
        options: the other arguments, for `check_receiver`.
    """

    provider: Any
    url: str = ""
    secret_env: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, mark: pytest.Mark) -> Plan:
        """Read the arguments of a mark.

        Raises:
            UnknownKeyword: it has an argument that no check knows. The message quotes no value.
        """
        for name in mark.kwargs:
            if name not in _NAMES:
                hint = "give secret_env=, or override the fixture webhook_secret" if name == "secret" else ""
                raise UnknownKeyword(
                    f"webhook_checks takes no argument {name!r}; {hint or nearest(name, _NAMES)}"
                )
        if len(mark.args) > 1 or not ({*mark.args} or {"provider"} & mark.kwargs.keys()):
            raise UnknownKeyword('webhook_checks takes one provider, such as "stripe"; name other arguments')
        arguments = dict(zip(("provider",), mark.args, strict=False)) | dict(mark.kwargs)
        options: dict[str, Any] = {name: arguments.pop(name) for name in _OPTIONS if name in arguments}
        return cls(**arguments, options=options)

    def checks(self) -> list[str]:
        """Return the ids of the checks to run.

        Raises:
            InvalidArgument: there is no such suite, or no check is left.
            UnknownName: there is no such check.
        """
        options = self.options
        rows = select_checks(options.get("suite", "standard"), options.get("only"), options.get("skip", ()))
        return [row.id for row in rows]


@dataclass(frozen=True)
class Selected:
    """One check of a plan: the parameter of a test."""

    plan: Plan
    check: str


def parametrize(metafunc: pytest.Metafunc, mark: pytest.Mark) -> None:
    """Make each check of a mark a test; its id is that of the check."""
    __tracebackhide__ = True
    try:
        plan = Plan.of(mark)
        if isinstance(plan.provider, str):
            registry.provider(plan.provider)
        ids = plan.checks()
    except HookWidgetsError as error:
        pytest.fail(f"{metafunc.definition.nodeid}: {error}", pytrace=False)
    if "webhook_check" not in metafunc.fixturenames:
        metafunc.fixturenames.append("webhook_check")
    metafunc.parametrize("webhook_check", [Selected(plan, each) for each in ids], ids=ids, indirect=True)


_result: Final = pytest.StashKey[tuple[str, Report, CheckResult]]()


class CheckRuns:
    """The runs of a session, each of all checks that one test function asks for."""

    def __init__(self) -> None:
        self._reports: dict[str, Report] = {}

    def result(self, request: pytest.FixtureRequest) -> CheckResult:
        """Return the result of the check that a test is made of.

        The first test of a function runs the checks of all its tests.
        """
        __tracebackhide__ = True
        selected: Selected = request.param
        name = _run_name(request.node)
        if name not in self._reports:
            ids = _selected_ids(request.session, name)
            try:
                self._reports[name] = _run(request, selected.plan, ids, name)
            except HookWidgetsError as error:
                pytest.fail(str(error), pytrace=False)
        report = self._reports[name]
        result = report[selected.check]
        if result.status is Status.NOT_DECIDED and report.stopped:
            pytest.fail(f"{result.id} could not run: {report.stopped}", pytrace=False)
        request.node.stash[_result] = (name, report, result)
        return result

    def annotate(self, item: pytest.Item, report: pytest.TestReport) -> None:
        """Add the result of a check to the report of its test, and let a skip point to the test."""
        if report.when != "call" or _result not in item.stash:
            return
        name, run, result = item.stash[_result]
        if report.skipped and isinstance(report.longrepr, tuple):
            path, line, _ = item.reportinfo()
            report.longrepr = (str(path), (line or 0) + 1, report.longrepr[2])
        # Plain data, which pytest-xdist passes on.
        report.webhook_check = {  # type: ignore[attr-defined]
            "run": name,
            **{each: getattr(run, each) for each in _RUN},
            "check": _as_plain(result),
        }


def decide(item: pytest.Function, result: CheckResult) -> None:
    """Fail, skip or warn, as a check ended."""
    __tracebackhide__ = True
    match result.status:
        case Status.FAILED:
            pytest.fail("\n".join(_explained(result)), pytrace=False)
        case Status.NOT_DECIDED:
            _, report, _ = item.stash[_result]
            if result in report.unverified and not report.score.failed:  # or the session would be green
                pytest.fail(f"not decided: {result.observed}", pytrace=False)
            pytest.skip(f"not decided: {result.observed}")
        case Status.NOT_APPLICABLE:
            pytest.skip(f"not applicable: {result.observed}")
        case Status.WARNED:
            item.warn(
                WebhookCheckWarning(f"{result.id} {result.title}: {result.observed}. {result.fix.change}")
            )


def result_of(plain: Mapping[str, Any]) -> CheckResult:
    """Return the result that `_as_plain` has written."""
    return CheckResult.of(
        catalogue()[plain["id"]],
        status=Status(plain["status"]),
        observed=plain["observed"],
        elapsed_s=plain["elapsed_s"],
        sources=tuple(plain["sources"]),
    )


def _as_plain(result: CheckResult) -> dict[str, Any]:
    return {
        "id": result.id,
        "status": str(result.status),
        "observed": result.observed,
        "elapsed_s": result.elapsed_s,
        "sources": list(result.sources),
    }


def _explained(result: CheckResult) -> Iterator[str]:
    yield f"{result.id} {result.title} ({result.severity})"
    yield f"  expected: {result.expected}"
    yield f"  observed: {result.observed}"
    yield f"  why: {result.why}"
    yield indent(f"fix: {result.fix.text}", "  ")


def _is_check(item: pytest.Function) -> bool:
    return "webhook_check" in getattr(getattr(item, "callspec", None), "params", ())


def _run_name(item: pytest.Function) -> str:
    """Return the id of a test without the check, which all tests of one run share."""
    indices = item.callspec.indices.items()
    others = [f"{name}={value!r}" for name, value in indices if name != "webhook_check"]
    return "::".join([item.parent.nodeid if item.parent else "", item.originalname, *others])


def _selected_ids(session: pytest.Session, name: str) -> list[str]:
    """Return the ids of the checks whose tests were selected."""
    params: list[Any] = [
        item.callspec.params["webhook_check"]
        for item in session.items
        if isinstance(item, pytest.Function) and _is_check(item) and _run_name(item) == name
    ]
    return [selected.check for selected in params]


def _run(request: pytest.FixtureRequest, plan: Plan, ids: Collection[str], name: str) -> Report:
    """Run checks; of several processes that test one receiver, one does, and the others read its report.

    Raises:
        HookWidgetsError: as `check_receiver`.
    """
    __tracebackhide__ = True
    secrets = request.getfixturevalue("webhook_secret")
    url = request.config.getoption("webhook_url") or plan.url or request.getfixturevalue("webhook_url")
    secret = secrets(plan.provider, secret_env=plan.secret_env) if plan.secret_env else secrets(plan.provider)

    setup = request.getfixturevalue("webhook_setup")

    def run() -> Report:
        options = {**plan.options, "only": ids, "skip": (), "setup": setup}
        return check_receiver(plan.provider, url, secret, **options)

    if not hasattr(request.config, "workerinput"):
        return run()
    folder = request.getfixturevalue("tmp_path_factory").getbasetemp().parent
    return _shared(run, folder, lock=_digest(url), name=_digest(f"{name} {url}"))


def _shared(run: Callable[[], Report], folder: Any, *, lock: str, name: str) -> Report:
    def text() -> str:
        report = run()
        plain = {each: getattr(report, each) for each in _RUN}
        return json.dumps({**plain, "checks": [_as_plain(result) for result in report.checks]})

    plain = json.loads(computed_once(folder, lock, name, text, wait_s=_WAIT_S))
    return Report(**{**plain, "checks": tuple(map(result_of, plain["checks"]))})


def _digest(text: str) -> str:
    return f"webhook-{sha256(text.encode()).hexdigest()[:16]}"
