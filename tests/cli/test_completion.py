"""Completion in bash, zsh and fish: the scripts that the command prints, and what they complete.

bash runs its script. zsh and fish need not be on the machine: their scripts are the library's, and the
commands in them run in a POSIX shell, with the line that the shell would put in.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.completion import get_completion_script  # type: ignore[attr-defined]

from hook_widgets.webhooks import providers

BEGINNING = {each.id for each in providers() if each.id.startswith("git")}
LINE = "hook-widgets sign git"


def shell(command: str, *, program: str = "sh") -> subprocess.CompletedProcess[str]:
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [program, "-c", command],
        env={**os.environ, "PATH": tools},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def script(name: str) -> str:
    done = shell(f"_HOOK_WIDGETS_COMPLETE=source_{name} hook-widgets")
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_that_of_the_library(name: str):
    expected = get_completion_script(
        prog_name="hook-widgets", complete_var="_HOOK_WIDGETS_COMPLETE", shell=name
    )

    assert expected.strip() == script(name).strip()


def test_bash_completes_with_its_script():
    done = shell(
        f"{script('bash')}\ncomplete -p hook-widgets\nCOMP_WORDS=({LINE})\nCOMP_CWORD=2\n"
        '_hook_widgets_completion hook-widgets\nprintf "%s\\n" "${COMPREPLY[@]}"',
        program="bash",
    )
    registered, *completions = done.stdout.splitlines()

    assert "complete -o default -F _hook_widgets_completion hook-widgets" == registered
    assert BEGINNING == set(completions)


def test_zsh_gets_its_arguments_from_the_command_in_its_script():
    command = re.search(r"eval \$\((.*)\)$", script("zsh"), re.MULTILINE)
    assert command is not None
    typed = command[1].replace("${words[1,$CURRENT]}", LINE)
    assert typed != command[1]
    done = shell(typed)

    assert done.stdout.startswith("_arguments '*: :((")
    assert BEGINNING == set(re.findall(r'"([^"]+)"', done.stdout))


@pytest.mark.parametrize(("line", "completes"), [(LINE, True), ("hook-widgets sign no-such-provider", False)])
def test_fish_gets_its_arguments_from_the_commands_in_its_script(line: str, completes: bool):
    commands = dict(re.findall(r'--(arguments|condition) "\(?(.*?hook-widgets)\)?"', script("fish")))
    arguments, condition = (
        shell(commands[part].replace("(commandline -cp)", f"'{line}'")) for part in ("arguments", "condition")
    )

    assert (BEGINNING if completes else set()) == set(arguments.stdout.split())
    assert completes == (condition.returncode == 0)
