"""Options for means that only the owner of a receiver has: variables, a URL and commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hook_widgets.cli.app import main
from tests.receiver_checks.http_layer import Request, Serving
from tests.receiver_checks.reference import Reference
from tests.receiver_checks.special_schemes import VerifyToken

NAMES = {
    "HOOK_SECRET": "whsec_canaryOfTheSetup_current",
    "HOOK_OTHER": "whsec_canaryOfTheSetup_other",
    "HOOK_PREVIOUS": "whsec_canaryOfTheSetup_previous",
    "HOOK_RETIRED": "whsec_canaryOfTheSetup_retired",
    "HOOK_TOKEN": VerifyToken.known,
}


@pytest.fixture(autouse=True)
def _variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NAMES.items():
        monkeypatch.setenv(name, value)


class Served(Reference):
    """A receiver that commands drive through files."""

    def __init__(self, provider: str, secret: str, folder: Path) -> None:
        super().__init__(provider, secret)
        self.folder = folder
        self.previous = NAMES["HOOK_PREVIOUS"]

    def respond(self, request: Request) -> Any:
        if (self.folder / "fail").exists():
            (self.folder / "fail").unlink()
            self.fail_next()
        response = super().respond(request)
        (self.folder / "count").write_text(str(self.count))
        (self.folder / "state").write_text(json.dumps(self.versions))
        return response


def results(capture: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    main(["check", *arguments, "--secret-env", "HOOK_SECRET", "--format", "json"])
    out, err = capture.readouterr()
    assert "canaryOfTheSetup" not in out + err
    return {check["id"]: f"{check['status']}: {check['observed']}" for check in json.loads(out)["checks"]}


def only(*ids: str) -> list[str]:
    return [word for name in ids for word in ("--only", name)]


def test_the_command_line_decides_what_only_the_owner_can_give(tmp_path: Path, capsys):
    served = Served("stripe", NAMES["HOOK_SECRET"], tmp_path)
    (tmp_path / "count").write_text("0")
    (tmp_path / "state").write_text("{}")
    history = 'for v in 1 2 3; do echo "{\\"item\\":{\\"id\\":\\"$$\\",\\"version\\":$v}}"; done'
    with Serving(served) as url, Serving(Reference("stripe", "")) as unconfigured_url:
        checks = results(
            capsys,
            *("stripe", url, *only("B6", "B15", "D2", "D4", "D5", "E3", "E4")),
            *("--oracle", f"cat {tmp_path}/count", "--unconfigured-url", unconfigured_url),
            *("--other-secret-env", "HOOK_OTHER", "--previous-secret-env", "HOOK_PREVIOUS"),
            *("--retired-secret-env", "HOOK_RETIRED", "--fail-next", f"touch {tmp_path}/fail"),
            *("--history", history, "--state", f"cat {tmp_path}/state"),
        )

    assert dict.fromkeys(checks, "passed") == {name: text.partition(":")[0] for name, text in checks.items()}
    assert {"B6", "B15", "D2", "D4", "D5", "E3", "E4"} == set(checks)


def test_a_check_that_only_the_owner_can_decide_names_the_option(capsys):
    """It names it in every door, since all of them have the same words."""
    ids = only("B6", "B15", "C6", "D2", "D4", "D5", "E3", "E4")
    with Serving(Reference("github", NAMES["HOOK_SECRET"])) as url:
        checks = results(capsys, "github", url, *ids, "--oracle", "echo 1")
    with Serving(VerifyToken(NAMES["HOOK_SECRET"])) as url:
        checks |= results(capsys, "meta", url, *only("H2"))
    main(["check", "--help"])
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    named = {name: re.findall(r"--[a-z-]+", text) for name, text in checks.items()}

    assert all(named.values())
    assert known >= {option for options in named.values() for option in options}


def test_the_command_of_the_clock_gets_the_seconds(tmp_path: Path, capsys):
    served = Served("github", NAMES["HOOK_SECRET"], tmp_path)
    (tmp_path / "count").write_text("0")
    with Serving(served) as url:
        checks = results(
            capsys,
            *("github", url, *only("C6"), "--oracle", f"cat {tmp_path}/count"),
            *("--advance", f"printf %s > {tmp_path}/clock"),
        )

    assert "passed" == checks["C6"].partition(":")[0]
    assert str(3 * 24 * 3600) == (tmp_path / "clock").read_text()


def test_a_field_of_the_provider_comes_from_a_variable(capsys):
    with Serving(VerifyToken(NAMES["HOOK_SECRET"])) as url:
        checks = results(
            capsys, "meta", url, *only("H1", "H2", "H3"), "--part-env", "verify_token=HOOK_TOKEN"
        )

    assert {"passed"} == {text.partition(":")[0] for text in checks.values()}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--part-env", "verify_token"), "--part-env takes FIELD=NAME"),
        (
            ("--part-env", "verify_tokens=HOOK_TOKEN"),
            "has no field 'verify_tokens'; give one of challenge, verify_token",
        ),
        (("--part-env", "verify_token=NO_SUCH_NAME"), "NO_SUCH_NAME"),
        (("--previous-secret-env", "NO_SUCH_NAME"), "NO_SUCH_NAME"),
        (("--unconfigured-url", "https://hooks.example.com/"), "is not this machine"),
    ],
)
def test_a_wrong_option_says_what_to_do_and_sends_nothing(options: tuple[str, ...], reason: str, capsys):
    code = main(["check", "meta", "http://127.0.0.1:9/", "--secret-env", "HOOK_SECRET", *options])
    out, err = capsys.readouterr()

    assert code in (2, 3)
    assert "" == out
    assert reason in err
    assert "canaryOfTheSetup" not in err


def test_a_command_that_fails_decides_nothing(capsys):
    served = Reference("stripe", NAMES["HOOK_SECRET"])
    with Serving(served) as url:
        checks = results(
            capsys, "stripe", url, *only("D2", "D4"), "--oracle", "echo 1", "--fail-next", "false",
            "--history", "echo {}", "--state", "exit 3",
        )  # fmt: skip

    assert "not_decided: the command of --fail-next ended with code 1" == checks["D2"]
    assert "not_decided: history= must return three bodies" in checks["D4"]
