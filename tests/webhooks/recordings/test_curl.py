"""curl commands: what is read from a command is what curl sends for it, byte for byte."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import Secret, provider
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording
from hook_widgets.webhooks.recordings.commands.shell_words import commands
from tests.support.bash import run
from tests.support.wire import Wire

BASH = shutil.which("bash") or "bash"


def read(command: str) -> RecordedRequest:
    recording = read_recording(command)
    assert recording.format == "curl command"
    (exchange,) = recording.exchanges
    return exchange.request


CHROME = (
    "curl 'URL/webhooks?a=1' \\\n  -H 'accept: */*' \\\n  -H 'Content-Type: application/json' \\\n"
    "  -b 'a=b; c=d' \\\n  -H 'Stripe-Signature: t=1,v1=00' \\\n"
    '  --data-raw $\'{"name":"it\\\'s\\u0021 caf\\u00e9 \\\\n",\\n"x":1}\' \\\n  --insecure'
)
COMMANDS = {
    "Chrome, copy as cURL (bash)": CHROME,
    "Postman": (
        "curl --location --globoff 'URL/h?q={a}' \\\n--header 'Content-Type: application/json' \\\n"
        "--data-raw '{\n    \"id\": 1\n}'"
    ),
    "form by default": "curl URL -d a=1 -d 'b=x y'",
    "line ends of -d stay": "curl URL -d $'a\\r\\nb\\n'",
    "encoded": "curl URL --data-urlencode 'a=x+z&~*' --data-urlencode '=p/q' --data-urlencode 'é'",
    "encoded with a blank": "curl URL --data-urlencode 'a=x y'",
    "query": "curl -G 'URL/x?y' -d a=1 --data-urlencode 'b=c&d'",
    "query without a path": "curl -G URL -d a=1",
    "url-query": "curl 'URL/x?y=1' --url-query 'a=1' --url-query +raw=%20 -d z",
    "json": """curl URL --json '{"a":' --json '1}'""",
    "json with a type of its own": "curl URL --json '{}' -H 'content-type: text/x'",
    "user": "curl -u 'ann:p w' URL -d ''",
    "user in the URL": "curl -d x SCHEME://us%20er:p%40w@HOST/y",
    "bearer": "curl --oauth2-bearer token URL -d x",
    "headers": "curl URL -d x -H 'X-A;' -H 'Accept:' -H 'X-B:  two ' -H 'X-B: three' -H 'broken'",
    "host and agent": "curl URL -d x -H 'Host: example.com' -A agent -e 'https://ref;auto' -b k=v -b l=w",
    "agent removed": "curl URL -d x -H 'User-Agent;' -H 'Host:'",
    "range": "curl -r 0-9 URL",
    "range without an end": "curl -r 600 URL",
    "bearer and user": "curl --oauth2-bearer token -u ann:pw URL -d x",
    "digest and user": "curl --digest -u ann:pw URL",
    "any and user in the URL": "curl --anyauth SCHEME://ann:pw@HOST/y",
    "method and attached values": "curl -sSXPATCH -HX-A:b -d'x=1' --compressed URL",
    "quotes": """curl URL -d "a\\"b\\\\c\\$d\\e" -d 'x'\\''y' -d z\\ w""",
    "raw at": "curl URL --data-raw @file",
    "file after a body": "curl URL --data-binary $'\\x00\\xff\\101' --data-binary $'\\xff\\351\\e'",
    "two dashes": "curl -d x -- URL",
    "piped": "printf '%s' '{\"a\": 1}\n' | curl --data-binary @- URL",
    "piped into -d": "printf '%s' $'a\\r\\nb\\n' | curl -d @- URL",
    "here-document": 'curl URL --data-binary @- <<\'EOF\'\n{"a": "$b"}\nEOF\n',
    "here-document with escapes": 'curl URL --data-binary @- <<EOF\n{"a": "\\$b \\\\ \\"c\\""}\nEOF\n',
    "here-document, tabs": "curl URL --data-binary @- <<-EOF\n\t{\n\tEOF\n",
    # As mitmproxy exports a body with line ends (test/mitmproxy/addons/test_export.py, test_expand_escaped).
    "body of printf": """curl URL -d "$(printf '{"a":\\x0a\\"it'"'"'s\\"}\\n\\n')\"""",
    "document of cat": 'curl URL -d "$(cat <<\'EOF\'\n{"a": "$b"}\nEOF\n)" -H X-A:b',
    "document of cat, piped": "cat <<'EOF' | curl --data-binary @- URL\n{}\nEOF\n",
    "format, piped": "printf '{\"a\":\\t1}\\n' | curl --data-binary @- URL",
    "here-string": "curl URL --data-binary @- <<< '{}'",
    "redirections": "curl -s -o /dev/null -w '%{http_code}' URL -d x 2>/dev/null > out.txt",
    "variable of its own": "A=1 curl URL -d x",
    "comment": "curl URL -d x # -d y",
    "no body": "curl -X POST URL",
    "get": "curl URL/a/b?c#d",
    "upload": "printf '%s' abc | curl -T - -H 'Transfer-Encoding:' -H 'Content-Length: 3' URL",
    "proto flags": "curl --http1.1 --no-keepalive --no-progress-meter -m 5 --retry 0 URL -d x",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_curl_sends_what_is_read(command, tmp_path):
    with Wire() as wire:
        origin = wire.url.rpartition("/")[0] if wire.url.count("/") > 2 else wire.url
        scheme, _, host = origin.partition("://")
        text = command.replace("URL", origin).replace("SCHEME", scheme).replace("HOST", host)
        done = run(f"{text}\n", tmp_path, LC_ALL="C.UTF-8")
        assert done.returncode == 0, done.stderr.decode()
        (sent,) = wire.requests
    request = read(text)
    line = sent.head.decode("latin-1").split("\r\n")[0]
    assert line == f"{request.method} {request.url.removeprefix(origin)} HTTP/1.1"
    assert request.url.startswith(origin)
    assert request.body == sent.body
    unknown = {"user-agent", "accept-encoding", "expect"}
    known = {name.lower() for name, _ in request.headers.multi_items()}
    expected = [pair for pair in sent.headers if pair[0].lower() not in unknown - known]
    assert request.headers.multi_items() == expected
    missing = unknown & {name.lower() for name, _ in sent.headers} - known
    assert all(any(name in note.lower() for note in request.notes) for name in missing)


@pytest.mark.parametrize(
    "command",
    [
        "curl -T 'a b.txt' URL",
        "curl URL/in/ -T ./'a b.txt'",
        "curl URL/in/x -T 'a b.txt'",
        "curl 'URL/in/?q=1' -T 'a b.txt'",
    ],
)
def test_an_uploaded_file_names_the_resource(command, tmp_path):
    (tmp_path / "a b.txt").write_bytes(b"abc")
    with Wire() as wire:
        origin = wire.url.rpartition("/")[0] if wire.url.count("/") > 2 else wire.url
        text = command.replace("URL", origin)
        done = run(f"{text}\n", tmp_path, LC_ALL="C.UTF-8")
        assert done.returncode == 0, done.stderr.decode()
        (sent,) = wire.requests
    assert sent.head.decode("latin-1").split(" ")[1] == read(text).url.removeprefix(origin)


# Insomnia (importers/curl.test.ts) and Postman (curl-to-postman, conversion.test.js) import such commands. No
# program has a name that begins with a hyphen.
@pytest.mark.parametrize(
    "command",
    [
        "curl -X POST https://example.com\n  -H 'X-A: b'\n  --data-raw '{\"a\": 1}'\n",
        "curl -X POST\r\n'https://example.com'\r\n-H 'X-A: b'\r\n-d '{\"a\": 1}'",
        "curl https://example.com \\\n -H 'X-A: b'\n\t--json '{\"a\": 1}' \\\n",
    ],
)
def test_lines_that_begin_with_an_option_continue_a_command_that_lost_its_backslashes(command):
    request = read(command)
    assert (request.method, request.url, request.body) == ("POST", "https://example.com/", b'{"a": 1}')
    assert request.headers["X-A"] == "b"
    assert any("backslash" in note for note in request.notes)


# bash takes the first three in another way: as a blank, as a backslash and as a redirection to a file of that
# name, which no author means. Word processors make dashes of hyphens.
@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("curl https://example.com \\ \n  -H 'X-A: b' \\\t\r\n  -d x", "backslash"),
        ("curl https://example.com \\\\\n  -H 'X-A: b' \\\\\n  -d x", "backslash"),
        ("$ curl https://example.com \\\n> -H 'X-A: b' \\\n> -d x", "prompt"),
        ("curl https://example.com \u2013H 'X-A: b' \u2014data x", "dash"),
    ],
)
def test_what_a_copy_did_to_the_lines_of_a_command_has_a_note(command, note):
    request = read(command)
    assert (request.method, request.url, request.body) == ("POST", "https://example.com/", b"x")
    assert request.headers["X-A"] == "b"
    assert any(note in text for text in request.notes)


def test_a_redirection_on_a_line_of_its_own_is_no_prompt():
    assert read("curl https://example.com -d x \\\n> out.txt").notes == read("curl https://a -d x").notes


def test_a_url_on_the_next_line_is_that_of_the_command_only_if_it_has_none():
    request = read("curl https://example.com -d x\nhttps://docs.example.com/x")
    assert (request.url, request.body, len(request.notes)) == ("https://example.com/", b"x", 1)


# bash ends the command there; Postman and Bruno (parse-curl.spec.js) take the text as a part of the URL.
@pytest.mark.parametrize(
    ("command", "url"),
    [
        ("curl https://a.example/x?b=1&c=2 -H 'X-A: b'", "https://a.example/x?b=1"),
        ("curl https://a.example/<userId>/x -H 'X-A: b'", "https://a.example/"),
    ],
)
def test_an_operator_inside_of_a_url_has_a_note(command, url):
    request = read(command)
    assert request.url == url
    assert any("quotes" in note for note in request.notes)
    assert not any("quotes" in note for note in read("curl https://a.example/ & sleep 1").notes)


@pytest.mark.parametrize("name", ["stripe", "github", "slack", "twilio", "mailgun"])
def test_the_commands_of_this_package_are_read(name):
    known = provider(name)
    signed = known.draft(url="http://127.0.0.1:8000/x?y=1").sign(known.example_secret())
    request = read(signed.curl())
    assert (request.method, request.url, request.body) == (signed.method, signed.url, signed.body)
    for pair in signed.headers.multi_items():
        assert pair in request.headers.multi_items()


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("curl URL -d @body.json", "'body.json'"),
        ("curl URL --data-binary @-", "another program"),
        ("curl URL --data-urlencode a@b", "'b'"),
        ("curl URL -T x", "'x'"),
    ],
)
def test_a_body_that_is_elsewhere_is_unknown_and_a_note_says_so(command, note):
    request = read(command)
    assert request.body is None
    assert any(note in text for text in request.notes)


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ('curl URL -H "X: $TOKEN" -d x', "$TOKEN"),
        ('curl URL -d "a=${B}"', "${B}"),
        ("curl URL -d @- <<EOF\n$X\nEOF\n", "$X"),
        ("curl URL -d x -b jar.txt", "'jar.txt'"),
        ("curl URL -d x -H @headers.txt", "'headers.txt'"),
        ("curl URL -d x --digest -u a:b", "Authorization"),
        ("curl URL -d x --compressed", "Accept-Encoding"),
        ("curl URL -d x -u ann", "password"),
        ("curl 'URL/a b' -d x", "URL"),
        ("curl URL/a/../b -d x", "/../"),
    ],
)
def test_what_is_not_in_the_command_has_a_note(command, note):
    assert any(note in text for text in read(command).notes)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("curl URL -F a=b", "boundary .* is random; paste the request as it was received"),
        ("curl URL --form-string a=b", "boundary"),
        ("curl -K file", "file"),
        ("curl URL -d x --next URL", "several"),
        ("curl URL OTHER", "several requests"),
        ("curl -d x", "no URL"),
        ("curl URL -d", "no value"),
        ("curl URL --frobnicate", "not known"),
        ("curl URL -W x", "-W"),
        ("curl URL -d 'x", "not closed"),
        ('curl URL -d "x', "not closed"),
        ("curl URL -d $(cat x)", "another command"),
        ("curl URL -d `cat x`", "another command"),
        ('curl URL -d "$(cat x)"', "another command"),
        ("curl URL -d $(printf 'a b')", "another command"),
        ("curl URL -d \"$(printf '100%')\"", "another command"),
        ('curl URL -d "$(printf x', "another command"),
        ("curl " + '"$(printf ' * 50, "another command"),
        ("curl URL -d @- <<EOF\nx", "here-document"),
        ("curl 'http://a/{b,c}' -d x", "braces"),
        ("curl 'http://a/[1-3]' -d x", "braces"),
        ("curl URL -d {a,b}", "braces"),
        ("curl URL -d x; curl URL", "several"),
        ('curl ^"https://a^" -d ^"x^"', "Windows"),
        ("curl 'http://[' -d x", "not valid"),
        ("curl --url '' -d x", "not valid"),
        ("curl URL -X 'BAD METHOD'", "no method"),
        ("curl URL --aws-sigv4 aws:amz", "time"),
        ("curl URL --expand-data x --variable y=z", "variables"),
        ("curl URL -d x (y)", "more than"),
    ],
)
def test_a_command_whose_request_cannot_be_known_is_rejected_with_the_reason(command, reason):
    with pytest.raises(InvalidArgument, match=reason):
        read(command)


def test_a_caret_before_a_quote_makes_no_command_for_windows():
    assert read("""curl https://a.example -d '{"a": "^"}'""").body == b'{"a": "^"}'


WORDS = st.text(alphabet="ab é\n\t'\"\\$`!#~*{}[](),.;|&<>=%\x01\U0001f600", max_size=12)


def ansi_quoted(text: str) -> str:
    return "$'" + "".join(f"\\x{byte:02x}" for byte in text.encode()) + "'"


@settings(max_examples=40, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=6))
@example(["$HOME", "a\\\nb", "!!"])
def test_words_are_those_of_bash(words):
    import shlex

    script = " ".join([shlex.quote(words[0]), *map(ansi_quoted, words[1:])])
    done = subprocess.run(
        [BASH, "--noprofile", "--norc", "-c", f"printf '%s\\0' {script}"], capture_output=True, check=True
    )
    expected = done.stdout.split(b"\0")[:-1]
    (command,) = commands(f"printf {script}")
    assert [word.data for word in command.words[1:]] == expected


ESCAPED = """a b e f n r t v \\ ' " ? x x4 x41 xe9 101 7 0 u u41 u00e9 U1f600 cA q 8 é"""
ESCAPES = st.lists(st.sampled_from([*ESCAPED.split(), " "]), max_size=6)


@settings(max_examples=60, deadline=None)
@given(ESCAPES)
def test_escapes_are_those_of_bash(escapes):
    script = "$'" + "".join("\\" + escape for escape in escapes) + "\\\\'"
    done = subprocess.run(
        [BASH, "--noprofile", "--norc", "-c", f"printf '%s' {script}"],
        capture_output=True,
        check=False,
        env={"LC_ALL": "C.UTF-8"},
    )
    if done.returncode:  # the last backslash escaped the quote
        with pytest.raises(InvalidArgument):
            commands(f"printf {script}")
        return
    (command,) = commands(f"printf {script}")
    assert command.words[1].data == done.stdout


def test_a_secret_in_a_command_stays_out_of_the_representation():
    request = read("curl https://a/x?token=s3cr3t -H 'X-Gitlab-Token: s3cr3t' -d s3cr3t")
    assert "s3cr3t" not in repr(request)
    assert "s3cr3t" not in repr(read_recording("curl https://a/ -d s3cr3t"))
    assert request.body == Secret("s3cr3t").reveal().encode()
