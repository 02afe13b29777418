"""Each command: its result, its exit code, and what is wrong with bad arguments."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from hook_widgets.cli.app import main
from hook_widgets.receivers import sending
from hook_widgets.webhooks import KeyPair, Receiver, Secret, provider, verify
from hook_widgets.webhooks.recordings import read_recording
from tests.receiver_checks.http_layer import Serving
from tests.receivers.broken.handshakes import Ban
from tests.receivers.broken.signatures import NoVerification

CANARY = "whsec_canaryOfTheCommand4711"


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HOOK_SECRET", CANARY)
    return "HOOK_SECRET"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver("stripe", Secret(CANARY)) as running:
        yield running


class Output:
    """The exit code and the texts of one command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    def command(*arguments: str) -> Output:
        code = main(arguments)
        out, err = capfd.readouterr()
        assert CANARY not in out + err
        assert "canaryOfTheCommand" not in out + err
        return Output(code, out, err)

    return command


def test_the_providers_and_the_events_of_one_are_listed(run):
    listed = run("providers", "--format", "json")
    events = run("providers", "stripe", "--format", "json")

    assert (0, 0) == (listed.code, events.code)
    assert "stripe" in [row["id"] for row in listed.json]
    assert "payment_intent.succeeded" in [row["event"] for row in events.json]
    assert "payment_intent.succeeded" in run("providers", "stripe").out


def test_a_signed_request_verifies(run, secret, tmp_path: Path):
    signed = run("sign", "stripe", "--event", "invoice.paid", "--secret-env", secret)
    file = tmp_path / "request.http"
    file.write_bytes(signed.out.encode())
    request = read_recording(file.read_bytes()).exchanges[0].request.received()

    assert verify("stripe", request, Secret(CANARY)).ok
    assert 0 == run("verify", "stripe", str(file), "--secret-env", secret).code


def test_a_signed_request_is_printed_as_json_too(run, secret):
    request = run("sign", "github", "--secret-env", secret, "--format", "json").json

    assert verify(
        "github", secret=Secret(CANARY), headers=request["headers"], body=request["body"].encode()
    ).ok


def test_a_curl_command_signs_when_it_runs(run, secret, receiver):
    command = run("sign", "stripe", "--url", receiver.url, "--secret-env", secret, "--format", "curl")
    done = subprocess.run(["bash", "-c", command.out], capture_output=True, check=False)

    assert 0 == done.returncode, done.stderr
    assert [True] == [delivery.verdict.ok for delivery in receiver.deliveries]


def test_a_token_is_not_printed(run, secret):
    rejected = run("sign", "gitlab-token", "--secret-env", secret)

    assert 2 == rejected.code
    assert "contains the secret itself" in rejected.err
    assert "" == rejected.out


def test_an_event_is_sent_and_accepted(run, secret, receiver):
    sent = run("send", "stripe", receiver.url, "--secret-env", secret, "--format", "json")

    assert (0, 200, "") == (sent.code, sent.json["status"], sent.json["error"])
    assert [True] == [delivery.verdict.ok for delivery in receiver.deliveries]


@pytest.mark.parametrize(
    ("command", "options"), [("send", ()), ("check", ("--only", "A1", "--only", "F7")), ("why-rejected", ())]
)
def test_a_receiver_with_a_certificate_of_its_own_is_reached_with_ca(run, secret, command, options):
    with Receiver("stripe", Secret(CANARY), tls=True) as receiver:
        call = (command, "stripe", receiver.url, "--secret-env", secret, *options)
        unknown, known = run(*call), run(*call, "--ca", str(receiver.ca))

    assert (3, "is self-signed") == (unknown.code, *re.findall("is self-signed", unknown.out))
    assert 0 == known.code


def test_a_file_without_a_certificate_is_wrong_use(run, secret):
    rejected = run("check", "stripe", "https://127.0.0.1:9/", "--secret-env", secret, "--ca", __file__)

    assert (2, "") == (rejected.code, rejected.out)
    assert "contains no certificate" in rejected.err


def test_the_secret_comes_from_a_file_descriptor(run, receiver, tmp_path: Path):
    file = tmp_path / "secret"
    file.write_text(CANARY + "\n")
    descriptor = os.open(file, os.O_RDONLY)
    try:
        sent = run("send", "stripe", receiver.url, "--secret-fd", str(descriptor))
    finally:
        os.close(descriptor)

    assert 0 == sent.code
    assert "200 OK" in sent.out


def test_a_body_of_ones_own_is_sent_byte_for_byte(run, secret, receiver, tmp_path: Path):
    file = tmp_path / "body.json"
    file.write_bytes(b'{"id" :"evt_1",\r\n"object": "event"}')

    assert 0 == run("send", "stripe", receiver.url, "--body", str(file), "--secret-env", secret).code
    assert file.read_bytes() == receiver.deliveries[0].request.body


def test_a_rejected_event_is_a_finding_and_an_absent_receiver_an_error(run, monkeypatch, receiver):
    monkeypatch.setenv("OTHER", "whsec_of_someone_else")
    rejected = run("send", "stripe", receiver.url, "--secret-env", "OTHER")
    receiver.stop()
    absent = run("send", "stripe", "http://127.0.0.1:9/hooks", "--secret-env", "OTHER")

    assert (1, 3) == (rejected.code, absent.code)
    assert "401" in rejected.out


def test_a_dry_run_sends_nothing_and_needs_no_secret(run, receiver):
    command = ("send", "stripe", receiver.url, "--event", "invoice.paid", "--dry-run")
    dry, text = run(*command, "--format", "json"), run(*command)
    headers = dict(dry.json["headers"])

    assert (0, 0) == (dry.code, text.code)
    assert receiver.url == dry.json["url"]
    assert headers["Stripe-Signature"].endswith(",v1=<signature>")
    assert provider("stripe").draft(event="invoice.paid").payload.decode() == dry.json["body"]
    assert f"Stripe-Signature: {headers['Stripe-Signature']}"[:25] in text.out
    assert text.out.startswith("POST /")
    assert [] == receiver.deliveries


def test_a_dry_run_of_a_token_shows_no_secret(run, secret):
    dry = run("send", "gitlab-token", "http://127.0.0.1:9/", "--secret-env", secret, "--dry-run")

    assert 0 == dry.code
    assert "X-Gitlab-Token: <signature>" in dry.out


class Echo(BaseHTTPRequestHandler):
    """A receiver that repeats what it gets, the token too."""

    def do_POST(self) -> None:
        body = repr(dict(self.headers)).encode()
        self.send_response(200, "token " + self.headers.get("X-Gitlab-Token", ""))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_response_that_repeats_the_token_is_masked(run, secret, format_: str):
    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/"
        sent = run("send", "gitlab-token", url, "--secret-env", secret, "--format", format_)
        thread.join()

    assert 0 == sent.code
    assert "X-Gitlab-Token': '••••" in sent.out


def test_a_request_that_does_not_verify_is_diagnosed(run, secret, tmp_path: Path):
    request = provider("stripe").draft().sign(Secret(CANARY))
    header = request.headers["Stripe-Signature"]
    file = tmp_path / "request.http"
    body = json.dumps(json.loads(request.body)).encode()
    file.write_bytes(b"POST / HTTP/1.1\r\nStripe-Signature: " + header.encode() + b"\r\n\r\n" + body)

    verified = run("verify", "stripe", str(file), "--secret-env", secret)
    diagnosed = run("diagnose", "stripe", str(file), "--secret-env", secret, "--format", "json")

    assert (1, 1) == (verified.code, diagnosed.code)
    assert diagnosed.json["findings"]
    assert "rejected:" in verified.out


def test_a_public_key_verifies(run, monkeypatch, tmp_path: Path):
    pair = KeyPair.generate("ed25519")
    request = provider("discord").draft().sign(pair)
    monkeypatch.setenv("KEY", pair.public_key.text)
    file = tmp_path / "request.http"
    lines = [f"{name}: {value}" for name, value in request.headers.multi_items()]
    file.write_bytes("\r\n".join(["POST / HTTP/1.1", *lines, "", ""]).encode() + request.body)

    assert 0 == run("verify", "discord", str(file), "--secret-env", "KEY").code


def test_a_right_receiver_passes_the_check(run, secret, receiver):
    checked = run("check", "stripe", receiver.url, "--secret-env", secret, "--format", "json")

    assert 0 == checked.code
    assert {"provider", "url", "suite", "score", "checks"} == set(checked.json)
    assert {
        *("id", "title", "severity", "status", "expected", "observed"),
        *("elapsed_ms", "why", "fix", "sources"),
    } == set(checked.json["checks"][0])
    assert "" == checked.err


def test_a_failed_check_is_a_finding_in_every_format(run, monkeypatch, receiver):
    monkeypatch.setenv("OTHER", "whsec_of_someone_else")
    command = ("check", "stripe", receiver.url, "--only", "A1", "--secret-env", "OTHER", "--format")
    outputs = {name: run(*command, name) for name in ("text", "json", "junit", "markdown")}

    assert {1} == {output.code for output in outputs.values()}
    assert "failed" == outputs["json"].json["checks"][0]["status"]
    assert "1" == ElementTree.fromstring(outputs["junit"].out)[0].get("failures")
    assert "## A1" in outputs["markdown"].out
    assert "A1 A valid, fresh request: failed (critical)" in outputs["text"].out
    assert all("io.ReadAll(r.Body) once" in output.out for output in outputs.values())
    assert all("`hook-widgets why-rejected` finds out why" in output.err for output in outputs.values())


def test_a_change_for_several_findings_lists_the_frameworks_once(run, secret):
    with Serving(NoVerification("stripe", CANARY)) as url:
        accepted = run("check", "stripe", url, "--secret-env", secret, "--only", "B1", "--only", "B3")

    assert 1 == accepted.code
    assert 2 == accepted.out.count("  Verify before anything else, ")
    assert 1 == accepted.out.count("    Flask: ")
    assert "why-rejected" not in accepted.err


def test_a_check_of_nothing_could_not_run(run, secret):
    assert 3 == run("check", "stripe", "http://127.0.0.1:9/hooks", "--secret-env", secret).code


def test_a_check_of_a_receiver_that_bans_the_sender_could_not_run(run, secret):
    with Serving(Ban("stripe", CANARY)) as url:
        banned = run("check", "stripe", url, "--secret-env", secret, "--only", "A1", "--only", "B1")

    assert 3 == banned.code
    assert "it is not known whether forgeries are rejected: B1" in banned.err
    assert re.search(r"^B1 .* not decided  ", banned.out, re.MULTILINE)


def test_a_check_that_ends_early_is_not_right_and_prints_what_it_knows(run, secret, receiver, monkeypatch):
    # The time is over as soon as one request has arrived.
    clock = SimpleNamespace(monotonic=lambda: 1000.0 * len(receiver.deliveries))
    monkeypatch.setattr(sending, "time", clock)
    ended = run("check", "stripe", receiver.url, "--secret-env", secret, "--budget", "60", "--format", "json")

    assert (3, "passed") == (ended.code, ended.json["checks"][0]["status"])
    assert "the run ended early" in ended.err


def test_ctrl_c_prints_what_a_check_knows(run, secret):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()
            signal.raise_signal(signal.SIGINT)

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.handle_request).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        stopped = run("check", "stripe", url, "--secret-env", secret, "--format", "json")

    assert (3, "passed") == (stopped.code, stopped.json["checks"][0]["status"])
    assert "it was stopped" in stopped.err


@pytest.mark.parametrize("command", ["check", "providers"])
def test_a_reader_that_goes_away_is_no_finding(secret, receiver, command):
    more = [receiver.url, "--only", "A1", "--secret-env", secret] if command == "check" else []
    reading, writing = os.pipe()
    os.close(reading)
    try:
        call = [sys.executable, "-m", "hook_widgets", command, "stripe", *more]
        done = subprocess.run(call, stdout=writing, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writing)

    assert (3, b"") == (done.returncode, done.stderr)


def test_the_checks_are_listed_without_sending(run):
    listed = run("check", "stripe", "http://127.0.0.1:9/hooks", "--dry-run")

    some = run(
        *("check", "stripe", "http://127.0.0.1:9/", "--dry-run", "--only", "B", "--skip", "B11"),
        *("--format", "json"),
    )

    assert (0, 0) == (listed.code, some.code)
    assert "An empty or truncated signature" in listed.out
    assert "up to 250 requests, many of them forged, to 127.0.0.1:9" in listed.err
    assert {"B"} == {row["id"][0] for row in some.json}
    assert "B11" not in {row["id"] for row in some.json}
    forged = ("no signature", "one from 127.0.0.1 by X-Forwarded-For")
    sent = [f"POST {label}; POST a good request" for label in forged]
    assert "; ".join(["POST a good request", *sent]) == some.json[0]["requests"]


def test_the_requests_of_a_search_are_listed_without_sending(run, secret):
    listed = run("why-rejected", "stripe", "http://127.0.0.1:9/", "--secret-env", secret, "--dry-run")

    assert 0 == listed.code
    assert "Its secret ends in a line feed" in listed.out


def test_every_table_can_be_markdown(run, secret, tmp_path: Path):
    request = tmp_path / "request.http"
    request.write_bytes(b"POST / HTTP/1.1\r\nStripe-Signature: t=1,v1=00\r\n\r\n{}")
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text('{"type": "integer"}')
    new.write_text('{"type": "string"}')
    commands = [
        ("providers",),
        ("providers", "stripe"),
        ("verify", "stripe", str(request), "--secret-env", secret),
        ("diagnose", "stripe", str(request), "--secret-env", secret),
        ("limits", "plan", "1000/hour", "--steady", "700/hour"),
        ("limits", "simulate", "10/s", "--steady", "1/s", "--duration", "10s"),
        ("versions", "compare", str(old), str(new)),
        ("check", "stripe", "http://127.0.0.1:9/", "--dry-run"),
    ]
    tables = [run(*command, "--format", "markdown") for command in commands]

    for table in tables:
        rows = [line for line in table.out.splitlines() if line.startswith("| ")]
        assert len(rows) >= 2, table.err
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
        assert set(rows[1]) == set("| -")


def test_another_machine_needs_consent(run, secret):
    for command in ("check", "why-rejected"):
        rejected = run(command, "stripe", "https://hooks.example.com/stripe", "--secret-env", secret)

        assert 3 == rejected.code
        assert "is not this machine" in rejected.err
        assert "--allow-host" in rejected.err


@pytest.mark.parametrize(("options", "count"), [((), 250), (("--suite", "full"), 1600)])
def test_consent_names_the_host_and_the_number_of_requests(run, secret, options, count):
    url = "https://hooks.example.com/stripe"
    rejected = run("check", "stripe", url, "--secret-env", secret, *options)
    listed = run("check", "stripe", url, "--dry-run", *options)

    assert f"hooks.example.com is not this machine; a run sends up to {count} requests" in rejected.err
    assert f"up to {count} requests, many of them forged, to hooks.example.com" in listed.err


def test_a_rejection_is_explained(run, secret):
    with Receiver("stripe", Secret(CANARY + "\n")) as wrong:
        explained = run("why-rejected", "stripe", wrong.url, "--secret-env", secret)

    assert 1 == explained.code
    assert "Its secret ends in a line feed." in explained.out


def test_requests_are_received_and_verified(secret):
    command = [
        sys.executable,
        "-m",
        "hook_widgets",
        "receive",
        "stripe",
        "--secret-env",
        secret,
        "--count",
        "1",
    ]
    with subprocess.Popen(
        [*command, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        url = process.stderr.readline().removeprefix("listening at ").strip()
        sent = main(["send", "stripe", url, "--secret-env", secret])
        out, _ = process.communicate(timeout=20)

    assert (0, 0) == (sent, process.returncode)
    assert json.loads(out)["ok"]


def test_a_receiver_whose_output_nobody_reads_ends(secret):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "hook_widgets", "receive", "stripe", "--secret-env", secret]
    with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE, text=True) as process:
        os.close(writing)
        assert process.stderr is not None
        url = process.stderr.readline().removeprefix("listening at ").strip()
        main(["send", "stripe", url, "--secret-env", secret])
        try:
            process.communicate(timeout=20)
        finally:
            process.kill()

    assert 3 == process.returncode


def test_a_port_in_use_is_wrong_use(run, secret, receiver):
    port = receiver.url.split(":")[2].partition("/")[0]
    rejected = run("receive", "stripe", "--port", port, "--secret-env", secret)

    assert 2 == rejected.code
    assert f"port {port} cannot be used" in rejected.err


def test_a_plan_has_a_verdict_and_figures(run):
    planned = run(
        *("limits", "plan", "1000/hour", "--steady", "700/hour", "--burst", "200", "--clients", "12"),
        *("--format", "json"),
    )

    assert 0 == planned.code
    assert planned.json["verdict"]
    assert len(planned.json["actions"]) <= 3


def test_a_simulation_with_rejections_is_a_finding(run):
    command = ("limits", "simulate", "10/s", "--burst", "40", "--burst-allowance", "30", "--duration", "60s")
    rejected = run(*command)
    table = run(*command, "--format", "csv")

    assert (1, 1) == (rejected.code, table.code)
    assert "time_s,left,admitted,rejected,queued" == table.out.splitlines()[0]
    assert "Token bucket" in run(*command, "--compare").out
    assert 0 == run("limits", "simulate", "10/s", "--steady", "1/s", "--duration", "10s").code


def test_a_limiter_whose_requests_wait_is_simulated_but_not_compared(run):
    done = run("limits", "simulate", "kubernetes-client", "--burst", "30", "--compare")

    assert 1 == done.code
    assert "66.7% of the requests wait, up to 4 s" == done.out.splitlines()[0]
    assert "In the queue" in done.out
    assert "There is nothing to compare" in done.err
    assert "" == run("limits", "simulate", "5/s", "--burst", "3", "--compare").err


@pytest.mark.parametrize("command", ["plan", "simulate"])
def test_a_limiter_of_ones_own_can_make_requests_wait(run, command: str):
    options = ("--burst", "30", "--burst-allowance", "10", "--algorithm", "token_bucket_wait")

    assert "66.7% of the requests" in run("limits", command, "5/s", *options).out.splitlines()[0]
    assert "wait, up to 4 s" in run("limits", command, "5/s", *options).out.splitlines()[0]


def test_documents_are_compared(run, tmp_path: Path):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text('{"type": "object", "properties": {"total": {"type": "integer"}}}')
    new.write_text('{"type": "object", "properties": {"total": {"type": "string"}}}')
    broken = run("versions", "compare", str(old), str(new), "--format", "json")

    assert (1, True) == (broken.code, broken.json["breaking"])
    assert 0 == run("versions", "compare", str(old), str(old)).code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sign", "strpe", "--secret-env", "HOOK_SECRET"), "stripe"),
        (("sign", "stripe", "--event", "x", "--secret-env", "HOOK_SECRET"), "x"),
        (("sign", "stripe"), "--secret-env NAME"),
        (("sign", "stripe", "--secret-env", "NOT_SET"), "NOT_SET"),
        (("sign", "stripe", "--secret-env", "HOOK_SECRET", "--secret-fd", "0"), "both name a secret"),
        (("sign", "stripe", "--secret-fd", "99"), "file descriptor 99 cannot be read"),
        (("sign", "stripe", "--format", "curl"), "needs --secret-env"),
        (("sign", "stripe", "--secret-env", "HOOK_SECRET", "--body", "/no/such"), "/no/such cannot be read"),
        (("sign", "stripe", "--secret", "x"), "No such option"),
        (("verify", "stripe", "/no/such", "--secret-env", "HOOK_SECRET"), "/no/such cannot be read"),
        (("verify", "stripe", "-", "--secret-env", "HOOK_SECRET"), "not JSON at line 1, column 11"),
        (("check", "stripe", "nonsense", "--secret-env", "HOOK_SECRET"), "http://"),
        (("check", "stripe", "http://127.0.0.1:9", "--only", "Z9", "--secret-env", "HOOK_SECRET"), "Z9"),
        (("limits", "plan", "many"), "many"),
        (("limits", "simulate", "1/s", "--algorithm", "x"), "x"),
        (("versions", "compare", "/no/such", "/no/such"), "/no/such"),
        (("nonsense",), "nonsense"),
    ],
)
def test_wrong_use_is_exit_code_2_with_a_reason(run, monkeypatch, arguments: tuple[str, ...], said: str):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"broken": ')))
    rejected = run(*arguments)

    assert 2 == rejected.code, rejected.err
    assert said in rejected.err
    assert "Traceback" not in rejected.err
    assert "" == rejected.out


def test_control_characters_of_others_do_not_reach_the_terminal(run, secret, tmp_path: Path):
    file = tmp_path / "request.http"
    file.write_bytes(b"POST / HTTP/1.1\r\nStripe-Signature: t=\x1b[2J,v1=00\r\n\r\n{}")
    shown = run("verify", "stripe", str(file), "--secret-env", secret)

    assert "\x1b" not in shown.out + shown.err


@pytest.mark.parametrize(("closed", "code"), [("1", 0), ("2", 2)])
def test_a_closed_stream_does_not_change_the_exit_code(closed: str, code: int):
    arguments = "providers" if code == 0 else "sign strpe --secret-env HOOK_SECRET"
    command = f"{sys.executable} -m hook_widgets {arguments} {closed}>&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)

    assert (code, "") == (done.returncode, done.stdout + done.stderr)


def test_the_lists_of_commands_are_not_cut_off():
    for group in ([], ["limits"], ["versions"]):
        command = [sys.executable, "-m", "hook_widgets", *group, "--help"]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"}
        )
        assert "..." not in done.stdout.partition("Commands:")[2]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sign git", {"github", "gitlab", "gitlab-token"}),
        ("providers git", {"github", "gitlab", "gitlab-token"}),
        ("send github http://localhost --event pus", {"push"}),
        ("send nobody http://localhost --event pus", set()),
        ("check github http://localhost --only B1", {"B1", "B10", "B19"}),
        ("check github http://localhost --skip G", {"G1", "G8"}),
    ],
)
def test_a_shell_completes_providers_events_and_checks(line: str, expected: set[str]):
    words = {
        "_HOOK_WIDGETS_COMPLETE": "complete_bash",
        "COMP_WORDS": f"hook-widgets {line}",
        "COMP_CWORD": str(len(line.split())),
    }
    code = "from hook_widgets.cli.app import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **words}
    )

    completions = set(done.stdout.split())
    assert expected <= completions
    assert all(each.startswith(line.rsplit(maxsplit=1)[-1]) for each in completions)
    assert "" == done.stderr


def test_importing_the_package_loads_no_library_of_the_command():
    code = (
        "import sys, hook_widgets.webhooks, hook_widgets.receivers, hook_widgets.ratelimit;"
        "hook_widgets.webhooks.provider('stripe');"
        "print(sorted({'typer', 'click', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()


def test_help_loads_none_of_the_rooms():
    code = (
        "import sys; from hook_widgets.cli.app import main; main(['--help']);"
        "print(sorted(m for m in sys.modules if m.startswith('hook_widgets.') and m.count('.') == 1))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert (
        str(["hook_widgets._lazy", "hook_widgets._version", "hook_widgets.cli", "hook_widgets.errors"])
        == (done.stdout.splitlines()[-1])
    )


def test_help_and_version_are_printed(run):
    assert "limits" in run("--help").out
    assert "hook-widgets " in run("--version").out
    for command in ("providers", "sign", "send", "verify", "diagnose", "receive", "check", "why-rejected"):
        shown = run(command, "--help")
        assert 0 == shown.code
        assert not re.search(r"<(?:list|int range)", shown.out)  # Python's types
