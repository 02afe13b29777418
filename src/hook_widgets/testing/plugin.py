"""The pytest plugin. It imports nothing of the package until a fixture, mark or option of it is used."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Final, cast

import pytest

if TYPE_CHECKING:
    from hook_widgets.receivers import CheckResult, Setup
    from hook_widgets.testing.check_runs import CheckRuns
    from hook_widgets.testing.factories import ReceiverFactory, SessionSecrets, WebhookFactory
    from hook_widgets.testing.limited_servers import LimitedServerFactory
    from hook_widgets.testing.masking import SecretMask

MARK: Final = "webhook_checks"
_mask: Final[pytest.StashKey[SecretMask]] = pytest.StashKey()
_session_mask: Final[list[SecretMask]] = []  # a hook for warnings gets no config
_runs: Final[pytest.StashKey[CheckRuns]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("webhooks", "webhook receivers (hook_widgets)")
    group.addoption(
        "--webhook-url",
        metavar="URL",
        help="the webhook receiver under test, instead of the url of marks and of the fixture webhook_url",
    )
    group.addoption(
        "--webhook-report",
        action="append",
        default=[],
        metavar="PATH",
        help="write the results of checks to a .json, .xml (JUnit) or .md (Markdown) file; repeatable",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark and open the report."""
    config.addinivalue_line(
        "markers",
        f"{MARK}(provider, *, url, secret_env, suite, only, skip, event, oracle, allow_hosts, ...): "
        "make each check of a webhook receiver a test, by hook_widgets.receivers.check_receiver",
    )
    if (paths := config.getoption("webhook_report")) and not hasattr(config, "workerinput"):
        from hook_widgets.testing.report_file import ReportFile

        for path in dict.fromkeys(paths):
            config.pluginmanager.register(ReportFile(path))


# --- fixtures -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def webhook_secret(pytestconfig: pytest.Config) -> SessionSecrets:
    """Return the secret of a provider: ``webhook_secret("stripe")``; random, the same in the whole session.

    Configure the app under test with it. With ``secret_env="NAME"`` it is read from the environment.
    """
    from hook_widgets.testing.factories import SessionSecrets

    return SessionSecrets(_mask_of(pytestconfig).add)


@pytest.fixture(scope="session")
def webhook(webhook_secret: SessionSecrets, pytestconfig: pytest.Config) -> WebhookFactory:
    """Return a signed request: ``client.post("/hooks", **webhook("stripe", "invoice.paid").for_httpx())``."""
    from hook_widgets.testing.factories import WebhookFactory

    return WebhookFactory(webhook_secret, _mask_of(pytestconfig).add)


@pytest.fixture
def webhook_receiver(webhook_secret: SessionSecrets) -> Iterator[ReceiverFactory]:
    """Start a receiver that verifies and records what your code sends: ``webhook_receiver("stripe").url``."""
    from hook_widgets.testing.factories import ReceiverFactory

    with ExitStack() as stack:
        yield ReceiverFactory(webhook_secret, stack)


@pytest.fixture
def limited_server() -> Iterator[LimitedServerFactory]:
    """Start a server with a rate limit for the client under test: ``limited_server("100/min").url``.

    Its clock stands still until the test moves it: ``server.clock.advance("1 min")``.
    """
    from hook_widgets.testing.limited_servers import LimitedServerFactory

    with ExitStack() as stack:
        yield LimitedServerFactory(stack)


@pytest.fixture(scope="session")
def webhook_url(pytestconfig: pytest.Config) -> str:
    """Return the URL of the receiver under test: ``--webhook-url``. Override it to start your app."""
    url: str | None = pytestconfig.getoption("webhook_url")
    if not url:
        pytest.fail(
            "there is no webhook receiver to test; give --webhook-url URL, url= of the mark, or a fixture "
            "webhook_url of your own that starts it and returns its URL",
            pytrace=False,
        )
    return url


@pytest.fixture(scope="session")
def webhook_setup() -> Setup:
    """Return what only the owner of the receiver has: nothing, unless you override it."""
    from hook_widgets.receivers import Setup

    return Setup()


@pytest.fixture
def webhook_check(request: pytest.FixtureRequest) -> CheckResult:
    """Return the result of one check of the receiver; for tests with the mark ``webhook_checks``."""
    if not hasattr(request, "param"):
        pytest.fail(
            f"webhook_check is for tests with the mark {MARK}; add @pytest.mark.{MARK}(...)", pytrace=False
        )
    from hook_widgets.testing.check_runs import CheckRuns

    runs = request.config.stash.setdefault(_runs, CheckRuns())
    return runs.result(request)


# --- checks -------------------------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make each check of the mark a test."""
    mark = metafunc.definition.get_closest_marker(MARK)
    if mark is not None:
        from hook_widgets.testing.check_runs import parametrize

        parametrize(metafunc, mark)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each test of a check depend on the fixture, also if the function does not name it."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec is not None and "webhook_check" in callspec.params:
            names = item.fixturenames  # type: ignore[attr-defined]  # of a function
            if "webhook_check" not in names:
                names.append("webhook_check")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Decide the test of a check, before its function runs."""
    result = pyfuncitem.funcargs.get("webhook_check")
    if result is not None and pyfuncitem.get_closest_marker(MARK):
        from hook_widgets.testing.check_runs import decide

        decide(pyfuncitem, cast("CheckResult", result))


# --- reports ------------------------------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Mask the secrets of the session, and add the result of a check."""
    report = yield
    if (runs := item.config.stash.get(_runs, None)) is not None:
        runs.annotate(item, report)
    if (mask := item.config.stash.get(_mask, None)) is not None:
        for name in {"longrepr", "sections", "user_properties", "wasxfail"} & vars(report).keys():
            setattr(report, name, mask.report(getattr(report, name)))
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_warning_recorded(warning_message: warnings.WarningMessage) -> None:
    """Mask the secrets of the session in a warning."""
    if _session_mask:
        from hook_widgets.testing.live_output import mask_warning

        mask_warning(warning_message, _session_mask[-1].text)


def _mask_of(config: pytest.Config) -> SecretMask:
    if _mask not in config.stash:
        from hook_widgets.testing.live_output import mask_live_output
        from hook_widgets.testing.masking import SecretMask

        config.stash[_mask] = mask = SecretMask()
        _session_mask.append(mask)
        config.add_cleanup(partial(_session_mask.remove, mask))
        mask_live_output(config, mask.text)
    return config.stash[_mask]
