"""The runner finds what goes wrong in a notebook and what leaks from it, and cleans files."""

from __future__ import annotations

import base64
import socket
import sys
import tempfile
import uuid
from pathlib import Path
from urllib.parse import quote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from scripts import notebooks as runner

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
SECRET = "key/with spaces & 'quotes'"


def write(path: Path, *cells: str) -> Path:
    """A notebook of code cells whose ids are c1, c2 …"""
    code_cells = [new_code_cell(source, id=f"c{n}") for n, source in enumerate(cells, 1)]
    nbformat.write(new_notebook(cells=code_cells, metadata=KERNEL), path)
    return path


def printing(text: str) -> nbformat.NotebookNode:
    """A notebook whose one cell has printed a text."""
    return new_notebook(cells=[new_code_cell(id="c1", outputs=[new_output("stream", text=text)])])


# --- running ------------------------------------------------------------------------------------------------


def test_a_kernel_has_sockets_in_a_folder_while_their_paths_are_short_enough():
    with tempfile.TemporaryDirectory() as folder:
        ways = {n: runner.transport(f"{folder}/{'x' * n}") for n in range(1, 108)}
        longest = max((n for n, way in ways.items() if way == "ipc"), default=0)
        assert ["ipc"] * longest + ["tcp"] * (107 - longest) == list(ways.values())

        if sys.platform == "linux":
            Path(folder, "x" * longest).mkdir()
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(f"{folder}/{'x' * longest}/kernel-{uuid.uuid4()}-ipc-5")
        else:
            assert 0 == longest


def test_a_notebook_that_runs_is_ok_and_its_file_is_not_changed(tmp_path: Path, capsys):
    path = write(tmp_path / "good.ipynb", "x = 6", "print(x * 7)")
    before = path.read_bytes()

    assert 0 == runner.main([str(path)])
    assert capsys.readouterr().out.startswith("ok     good.ipynb (")
    assert before == path.read_bytes()


def test_the_executed_notebook_is_kept_where_asked_without_widget_state(tmp_path: Path):
    path = write(tmp_path / "good.ipynb", "import ipywidgets\nipywidgets.IntSlider()", "print('forty-two')")

    assert 0 == runner.main([str(path), "--save", str(tmp_path / "done")])
    saved = nbformat.read(tmp_path / "done" / "good.ipynb", as_version=4)
    assert "forty-two\n" == saved.cells[1].outputs[0].text
    assert "widgets" not in saved.metadata


def test_a_failing_cell_is_named_with_its_traceback_and_the_others_still_run(tmp_path: Path, capsys):
    bad = write(tmp_path / "bad.ipynb", "x = 0", "1 / x", "print('never')")
    good = write(tmp_path / "good.ipynb", "pass")

    assert 1 == runner.main([str(bad), str(good)])
    said = capsys.readouterr()
    assert "FAILED bad.ipynb" in said.out
    assert "cell 2 (c2): " in said.out
    assert "ZeroDivisionError: division by zero" in said.out
    assert "ok     good.ipynb" in said.out
    assert "1 of 2 failed: bad.ipynb\n" == said.err


def test_a_cell_that_never_ends_is_named_and_ended(tmp_path: Path, capsys):
    path = write(tmp_path / "endless.ipynb", "pass", "import threading\nthreading.Event().wait()")

    assert 1 == runner.main([str(path), "--timeout", "4"])
    assert "cell 2 (c2): not done within 4 s" in capsys.readouterr().out


def test_a_kernel_that_dies_is_reported(tmp_path: Path, capsys):
    path = write(tmp_path / "dies.ipynb", "import os\nos._exit(1)")

    assert 1 == runner.main([str(path)])
    assert "cell 1 (c1): the kernel died" in capsys.readouterr().out


def test_a_kernel_that_is_not_installed_is_reported(tmp_path: Path, capsys):
    path = tmp_path / "other.ipynb"
    nbformat.write(new_notebook(metadata={"kernelspec": {"name": "cobol", "display_name": "COBOL"}}), path)

    assert 1 == runner.main([str(path)])
    assert "No such kernel named cobol; install that kernel" in capsys.readouterr().out


def test_a_warning_is_shown(tmp_path: Path, capsys):
    path = write(tmp_path / "warns.ipynb", "import warnings\nwarnings.warn('this will go away')")

    assert 0 == runner.main([str(path)])
    assert "UserWarning: this will go away" in capsys.readouterr().out


# --- secrets ------------------------------------------------------------------------------------------------


def test_a_demonstration_secret_that_is_printed_is_caught_and_not_repeated(tmp_path: Path, capsys):
    path = write(tmp_path / "leaks.ipynb", "secret = 'whsec_demo_not_a_secret'", "print('it is', secret)")

    assert 1 == runner.main([str(path), "--save", str(tmp_path / "done")])
    said = capsys.readouterr().out
    assert "cell 2 (c2), output 1 holds the demonstration secret, as it is" in said
    assert "demo_not_a_secret" not in said
    assert not (tmp_path / "done").exists()


def test_a_secret_that_is_printed_in_pieces_is_caught(tmp_path: Path, capsys):
    pieces = "for piece in ('demo_', 'not_a_', 'secret'):\n    print(piece, end='', flush=True)"

    assert 1 == runner.main([str(write(tmp_path / "leaks.ipynb", pieces))])
    assert "cell 1 (c1), output 1 holds the demonstration secret" in capsys.readouterr().out


def test_the_value_of_an_environment_variable_that_is_printed_is_caught(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setenv("MY_SECRET", SECRET)
    path = write(
        tmp_path / "leaks.ipynb",
        "import base64, os",
        "print(base64.b64encode(b'me:' + os.environb[b'MY_SECRET']))",
    )

    assert 0 == runner.main([str(path)])
    capsys.readouterr()
    assert 1 == runner.main([str(path), "--secret-env", "MY_SECRET"])
    assert "cell 2 (c2), output 1 holds the value of MY_SECRET, base64" in capsys.readouterr().out


def test_a_traceback_that_holds_a_secret_is_not_shown(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setenv("MY_SECRET", "correct horse battery staple")
    path = write(tmp_path / "leaks.ipynb", "import os\nraise ValueError('bad: ' + os.environ['MY_SECRET'])")

    assert 1 == runner.main([str(path), "--secret-env", "MY_SECRET"])
    said = capsys.readouterr().out
    assert "cell 1 (c1), output 1 holds the value of MY_SECRET, as it is" in said
    assert "correct horse" not in said


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        SECRET.encode().hex(),
        SECRET.encode().hex().upper(),
        quote(SECRET, safe=""),
        base64.b64encode(SECRET.encode()).decode(),
        base64.b64encode(b"u:" + SECRET.encode() + b"!").decode(),
        base64.b64encode(b"?" + SECRET.encode()).decode(),
        "key/with spaces &amp; &#x27;quotes&#x27;",
    ],
)
def test_a_known_secret_is_found_in_every_usual_encoding(written: str):
    assert [] != runner.printed_leaks(printing(f"…{written}…"), {"mine": SECRET})


@pytest.mark.parametrize(
    "printed",
    [
        "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
        "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIC7GFuSZ",
        repr("-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAwJENcRev"),
        "-----BEGIN EC PRIVATE KEY-----&#10;MHcCAQEEIIrYSSNQFaA2Hwf1",
    ],
)
def test_what_looks_like_a_real_secret_is_found_in_outputs_and_in_cells(printed: str):
    written = new_notebook(cells=[new_markdown_cell(f"Take {printed}", id="c1")])

    assert 1 == len(runner.printed_leaks(printing(printed), {}))
    assert 1 == len(runner.written_leaks(written, {}))


@pytest.mark.parametrize(
    "printed",
    [
        "X-Hub-Signature-256: sha256=" + 64 * "a",
        "what follows whsec_ is base64",
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7",
        "it begins with -----BEGIN PRIVATE KEY-----, and nothing of it stands here",
        "whsec_ is a prefix; whsec_… hides the rest",
    ],
)
def test_a_signature_or_a_public_key_that_is_printed_is_no_leak(printed: str):
    assert [] == runner.printed_leaks(printing(printed), {})


def test_widget_state_in_the_metadata_is_searched_too():
    notebook = new_notebook(metadata={"widgets": {"state": {"1": {"secret": "demo_not_a_secret"}}}})

    assert ["the notebook's metadata holds the demonstration secret, as it is"] == [
        str(leak) for leak in runner.printed_leaks(notebook, {})
    ]


# --- clean files --------------------------------------------------------------------------------------------


def test_strip_takes_out_what_check_complains_of_and_nothing_else(tmp_path: Path, capsys):
    path = tmp_path / "dirty.ipynb"
    dirty = new_code_cell(
        "1 + 1", id="sum", execution_count=3, metadata={"tags": ["kept"], "collapsed": True}
    )
    dirty.outputs = [new_output("stream", text="2")]
    more = {"widgets": {}, "language_info": {"name": "python", "version": "3.11.7"}}
    nbformat.write(
        new_notebook(cells=[dirty, new_markdown_cell("Told.", id="told")], metadata=KERNEL | more), path
    )

    assert 1 == runner.main(["--check", str(path)])
    said = capsys.readouterr().err
    assert "its metadata holds more than the kernel and the language" in said
    assert "cell 1 (sum) holds outputs, counts or metadata" in said
    assert "cell 2" not in said

    assert 0 == runner.main(["--strip", str(path)])
    assert 0 == runner.main(["--check", str(path)])
    clean = nbformat.read(path, as_version=4)
    assert KERNEL | {"language_info": {"name": "python"}} == clean.metadata
    assert [("1 + 1", {"tags": ["kept"]}), ("Told.", {})] == [
        (cell.source, cell.metadata) for cell in clean.cells
    ]


def test_strip_leaves_a_clean_file_alone(tmp_path: Path, capsys):
    path = write(tmp_path / "clean.ipynb", "pass")
    path.write_text(path.read_text() + "\n")

    assert 0 == runner.main(["--strip", str(path)])
    assert "" == capsys.readouterr().out
    assert path.read_text().endswith("\n\n")


def test_check_finds_a_key_that_somebody_wrote_into_a_cell(tmp_path: Path, capsys):
    path = write(tmp_path / "wrote.ipynb", f"key = {'0123456789abcdef' * 4!r}")

    assert 1 == runner.main(["--check", str(path)])
    assert "cell 1 (c1) holds what looks like a key in hex" in capsys.readouterr().err


# --- the command --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gone.ipynb"], "there is no file gone.ipynb"),
        (
            ["--secret-env", "NO_SUCH_VARIABLE"],
            "the environment variable NO_SUCH_VARIABLE is not set or empty",
        ),
        (["--secret-env", "SHORT"], "the value of SHORT is too short to be told from other text"),
        (["--jobs", "0"], "--jobs and --timeout are more than 0"),
        (["--strip", "--check"], "not allowed with argument"),
    ],
)
def test_a_mistake_in_the_command_is_reported(arguments: list[str], said: str, capsys, monkeypatch):
    monkeypatch.setenv("SHORT", "abc")

    with pytest.raises(SystemExit):
        runner.main(arguments)

    assert said in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"hello", b"[]", b"{}", b"\xff", b'{"nbformat":4,"metadata":{}}'])
def test_a_file_that_is_no_notebook_is_reported(content: bytes, tmp_path: Path):
    path = tmp_path / "not.ipynb"
    path.write_bytes(content)

    with pytest.raises(SystemExit, match=r"not\.ipynb is not a notebook that can be read: "):
        runner.main(["--check", str(path)])


def test_help_tells_how_to_run_a_runbook_of_ones_own(capsys):
    with pytest.raises(SystemExit):
        runner.main(["--help"])

    assert "runbook.ipynb --secret-env STRIPE_WEBHOOK_SECRET" in capsys.readouterr().out
