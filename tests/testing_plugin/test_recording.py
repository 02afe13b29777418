"""Tests made of recorded requests, and of a report: what is kept, and what hostile data cannot do."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from hook_widgets.cli.app import main
from hook_widgets.errors import CannotWrite, InvalidArgument
from hook_widgets.receivers import Report, check_receiver
from hook_widgets.testing import record_tests, recorded_requests
from hook_widgets.webhooks import Headers, ReceivedRequest, Receiver, Secret, WebhookRequest, provider, send
from hook_widgets.webhooks.recordings import RecordedRequest, to_har
from tests.support.shapes import SHAPES

pytest_plugins = ["pytester"]

SECRET = Secret("whsec_canaryOfTheRecording4711")
HOSTILE = (
    '"""\nimport os; os.system("touch pwned")\n"""',
    "'\"); raise SystemExit(1)  #",
    "\u2028import os\u2029\x85\x00\\",
    "../../../../tmp/pwned",
    "{__import__('os')}",
)


def recorded(request: WebhookRequest, *headers: tuple[str, str]) -> RecordedRequest:
    return RecordedRequest(
        method=request.method,
        url=request.url,
        headers=Headers([*request.headers.multi_items(), *headers]),
        body=request.body,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_deliveries_become_tests_that_pass_against_the_app(pytester: pytest.Pytester, monkeypatch) -> None:
    monkeypatch.setenv("STRIPE_SECRET", SECRET.reveal())
    body = b'{ "type":"invoice.paid",\r\n "amount": 1.0, "name":"\\u00e4\xc3\xa4" }\n'
    old = provider("stripe").draft(body=body, at=1_700_000_000).sign(SECRET)
    with Receiver("stripe", SECRET, now=lambda: old.draft.at) as recorder:  # type: ignore[union-attr]
        send(
            provider("stripe")
            .draft(event="invoice.paid", url=recorder.url, body=body, at=1_700_000_000)
            .sign(SECRET)
        )
        send(provider("stripe").draft(url=recorder.url).sign(Secret("whsec_another")))
    tests = record_tests(recorder.deliveries, "stripe", pytester.path, secret_env="STRIPE_SECRET")

    assert (1, 1) == (tests.count, len(tests.notes))
    assert [body] == [each.body for each in recorded_requests(tests.folder)]
    with Receiver("stripe", SECRET) as app:
        result = pytester.runpytest_inprocess("-v", "--webhook-url", app.url)

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*test_recorded_webhook_is_accepted[[]0001-invoice.paid] PASSED*"])
    assert [(True, body)] == [(each.verdict.ok, each.request.body) for each in app.deliveries]


def test_a_variable_that_is_not_set_is_said_without_our_code(pytester: pytest.Pytester) -> None:
    request = provider("github").draft(event="push", url="http://127.0.0.1:9/hooks").sign(SECRET)
    record_tests(request.curl(), "github", pytester.path, secret_env="NOT_SET")
    result = pytester.runpytest_inprocess("--webhook-url", "http://127.0.0.1:9/hooks")

    result.stdout.fnmatch_lines(["E *the environment variable 'NOT_SET' is not set or empty*"])
    result.stdout.no_fnmatch_line("*def from_env*")


@pytest.mark.parametrize("name", SHAPES)
def test_a_recorded_request_of_each_shape_is_signed_again(name, tmp_path: Path, webhook) -> None:
    source = provider(name)
    key = source.example_secret()
    request = source.draft(at=1_700_000_000, url="http://127.0.0.1:1/hooks").sign(key)
    tests = record_tests([recorded(request)], name, tmp_path)

    assert (1, ()) == (tests.count, tests.notes)
    (again,) = recorded_requests(tests.folder)
    with Receiver(source, key) as app:
        delivery = send(webhook(again, url=app.url, secret=key).request)
    assert (200, True) == (delivery.status, app.deliveries[0].verdict.ok)


def test_signatures_cookies_and_tokens_are_not_kept(tmp_path: Path) -> None:
    request = provider("github").draft(event="push", headers={"X-Api-Key": "key-4711"}).sign(SECRET)
    more = [("Authorization", "Bearer token-4711"), ("Cookie", "sid=cookie-4711"), ("X-Trace", "trace-4711")]
    record_tests([recorded(request, *more)], "github", tmp_path)
    token = provider("gitlab-token").draft().sign(SECRET)
    record_tests([recorded(token)], "gitlab-token", tmp_path)

    written = b"".join(files(tmp_path).values())
    signature = request.headers["X-Hub-Signature-256"].removeprefix("sha256=")
    for text in (signature, '4711"', "key-4711", "token-4711", "cookie-4711", "trace-4711", SECRET.reveal()):
        assert text.encode() not in written
    (row,) = json.loads((tmp_path / "recorded_github" / "requests.json").read_text())["requests"]
    assert ["X-GitHub-Event", "push"] in row["headers"]


@pytest.mark.parametrize("text", HOSTILE)
def test_received_data_never_becomes_code_or_a_path(text: str, tmp_path: Path, monkeypatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    body = json.dumps({"type": text, text: text}).encode()
    headers = Headers(
        [("X-GitHub-Event", text), ("User-Agent", text), (text, text), ("Content-Type", "application/json")]
    )
    requests = [
        ReceivedRequest(headers, body, f"http://a.test/{text}", "POST"),
        ReceivedRequest(Headers([]), text.encode("utf-8", "surrogatepass"), text, "POST"),
    ]
    tests = record_tests(requests, "github", home)

    plain = record_tests([ReceivedRequest(Headers([]), b"{}")], "github", home, name="plain")
    module = tests.path.read_text()
    assert plain.path.read_text().replace("'plain'", "'recorded_github'") == module
    ast.parse(module)
    assert ["home"] == [path.name for path in tmp_path.iterdir()]
    names = {"recorded_github/requests.json", "recorded_github/0001.body", "recorded_github/0002.body"}
    assert names == {
        name for name in files(home) if "plain" not in name and name != "test_recorded_github.py"
    }
    assert [body, text.encode("utf-8", "surrogatepass")] == [
        each.body for each in recorded_requests(tests.folder)
    ]
    assert all(each.name.isascii() and each.name.isprintable() for each in recorded_requests(tests.folder))


def test_huge_recordings_are_rejected(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("hook_widgets.testing.recording._MAX_TOTAL", 1000)
    many = (ReceivedRequest(Headers([]), b"{}") for _ in iter(int, 1))

    with pytest.raises(InvalidArgument, match="record fewer"):
        record_tests([ReceivedRequest(Headers([]), b"x" * 1001)], "github", tmp_path)
    with pytest.raises(InvalidArgument, match="record fewer"):
        record_tests(many, "github", tmp_path)
    assert {} == files(tmp_path)


def test_a_changed_index_reads_no_other_file(tmp_path: Path) -> None:
    tests = record_tests([ReceivedRequest(Headers([]), b"{}")], "github", tmp_path)
    index = tests.folder / "requests.json"
    index.write_text(index.read_text().replace("0001.body", "../../etc/passwd"))

    with pytest.raises(InvalidArgument, match="is not as it was recorded; record again"):
        recorded_requests(tests.folder)


def test_har_and_curl_go_in_by_the_command_line(tmp_path: Path, capsys) -> None:
    request = provider("github").draft(event="push", url="http://127.0.0.1:8000/hooks").sign(SECRET)
    log = tmp_path / "log.har"
    from hook_widgets.webhooks.recordings import Exchange

    log.write_text(json.dumps(to_har([Exchange(request=recorded(request), provider="github")])))
    curl = tmp_path / "curl.txt"
    curl.write_text(request.curl())

    assert 0 == main(["record-tests", "github", str(log), str(tmp_path), "--name", "from_har"])
    assert 0 == main(["record-tests", "github", str(curl), str(tmp_path), "--name", "from_curl"])
    assert 3 == main(["record-tests", "github", str(curl), str(tmp_path), "--name", "from_curl"])
    assert 2 == main(["record-tests", "github", str(curl), str(tmp_path), "--name", "../x"])
    out, err = capsys.readouterr()
    assert 2 == out.count(": 1 recorded request\n")
    assert f"into WEBHOOK_SECRET and run: pytest --webhook-url URL {tmp_path}/test_from_har.py\n" in err
    assert "from_curl.py cannot be written (it exists); give another name=" in err
    for name in ("from_har", "from_curl"):
        assert [(request.body, "push")] == [(e.body, e.event) for e in recorded_requests(tmp_path / name)]


@pytest.mark.parametrize("as_file", [False, True])
def test_raw_http_becomes_a_test_with_the_exact_body(as_file: bool, tmp_path: Path) -> None:
    body = b'{ "zen" : "\\u00e4",\r\n "id": 1.0 }'
    head = (
        "POST /hooks HTTP/1.1\r\nHost: app.example.com\r\nContent-Type: application/json\r\n"
        f"X-GitHub-Event: push\r\nX-Hub-Signature-256: sha256={'0' * 64}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    raw = head.encode() + body
    source = tmp_path / "request.http"
    source.write_bytes(raw)
    tests = record_tests(source if as_file else raw.decode(), "github", tmp_path)

    assert 1 == tests.count
    assert [(body, "push")] == [(each.body, each.event) for each in recorded_requests(tests.folder)]
    assert not any(b"0" * 64 in text for name, text in files(tmp_path).items() if name != source.name)


@pytest.mark.parametrize(
    ("recording", "message"),
    [
        ([], "no request can be sent again"),
        ([RecordedRequest(headers=Headers([("A", "b")]))], "its body is unknown"),
        ([RecordedRequest(method="GET", body=b"{}")], "GitHub sends POST"),
        (Path("missing.har"), "missing.har cannot be read"),
        ("", "the text is empty"),
    ],
)
def test_a_recording_without_a_request_says_why(recording, message, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=message):
        record_tests(recording, "github", tmp_path)


def test_names_are_plain_and_never_shown(tmp_path: Path) -> None:
    for options in ({"secret_env": SECRET.reveal() + "!"}, {"name": "../" + SECRET.reveal()}):
        with pytest.raises(InvalidArgument, match="is not a plain name") as error:
            record_tests([ReceivedRequest(Headers([]), b"{}")], "github", tmp_path, **options)
        assert "canary" not in str(error.value)


# --- a report -----------------------------------------------------------------------------------------------


def test_a_report_repeats_its_checks(pytester: pytest.Pytester, monkeypatch) -> None:
    monkeypatch.setenv("HOOK", SECRET.reveal())
    with Receiver("stripe", SECRET) as app:
        report = check_receiver("stripe", app.url, SECRET, only=["B1", "B11"], event="invoice.paid")
        path = report.to_pytest(pytester.path / "test_again.py", secret_env="HOOK")
        result = pytester.runpytest_inprocess("-v")

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_receiver[[]B1] PASSED*", "*test_receiver[[]B11] PASSED*"])
    assert "event='invoice.paid'" in path.read_text()
    assert "canary" not in path.read_text()
    with pytest.raises(CannotWrite, match="give a new file"):
        report.to_pytest(path)
    with pytest.raises(InvalidArgument, match="not the name of an environment variable") as error:
        report.to_pytest(pytester.path / "test_other.py", secret_env=SECRET.reveal() + "-")
    assert "canary" not in str(error.value)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_report_writes_no_code_of_others(text: str, tmp_path: Path) -> None:
    report = Report(provider=text, url=f"http://127.0.0.1/{text}", suite="standard", event=text, checks=())
    tree = ast.parse(report.to_pytest(tmp_path / "test_it.py").read_text())

    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    (mark,) = function.decorator_list
    assert isinstance(mark, ast.Call)
    assert [text] == [ast.literal_eval(argument) for argument in mark.args]
    assert f"http://127.0.0.1/{text}" in [ast.literal_eval(keyword.value) for keyword in mark.keywords]
    assert 3 == len(tree.body)


def test_a_masked_url_is_left_out(tmp_path: Path) -> None:
    report = Report(provider="stripe", url="http://127.0.0.1/?token=••••", suite="standard", checks=())

    assert "127.0.0.1" not in report.to_pytest(tmp_path / "test_it.py").read_text()
