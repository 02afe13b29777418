"""The GitHub action and the pre-commit hook: their own commands, read from their YAML files, in bash."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from hook_widgets.webhooks import Receiver, Secret
from tests.support.extent import extent

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "check-receiver" / "action.yml"
CANARY = "whsec_canaryOfTheAction0815"
PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"


class Job:
    """Runs the steps of the action as a runner does: inputs into `env`, then each `run` in its shell."""

    def __init__(self, folder: Path) -> None:
        self.action: dict[str, Any] = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
        self.folder = folder
        self.summary, self.outputs = folder / "summary.md", folder / "outputs"
        self.log = ""

    def run(self, environment: dict[str, str], **inputs: str) -> int:
        """Return the exit code of the first step that fails."""
        texts = {name.replace("_", "-"): text for name, text in inputs.items()}
        known = self.action["inputs"]
        assert set(texts) <= set(known)
        assert {name for name, each in known.items() if each.get("required")} <= set(texts)
        values = {name: texts.get(name, each.get("default", "")) for name, each in known.items()}
        for step in self.action["runs"]["steps"]:
            env = {
                name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], text)
                for name, text in step["env"].items()
            }
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                env={
                    "PATH": PATH,
                    "RUNNER_TEMP": str(self.folder),
                    "GITHUB_STEP_SUMMARY": str(self.summary),
                    "GITHUB_OUTPUT": str(self.outputs),
                    **environment,
                    **env,
                },
                cwd=self.folder,
                capture_output=True,
                text=True,
                check=False,
            )
            self.log += done.stdout + done.stderr
            if done.returncode:
                return done.returncode
        return 0

    def output(self, name: str) -> Path:
        """Return the file that the action names."""
        lines = dict(line.split("=", 1) for line in self.outputs.read_text().splitlines())
        return Path(lines[name])


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_a_right_receiver_passes_the_job(job):
    with Receiver("stripe", Secret(CANARY)) as receiver:
        code = job.run({"KEY": CANARY}, provider="stripe", url=receiver.url, secret_env="KEY", skip="C G")

    report = json.loads(job.output("json").read_text())
    assert 0 == code, job.log
    assert {"A", "B"} <= {check["id"][0] for check in report["checks"]}
    assert not {"C", "G"} & {check["id"][0] for check in report["checks"]}
    assert len(report["checks"]) == len(ElementTree.parse(job.output("junit")).getroot()[0])
    assert job.summary.read_text().startswith("# Receiver check: stripe")
    for text in (job.log, job.summary.read_text(), job.output("json").read_text(), job.outputs.read_text()):
        assert "canaryOfTheAction" not in text


def test_a_wrong_receiver_fails_the_job_and_is_in_the_summary(job):
    with Receiver("stripe", Secret("whsec_another")) as receiver:
        code = job.run({"KEY": CANARY}, provider="stripe", url=receiver.url, secret_env="KEY", only="A1 B1")

    assert 1 == code
    assert "## A1 A valid, fresh request: failed" in job.summary.read_text()
    assert {"A1", "B1"} == {check["id"] for check in json.loads(job.output("json").read_text())["checks"]}


def test_an_input_runs_nothing(job):
    shell = "$(touch pwned)`touch pwned`; touch pwned\" && touch pwned' && touch pwned\n*"
    names = ("provider", "url", "secret_env", "suite", "only", "skip", "event", "allow_host")
    for attack, attacked in {shell: names, "--help": extent(names[:2], names)}.items():  # two follow no =
        for name in attacked:
            inputs = {"provider": "stripe", "url": "http://127.0.0.1:9/", "secret_env": "KEY"}
            code = job.run({"KEY": CANARY}, **(inputs | {name: attack, "package": "none"}))
            assert 0 != code, (name, attack)

    assert [] == [path.name for path in job.folder.rglob("*") if "pwned" in path.name]
    assert "canaryOfTheAction" not in job.log


def test_no_command_of_the_action_contains_an_expression():
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))

    assert [] == [step["name"] for step in action["runs"]["steps"] if "${{" in step["run"]]
    assert not any("secret" in name and name != "secret-env" for name in action["inputs"])


class Repository:
    """A git repository with an OpenAPI document."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        self.hook: dict[str, Any] = hook

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True)

    def write(self, name: str, type_: str) -> None:
        schema = {"schema": {"type": type_}}
        operation = {"responses": {"200": {"description": "ok", "content": {"application/json": schema}}}}
        document = {
            "openapi": "3.1.0",
            "info": {"title": "Orders", "version": "1"},
            "paths": {"/orders": {"get": operation}},
        }
        (self.folder / name).write_text(yaml.safe_dump(document))

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--message", "x")

    def run_hook(self, *names: str) -> subprocess.CompletedProcess[str]:
        """Run the hook's entry with the file names, as pre-commit does."""
        chosen = [name for name in names if re.search(self.hook["files"], name)]
        command = [*shlex.split(self.hook["entry"]), *chosen]
        return subprocess.run(
            command, cwd=self.folder, env={"PATH": PATH}, capture_output=True, text=True, check=False
        )


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    new = Repository(tmp_path)
    new.git("init", "--quiet")
    new.write("openapi.yaml", "integer")
    new.commit()
    return new


def test_a_change_that_breaks_clients_stops_the_commit(repository):
    repository.write("openapi.yaml", "string")
    stopped = repository.run_hook("openapi.yaml", "package.json")

    assert 1 == stopped.returncode, stopped.stderr
    assert stopped.stdout.startswith("openapi.yaml: 1 difference, 1 breaking")


def test_a_commit_without_a_breaking_change_passes(repository):
    repository.write("new-OpenAPI.json.yaml", "string")  # nothing to compare with
    passed = repository.run_hook("openapi.yaml", "new-OpenAPI.json.yaml")

    assert (0, "", "") == (passed.returncode, passed.stdout, passed.stderr)


@pytest.mark.parametrize("commit", ["no-such-branch", "--output=pwned", "-h", "HEAD; touch pwned"])
def test_a_commit_that_is_none_is_wrong_use(repository, commit: str):
    repository.hook["entry"] += f" --commit={shlex.quote(commit)}"
    stopped = repository.run_hook("openapi.yaml")

    assert 2 == stopped.returncode
    assert "is no commit of this repository" in stopped.stderr
    assert not (repository.folder / "pwned").exists()


def test_a_document_that_cannot_be_read_is_wrong_use(repository):
    (repository.folder / "openapi.yaml").write_text("{")

    assert 2 == repository.run_hook("openapi.yaml").returncode
