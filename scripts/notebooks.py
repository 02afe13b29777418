"""Run notebooks from top to bottom, keep them clean, and let no secret out of them.

python scripts/notebooks.py                      # those of notebooks/
python scripts/notebooks.py --help               # for runbooks of your own
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import html
import json
import os
import re
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from jupyter_core.paths import jupyter_runtime_dir
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets.config import Config

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
DEMO = "demo_not_a_secret"
"""Stands in every secret of our own notebooks. They may write it, but what they print must not hold it."""

# --- secrets ------------------------------------------------------------------------------------------------

_SHAPES = {
    "a webhook secret (whsec_…)": re.compile(r"\bwhsec_[\w+/]{8,}"),
    "an API key (sk_live_…, rk_test_…)": re.compile(r"\b[sr]k_(live|test)_\w+"),
    "a GitHub token (ghp_…)": re.compile(r"\bgh[pousr]_\w{20,}"),
    "a Slack token (xox…)": re.compile(r"\bxox[abp]-\w+"),
    "a SendGrid key (SG.…)": re.compile(r"\bSG\.\w{16,}"),
    "a private key in PEM": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(\s|\\n|&#10;)*[\w+/]{16}"),
}
_SHORTEST = 8  # characters; less occurs by chance, above all in base64
# Only where people write: what a notebook prints is full of signatures and hashes, which are no secrets.
_WRITTEN_SHAPES = {"a key in hex": re.compile(r"\b[0-9a-f]{40,}\b")}


@dataclass(frozen=True, slots=True)
class Leak:
    """One place where a secret stands. It tells what it is, and never the secret itself."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where} holds {self.what}"


def find_secrets(text: str, known: Mapping[str, str]) -> Iterator[str]:
    """Describe the secrets in a text.

    Args:
        text: where to look.
        known: secrets that it must not hold, in any usual encoding, by what they are called.
    """
    for what, shape in _SHAPES.items():
        if any(DEMO not in match[0] for match in shape.finditer(text)):
            yield f"what looks like {what}"
    for name, secret in known.items():
        for form, encoded in _forms(secret).items():
            if encoded in (text.lower() if form == "hex" else text):
                yield f"{name}, {form}"
                break


def _forms(secret: str) -> dict[str, str]:
    """Return the texts that a secret could have become in an output."""
    raw = secret.encode()
    forms = {
        "as it is": secret,
        "in JSON": json.dumps(secret)[1:-1],
        "as a Python literal": repr(secret)[1:-1],
        "in HTML": html.escape(secret),
        "percent-encoded": quote(secret, safe=""),
        "hex": raw.hex(),
    }
    for shift in range(3):  # base64 at each alignment, without the characters that depend on the neighbours
        text = base64.b64encode(b"\0" * shift + raw).decode()
        forms[f"base64, {shift} bytes in"] = text[
            (0, 2, 3)[shift] : len(text) - (0, 3, 2)[(len(raw) + shift) % 3]
        ]
    return forms


def written_leaks(notebook: NotebookNode, known: Mapping[str, str]) -> list[Leak]:
    """Every real secret that somebody wrote into a cell."""
    leaks = []
    for number, cell in enumerate(notebook.cells, 1):
        source = "".join(cell.source)
        shapes = [
            f"what looks like {what}" for what, shape in _WRITTEN_SHAPES.items() if shape.search(source)
        ]
        leaks += [Leak(_place(number, cell), what) for what in chain(find_secrets(source, known), shapes)]
    return leaks


def printed_leaks(notebook: NotebookNode, known: Mapping[str, str]) -> list[Leak]:
    """Every secret, real or for demonstration, in the outputs and the metadata of a notebook."""
    watched = {"the demonstration secret": DEMO} | dict(known)
    places: list[tuple[str, object, Mapping[str, str]]] = [
        ("the notebook's metadata", notebook.metadata, watched)
    ]
    for number, cell in enumerate(notebook.cells, 1):
        places.append((f"{_place(number, cell)}, metadata", cell.metadata, watched))
        for n, output in enumerate(cell.get("outputs", []), 1):
            # A traceback quotes the notebook's own lines, which may write the demonstration secret.
            sought = known if output.output_type == "error" else watched
            places.append((f"{_place(number, cell)}, output {n}", output, sought))
    findings = ((where, find_secrets("\n".join(_texts(part)), sought)) for where, part, sought in places)
    return [Leak(where, what) for where, whats in findings for what in whats]


def _texts(part: object) -> Iterator[str]:
    """Every text in a piece of JSON, names of members included."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for name, value in part.items():
            yield str(name)
            yield from _texts(value)
    elif isinstance(part, Iterable):
        for value in part:
            yield from _texts(value)


def _place(number: int, cell: NotebookNode) -> str:
    return f"cell {number} ({cell.get('id', 'without id')})"


# --- clean files --------------------------------------------------------------------------------------------


def stripped(notebook: NotebookNode) -> NotebookNode:
    """Copy without outputs, counts, widget state and metadata other than kernel, language and tags."""
    clean = nbformat.from_dict(json.loads(json.dumps(notebook)))  # type: ignore[no-untyped-call]
    metadata = {
        name: clean.metadata[name] for name in ("kernelspec", "language_info") if name in clean.metadata
    }
    if "language_info" in metadata:
        metadata["language_info"] = {"name": metadata["language_info"]["name"]}
    clean.metadata = nbformat.from_dict(metadata)  # type: ignore[no-untyped-call]
    for cell in clean.cells:
        cell.metadata = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return clean  # type: ignore[no-any-return]


def unclean(notebook: NotebookNode) -> list[str]:
    """Describe why a notebook cannot be committed; yield nothing if it can."""
    clean, problems = stripped(notebook), []
    if notebook.metadata != clean.metadata:
        problems.append("its metadata holds more than the kernel and the language")
    for number, (cell, expected) in enumerate(zip(notebook.cells, clean.cells, strict=True), 1):
        if cell != expected:
            problems.append(f"{_place(number, cell)} holds outputs, counts or metadata")
    return problems + [str(leak) for leak in written_leaks(notebook, {})]


# --- running ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """Outcome of a notebook.

    Attributes:
        path: its file.
        notebook: it, with the outputs.
        took_s: seconds from the start of its kernel to the end.
        failure: cell and traceback of what went wrong, or "".
        warnings: what cells wrote to the error stream, with the cell.
        leaks: secrets in outputs or metadata.
    """

    path: Path
    notebook: NotebookNode = field(repr=False)
    took_s: float
    failure: str
    warnings: tuple[str, ...]
    leaks: tuple[Leak, ...]

    @property
    def ok(self) -> bool:
        """True if the notebook ran to its end and printed no secret."""
        return not (self.failure or self.leaks)

    def __str__(self) -> str:
        lines = [f"{'ok    ' if self.ok else 'FAILED'} {self.path.name} ({self.took_s:.1f} s)"]
        lines += [f"  {leak}" for leak in self.leaks]
        if self.leaks and (self.failure or self.warnings):
            return "\n".join([*lines, "  what it wrote is not shown, because a secret may stand in it"])
        return "\n".join([*lines, *(f"  {text}" for text in (*self.warnings, self.failure) if text)])


def transport(runtime_folder: str) -> str:
    """Return how to speak with a kernel: through files in this folder where that can be, not through ports.

    A free port is chosen before the kernel listens on it, and another process may take it meanwhile.
    """
    longest = 107 - len(f"/kernel-{uuid.UUID(int=0)}-ipc-5")  # of the path of a socket in Linux, see unix(7)
    return "ipc" if sys.platform == "linux" and len(runtime_folder) <= longest else "tcp"


def kernel_config() -> Config:
    """Return the configuration of a client that starts one kernel: how they speak with each other."""
    folder = Path(jupyter_runtime_dir())
    way = {"transport": transport(str(folder))}
    if way["transport"] == "ipc":
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        way["ip"] = str(folder / f"kernel-{uuid.uuid4()}-ipc")  # otherwise a name in the current folder
    return Config(KernelManager=way)


async def run(path: Path, *, timeout_s: float = 60.0, known: Mapping[str, str] | None = None) -> Run:
    """Execute a notebook in a fresh kernel, in its own folder, without storing widget state.

    Args:
        path: the notebook; the file itself is not changed.
        timeout_s: seconds within which all of it has to be done.
        known: secrets that nothing it prints may hold, by what they are called.
    """
    notebook, started, at = read(path), time.monotonic(), [0]

    def left_s(_cell: NotebookNode) -> int:
        return max(1, round(started + timeout_s - time.monotonic()))

    def reached(*, cell_index: int, **_: object) -> None:
        at[0] = cell_index

    client = NotebookClient(
        notebook,
        timeout_func=left_s,
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,  # a secret that was written in two pieces is one text then
        on_cell_execute=reached,
        resources={"metadata": {"path": str(path.resolve().parent)}},
        config=kernel_config(),
    )
    failure = ""
    try:
        await client.async_execute()
    except CellTimeoutError:
        failure = f"{_place(at[0] + 1, notebook.cells[at[0]])}: not done within {timeout_s:g} s"
    except CellExecutionError as error:
        failure = f"{_place(at[0] + 1, notebook.cells[at[0]])}: {_plain(error.traceback)}"
    except DeadKernelError:
        failure = f"{_place(at[0] + 1, notebook.cells[at[0]])}: the kernel died"
    except NoSuchKernel as error:
        failure = f"{error}; install that kernel, or run the notebook in an environment that has it"
    leaks = (*written_leaks(notebook, known or {}), *printed_leaks(notebook, known or {}))
    return Run(path, notebook, time.monotonic() - started, failure, tuple(_warnings(notebook)), leaks)


def _warnings(notebook: NotebookNode) -> Iterator[str]:
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr":
                yield f"{_place(number, cell)} wrote to its error stream: {_plain(output.text)}"


def read(path: Path) -> NotebookNode:
    """Read a notebook; exit with a message if the file is none."""
    try:
        return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call, no-any-return]
    except (AttributeError, ValueError, nbformat.ValidationError) as error:
        problem = str(error).splitlines()[0]
        sys.exit(f"{path} is not a notebook that can be read: {problem}")


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text).strip()


async def run_all(
    paths: Iterable[Path],
    *,
    jobs: int,
    timeout_s: float,
    known: Mapping[str, str],
    done: Callable[[Run], None],
) -> None:
    """Execute notebooks, so many at a time, and hand over each as it is done."""
    free = asyncio.Semaphore(jobs)

    async def one(path: Path) -> Run:
        async with free:
            return await run(path, timeout_s=timeout_s, known=known)

    running = [asyncio.create_task(one(path)) for path in paths]  # in this order
    for finished in asyncio.as_completed(running):
        done(await finished)


# --- command ------------------------------------------------------------------------------------------------

_HELP = """\
Each notebook runs in a fresh kernel and its own folder. The command fails, and names cell and traceback, when
one does not run to its end, takes longer than --timeout, or prints a secret. Your files are not changed.

A runbook of your own that takes its secret from the environment:

  read -rs STRIPE_WEBHOOK_SECRET && export STRIPE_WEBHOOK_SECRET
  python scripts/notebooks.py runbook.ipynb --secret-env STRIPE_WEBHOOK_SECRET

This looks for that secret in all that it printed, as it is and encoded (base64, hex, URL, HTML, JSON).
Before you commit a notebook, --strip takes outputs, counts and widget state out; --check, in CI, says whether
they are out and whether somebody wrote a secret into a cell.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="notebooks.py",
        description="Run notebooks, keep them clean, and let no secret out of them.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths", nargs="*", type=Path, help="notebooks; those of notebooks/ when none is given"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--strip", action="store_true", help="take outputs, counts and metadata out of the files"
    )
    what.add_argument(
        "--check", action="store_true", help="fail if a file holds outputs, metadata or a secret"
    )
    parser.add_argument(
        "--secret-env", action="append", default=[], metavar="NAME",
        help="an environment variable whose value nothing may print; may be given several times",
    )  # fmt: skip
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help="for a notebook (60)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="notebooks at a time (2)")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="keep the executed notebooks there")
    asked = parser.parse_args(arguments)
    paths = asked.paths or sorted(FOLDER.glob("*.ipynb"))
    missing = [str(path) for path in paths if not path.is_file()]
    unset = [name for name in asked.secret_env if not os.environ.get(name)]
    if missing:
        parser.error(f"there is no file {', '.join(missing)}")
    if unset:
        parser.error(f"the environment variable {', '.join(unset)} is not set or empty")
    if short := [name for name in asked.secret_env if len(os.environ[name]) < _SHORTEST]:
        parser.error(f"the value of {', '.join(short)} is too short to be told from other text")
    if asked.jobs < 1 or asked.timeout <= 0:
        parser.error("--jobs and --timeout are more than 0")
    if asked.strip:
        return _strip(paths)
    if asked.check:
        return _check(paths)
    known = {f"the value of {name}": os.environ[name] for name in asked.secret_env}
    failed = []

    def done(ran: Run) -> None:
        print(ran, flush=True)
        if not ran.ok:
            failed.append(ran.path.name)
        if asked.save and not ran.leaks:
            asked.save.mkdir(parents=True, exist_ok=True)
            nbformat.write(ran.notebook, asked.save / ran.path.name)  # type: ignore[no-untyped-call]

    asyncio.run(run_all(paths, jobs=asked.jobs, timeout_s=asked.timeout, known=known, done=done))
    if failed:
        print(f"{len(failed)} of {len(paths)} failed: {', '.join(sorted(failed))}", file=sys.stderr)
    return int(bool(failed))


def _strip(paths: Iterable[Path]) -> int:
    for path in paths:
        notebook = read(path)
        clean = stripped(notebook)
        if notebook != clean:
            nbformat.write(clean, path)  # type: ignore[no-untyped-call]
            print(f"stripped {path}")
    return 0


def _check(paths: Iterable[Path]) -> int:
    status = 0
    for path in paths:
        for problem in unclean(read(path)):
            print(f"{path}: {problem}", file=sys.stderr)
            status = 1
    if status:
        print("`python scripts/notebooks.py --strip` takes outputs and metadata out.", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
