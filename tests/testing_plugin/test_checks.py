"""The mark that makes each check of a receiver a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from hook_widgets.receivers import catalogue, check_receiver
from hook_widgets.webhooks import Receiver, Secret
from tests.receiver_checks.http_layer import Serving
from tests.receivers.broken.handshakes import Ban
from tests.receivers.broken.times_and_copies import PastOnly

pytest_plugins = ["pytester"]

STANDARD = sum(check.suite == "standard" for check in catalogue().values())
SECRET = Secret("whsec_demo_not_a_secret")
MODULE = """
import pytest

@pytest.mark.webhook_checks("stripe", secret_env="HOOK_SECRET")
def test_receiver():
    pass
"""


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv("HOOK_SECRET", SECRET.reveal())
    with Receiver("stripe", SECRET) as running:
        yield running


def statuses(report: str) -> dict[str, str]:
    return {check["id"]: check["status"] for check in json.loads(report)["checks"]}


def test_each_check_is_a_test_with_its_id_and_all_are_one_run(pytester: pytest.Pytester, receiver) -> None:
    pytester.makepyfile(MODULE)
    result = pytester.runpytest_inprocess(
        "-v", "-rs", "--webhook-url", receiver.url, "--webhook-report", "r.json"
    )

    results = statuses((pytester.path / "r.json").read_text())
    counts = {name: list(results.values()).count(name) for name in set(results.values())}
    assert 40 < len(results)
    assert {"passed", "not_decided", "not_applicable"} == set(counts)
    result.assert_outcomes(passed=counts["passed"], skipped=counts["not_decided"] + counts["not_applicable"])
    result.stdout.fnmatch_lines(
        [
            "*::test_receiver[[]B11] PASSED*",
            "SKIPPED * test_each_check*.py:*: not decided: no response tells*",
        ]
    )
    assert 200 > len(receiver.deliveries)


def test_only_the_selected_tests_run(pytester: pytest.Pytester, receiver) -> None:
    pytester.makepyfile(MODULE)
    result = pytester.runpytest_inprocess("-k", "B11 or B1]", "--webhook-url", receiver.url)

    result.assert_outcomes(passed=2, deselected=STANDARD - 2)
    assert 12 > len(receiver.deliveries)


def test_a_failed_check_fails_with_why_and_fix(pytester: pytest.Pytester, receiver, monkeypatch) -> None:
    pytester.makepyfile(
        f"""
        import pytest

        def work():
            return next(counts)

        counts = iter(range(10**6))

        @pytest.mark.webhook_checks(
            "stripe", url="{receiver.url}", only=["C5", "B1"], secret_env="HOOK_SECRET", oracle=work
        )
        class TestReceiver:
            def test_check(self, webhook_check):
                assert webhook_check.id in ("C5", "B1")
        """
    )
    result = pytester.runpytest_inprocess("--webhook-report", "report.xml")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*C5 An exact copy (critical)*",
            "*expected: *",
            "*observed: *",
            "*why: *",
            "*fix: Store the event's id*",
            "* Django: *",
        ]
    )
    suite = ElementTree.fromstring((pytester.path / "report.xml").read_text()).find("testsuite")
    assert suite is not None
    assert ("2", "1") == (suite.get("tests"), suite.get("failures"))


def test_each_option_for_a_report_writes_its_file(pytester: pytest.Pytester, receiver, monkeypatch) -> None:
    monkeypatch.setenv("HOOK_SECRET", SECRET.reveal())
    pytester.makepyfile(MODULE)
    names = ["r.json", "r.xml", "r.md"]
    options = [f"--webhook-report={name}" for name in names]
    result = pytester.runpytest_inprocess("-k", "A1]", "--webhook-url", receiver.url, *options)

    result.assert_outcomes(passed=1, deselected=STANDARD - 1)
    assert names == [name for name in names if "A1" in (pytester.path / name).read_text()]


def test_a_warning_is_a_warning_of_pytest(pytester: pytest.Pytester, monkeypatch) -> None:
    monkeypatch.setenv("HOOK_SECRET", SECRET.reveal())
    pytester.makepyfile(MODULE)
    with Serving(PastOnly("stripe", SECRET.reveal())) as url:
        result = pytester.runpytest_inprocess("-W", "default", "-k", "C2]", "--webhook-url", url)

    result.assert_outcomes(passed=1, warnings=1, deselected=STANDARD - 1)
    result.stdout.fnmatch_lines(["*WebhookCheckWarning: C2 *"])


def test_a_ban_that_hides_what_is_done_with_forgeries_fails(pytester: pytest.Pytester, monkeypatch) -> None:
    monkeypatch.setenv("HOOK_SECRET", SECRET.reveal())
    pytester.makepyfile(MODULE)
    with Serving(Ban("stripe", SECRET.reveal())) as url:
        result = pytester.runpytest_inprocess("-k", "A1] or B1] or B2]", "--webhook-url", url)

    result.assert_outcomes(passed=1, failed=1, skipped=1, deselected=STANDARD - 3)
    result.stdout.fnmatch_lines(["*not decided: *may come from a ban of this sender*"])


def test_workers_of_xdist_share_one_run_and_one_report(pytester: pytest.Pytester, receiver) -> None:
    ids = ["A1", "B1", "B3", "B7", "C1", "C5"]
    pytester.makepyfile(
        MODULE.replace(', secret_env="HOOK_SECRET"', f', secret_env="HOOK_SECRET", only={ids}')
    )
    check_receiver("stripe", receiver.url, SECRET, only=ids)
    one_run = len(receiver.deliveries)
    result = pytester.runpytest_inprocess(
        "-n", "2", "--webhook-url", receiver.url, "--webhook-report", "r.json"
    )

    result.assert_outcomes(passed=5, skipped=1)
    assert ids == list(statuses((pytester.path / "r.json").read_text()))
    assert 2.5 * one_run > len(receiver.deliveries)


def test_a_receiver_that_is_down_is_an_error_and_not_skipped(pytester: pytest.Pytester, receiver) -> None:
    url = receiver.url
    receiver.stop()
    pytester.makepyfile(MODULE)
    result = pytester.runpytest_inprocess("--webhook-url", url, "-k", "A1] or B1]")

    result.assert_outcomes(errors=2, deselected=STANDARD - 2)
    result.stdout.fnmatch_lines(["*B1 could not run: the receiver cannot be reached (refused)*"])


def test_the_app_is_started_by_a_fixture_of_the_user(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        from hook_widgets.webhooks import Receiver

        @pytest.fixture(scope="session")
        def webhook_url(webhook_secret):
            with Receiver("github", webhook_secret("github")) as app:
                yield app.url
        """
    )
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.webhook_checks("github", only=["B3", "B11"])
        def test_receiver():
            pass
        """
    )

    pytester.runpytest_inprocess("-n", "2").assert_outcomes(passed=2)


def test_a_fixture_of_the_user_gives_what_only_the_owner_has(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        from hook_widgets.receivers import Setup
        from hook_widgets.webhooks import Receiver, Secret

        @pytest.fixture(scope="session")
        def webhook_url(webhook_secret):
            with Receiver("stripe", webhook_secret("stripe")) as app:
                yield app.url

        @pytest.fixture(scope="session")
        def webhook_setup():
            return Setup(retired_secret=Secret("whsec_of_old"), other_secret=Secret("whsec_of_a_friend"))
        """
    )
    pytester.makepyfile(MODULE.replace(', secret_env="HOOK_SECRET"', ', only=["B15", "E3", "E4"]'))

    pytester.runpytest_inprocess("-rs").assert_outcomes(passed=2, skipped=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('"strpe"', "*did you mean 'stripe'*"),
        ('"stripe", suit="full"', "*webhook_checks takes no argument 'suit'; did you mean 'suite'*"),
        ('"stripe", suite="all"', "*suite='all' is no suite; choose standard or full*"),
        ('"stripe", only=["B99"]', "*there is no check 'B99'*"),
        ('"stripe", "http://127.0.0.1/"', "*webhook_checks takes one provider*"),
        ("", "*webhook_checks takes one provider*"),
        ('"stripe", only=["B1"]', "*there is no webhook receiver to test; give --webhook-url*"),
        (
            '"stripe", only=["B1"], url="https://example.com/"',
            "*example.com is not this machine*allow_hosts*",
        ),
        (
            '"stripe", only=["B1"], url="http://127.0.0.1:9", secret_env="NOT_SET"',
            "*'NOT_SET' is not set or empty*",
        ),
    ],
)
def test_a_wrong_mark_says_what_to_do(pytester: pytest.Pytester, arguments: str, message: str) -> None:
    pytester.makepyfile(
        f"import pytest\n\n@pytest.mark.webhook_checks({arguments})\ndef test_receiver():\n    pass\n"
    )
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])
    assert "INTERNALERROR" not in result.stdout.str()


@pytest.mark.parametrize(
    ("path", "message"), [("r.txt", "*ends in .json, .xml or .md*"), ("no/r.md", "*there is no folder no;*")]
)
def test_a_report_that_cannot_be_written_is_wrong_use(
    pytester: pytest.Pytester, path: str, message: str
) -> None:
    result = pytester.runpytest_inprocess("--webhook-report", path)

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines([message])
