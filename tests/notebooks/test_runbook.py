"""The runbook, in earnest: what it says about endpoints that are well, and about those that are not."""

from __future__ import annotations

import ast
import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import nbformat
import pytest

from hook_widgets.webhooks import Receiver, Secret
from scripts import notebooks as runner

RUNBOOK = runner.FOLDER / "13_runbook.ipynb"
SECRET = Secret("whsec_runbook_demo_of_an_endpoint")
NOBODY = "http://127.0.0.1:9/hooks"  # nothing listens on the port of the discard protocol
CHECKS = [
    "valid",
    "valid, sent again",
    "body modified",
    "signature missing",
    "ten minutes old",
    "signed with another secret",
]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of the runbook that asks the endpoint, without its widgets."""
    saved = nbformat.read(RUNBOOK, as_version=4)
    saved.cells = [cell for cell in saved.cells if cell.id in ("parameters", "setup", "two-run")]
    assert 3 == len(saved.cells)
    path = tmp_path_factory.mktemp("runbook") / RUNBOOK.name
    nbformat.write(saved, path)
    return path


@pytest.fixture
def trusting() -> Iterator[str]:
    """The URL of an endpoint that accepts whatever comes."""

    class Trusting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Trusting)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hooks"
    server.shutdown()
    thread.join()
    server.server_close()


def ran(
    notebook: Path, monkeypatch: pytest.MonkeyPatch, url: str, secret: Secret | None = SECRET
) -> runner.Run:
    monkeypatch.setenv("PAYMENTS_WEBHOOK_URL", url)
    monkeypatch.delenv("PAYMENTS_WEBHOOK_SECRET", raising=False)
    if secret is not None:
        monkeypatch.setenv("PAYMENTS_WEBHOOK_SECRET", secret.reveal())
    return asyncio.run(runner.run(notebook, known={"the secret": SECRET.reveal()}))


def printed(result: runner.Run, cell_id: str) -> list[str]:
    (cell,) = (cell for cell in result.notebook.cells if cell.id == cell_id)
    return "".join(output.text for output in cell.outputs if output.output_type == "stream").splitlines()


def printed_lines(result: runner.Run) -> list[tuple[str, str]]:
    """Status and judgement of each check."""
    lines = printed(result, "two-run")
    assert CHECKS[: len(lines)] == [line[:27].rstrip() for line in lines]
    return [(line[27:31].strip(), line[31:].strip()) for line in lines]


def test_of_an_endpoint_that_verifies_it_says_as_expected_and_lets_no_secret_out(notebook, monkeypatch):
    with Receiver("stripe", SECRET) as receiver:
        url = receiver.url
        result = ran(notebook, monkeypatch, url)

    assert ("", (), ()) == (result.failure, result.warnings, result.leaks)
    assert f"ENDPOINT: {url}" == printed(result, "setup")[0]
    statuses = ["200", "200", "401", "401", "401", "401"]
    assert [(status, "as expected") for status in statuses] == printed_lines(result)
    assert len(CHECKS) == len(receiver.deliveries)


def test_of_an_endpoint_with_another_secret_it_says_that_the_good_one_is_rejected(notebook, monkeypatch):
    with Receiver("stripe", Secret("whsec_demo_not_a_secret_of_theirs")) as receiver:
        result = ran(notebook, monkeypatch, receiver.url)

    good, again, *others = printed_lines(result)
    assert good == again
    assert "401" == good[0]
    assert good[1].startswith("NOT AS EXPECTED: Rejected; often a signature mismatch.")
    assert {"as expected"} == {judgement for _, judgement in others}


def test_of_an_endpoint_that_does_not_verify_it_says_whom_to_page(notebook, monkeypatch, trusting):
    result = ran(notebook, monkeypatch, trusting)

    assert [("204", "as expected")] * 2 + [("204", "ACCEPTED: page #security")] * 4 == printed_lines(result)


def test_an_endpoint_that_is_down_is_asked_once(notebook, monkeypatch):
    (only,) = printed_lines(ran(notebook, monkeypatch, NOBODY))

    assert "-" == only[0]
    assert only[1].startswith("NOT REACHED: Nothing listens on 127.0.0.1:9")


def test_with_an_endpoint_and_without_a_secret_it_asks_for_the_secret(notebook, monkeypatch):
    result = ran(notebook, monkeypatch, NOBODY, None)

    assert "InvalidSecret" in result.failure
    assert "'PAYMENTS_WEBHOOK_SECRET' is not set or empty" in result.failure
    assert [] == printed(result, "setup")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("payments.example.com/hooks", "must begin with http:// or https://"),
        ("https://[::1", "host or port cannot be read"),
        ("https://ann:canary4f8a2c71@payments.example.com/", "a name or password before the host"),
    ],
)
def test_what_is_no_address_is_rejected_before_it_is_shown(notebook, monkeypatch, url, said):
    result = ran(notebook, monkeypatch, url)

    assert said in result.failure
    assert [] == printed(result, "setup")
    assert url not in str(result.notebook)


def test_without_an_endpoint_it_is_a_drill_with_a_made_up_secret(notebook, monkeypatch):
    result = ran(notebook, monkeypatch, "", None)

    assert ("", (), ()) == (result.failure, result.warnings, result.leaks)
    first, second, *_ = printed(result, "setup")
    assert first.endswith("this drill uses a demo secret, for this kernel only.")
    assert second.startswith("DRILL, nothing leaves this machine: http://127.0.0.1:")
    assert {"as expected"} == {judgement for _, judgement in printed_lines(result)}


def test_a_cell_after_the_parameters_replaces_them(notebook, monkeypatch, tmp_path):
    """As papermill does: it writes the values of its command line into a cell after the tagged one."""
    book = nbformat.read(notebook, as_version=4)
    (at,) = [n for n, cell in enumerate(book.cells) if "parameters" in cell.metadata.get("tags", [])]
    statements = ast.parse(book.cells[at].source).body
    assert all(isinstance(each, ast.Assign) for each in statements)
    assert [ast.literal_eval(each.value) for each in statements if isinstance(each, ast.Assign)]
    book.cells.insert(at + 1, nbformat.v4.new_code_cell('EVENT = "no.such.event"'))
    path = tmp_path / RUNBOOK.name
    nbformat.write(book, path)

    assert "no.such.event" in ran(path, monkeypatch, "", None).failure
