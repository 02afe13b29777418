"""Commands of HTTPie, wget and PowerShell: the request that they send.

HTTPie 3.2.4 printed the expected bytes with ``--offline``, GNU Wget 1.21.3 sent them to a socket. Those of
PowerShell follow from about_Quoting_Rules and about_Special_Characters on learn.microsoft.com.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from contextlib import suppress

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording
from tests.support.work import at_most_lines

JSON = ("Content-Type", "application/json")
FORM = ("Content-Type", "application/x-www-form-urlencoded")
X = ("X-A", "b")

SENT: dict[str, tuple[str, str, str, list[tuple[str, str]], bytes]] = {
    "HTTPie": (
        """http POST x.example/h X-A:b c=d n:=1.0 'o:={"a":[1,2.50],"b":{}}' q==v e=ü""",
        "POST",
        "http://x.example/h?q=v",
        [X, JSON],
        rb'{"c": "d", "n": 1.0, "o": {"a": [1, 2.5], "b": {}}, "e": "\u00fc"}',
    ),
    "HTTPie, a form": (
        "http --form POST x.example X-A:b 'c=d e' e=ü",
        "POST",
        "http://x.example/",
        [X, ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
        b"c=d+e&e=%C3%BC",
    ),
    "HTTPie, raw": (
        """$ http --raw '{"a": 1}' https://x.example:8443/a?b=1 X-A:b 'X-B;' Accept:""",
        "POST",
        "https://x.example:8443/a?b=1",
        [X, JSON, ("X-B", "")],
        b'{"a": 1}',
    ),
    "HTTPie, this machine": (
        "http -a u:p :3000/foo X-A:b 'x\\:y=2' a=1 a=2",
        "POST",
        "http://localhost:3000/foo",
        [X, JSON, ("Authorization", "Basic dTpw")],
        b'{"x:y": "2", "a": "2"}',
    ),
    # The form of `Kong/httpsnippet` (src/targets/shell/httpie/fixtures/jsonObj-multiline.sh).
    "HTTPie, lines of a body piped": (
        "echo '{\n  \"a\": 1\n}' |  \\\n  http POST https://x.example/h \\\n  X-A:b",
        "POST",
        "https://x.example/h",
        [X, JSON],
        b'{\n  "a": 1\n}\n',
    ),
    # The form of `curlconverter/curlconverter` (test/fixtures/httpie/post_json.sh).
    "HTTPie, no path": (
        "http :3000 \\\n  X-A:b \\\n  a=1",
        "POST",
        "http://localhost:3000/",
        [X, JSON],
        b'{"a": "1"}',
    ),
    "HTTPie, piped": (
        """echo -n '{"a":1}' | https POST x.example X-A:b""",
        "POST",
        "https://x.example/",
        [X, JSON],
        b'{"a":1}',
    ),
    "HTTPie, another type": (
        "http POST x.example X-A:b Content-Type:application/xml k=a==b",
        "POST",
        "http://x.example/",
        [X, ("Content-Type", "application/xml")],
        b'{"k": "a==b"}',
    ),
    "wget": (
        """wget -q -O- --header='X-A: b' --post-data='{"a":1}' https://x.example/x""",
        "POST",
        "https://x.example/x",
        [X, FORM, ("Accept-Encoding", "identity")],
        b'{"a":1}',
    ),
    "wget, another method": (
        (
            "wget --quiet \\\n --method=PUT --header 'X-A: b' --header 'Content-Type: application/json' \\\n"
            " --body-data '{}' \\\n --output-document \\\n - x.example?q=1"
        ),
        "PUT",
        "http://x.example/?q=1",
        [X, JSON],
        b"{}",
    ),
    "PowerShell": (
        (
            """Invoke-WebRequest -Uri "https://x.example/h" -Method POST -Headers @{"X-A"="b"; 'C-D'='e'} """
            """-Body '{"a":"it''s"}' -ContentType 'application/json'"""
        ),
        "POST",
        "https://x.example/h",
        [X, JSON, ("C-D", "e")],
        b"""{"a":"it's"}""",
    ),
    "PowerShell, of a browser": (
        (
            "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n"
            '$session.UserAgent = "Mozilla/5.0"\n'
            'Invoke-WebRequest -UseBasicParsing -Uri "https://x.example/h" `\n-Method "POST" `\n'
            '-WebSession $session `\n-Headers @{\n"X-A"="b"\n  "x-q"="`"1`""\n} `\n'
            '-ContentType "application/json" `\n-Body "{`"id`":1,`n`"b`":`"`$x$([char]0x00fc)`"}"'
        ),
        "POST",
        "https://x.example/h",
        [X, JSON, ("User-Agent", "Mozilla/5.0"), ("x-q", '"1"')],
        '{"id":1,\n"b":"$xü"}'.encode(),
    ),
    "PowerShell, of Postman": (
        (
            '$headers = New-Object "System.Collections.Generic.Dictionary[[String],[String]]"\n'
            '$headers.Add("X-A", "b")\n$headers.Add("Content-Type", "application/json")\n'
            '$body = @"\n{`n  `"id`": 1`n}\n"@\n\n'
            "$r = Invoke-RestMethod 'https://x.example/h' -Method 'POST' -Headers $headers -Body $body\n"
            "$r | ConvertTo-Json"
        ),
        "POST",
        "https://x.example/h",
        [X, JSON],
        b'{\n  "id": 1\n}',
    ),
    "PowerShell, a prompt and variables": (
        (
            "PS C:\\Users\\ann> $s = 'b'\n"
            'PS C:\\> irm "x.example/$s" -Method Post -Headers @{ \'X-A\' = "$s" } -Body @\'\n{"a": 1}\n\'@'
        ),
        "POST",
        "http://x.example/b",
        [X, FORM],
        b'{"a": 1}',
    ),
    # A browser writes a character beyond U+FFFF as two units of UTF-16.
    "PowerShell, an emoji": (
        'irm https://x.example -Method Put -Headers @{"X-A"="b"} -Body "$([char]55357)$([char]0xDE00)"',
        "PUT",
        "https://x.example/",
        [X],
        "\U0001f600".encode(),
    ),
    "PowerShell, a URL without quotes": (
        "irm -Method Post https://x.example/h?a=b=c -Headers @{'X-A'='b'} -Body '{}'",
        "POST",
        "https://x.example/h?a=b=c",
        [X],
        b"{}",
    ),
    "PowerShell, parameters in a table": (
        (
            "$p = @{\n  Uri = 'https://x.example/h'\n  Method = 'Post'\n  Headers = @{ 'X-A' = 'b' }\n}\n"
            "$p.Body = '{}'\n$p['ContentType'] = 'application/json'\nInvoke-RestMethod @p -Method Put"
        ),
        "PUT",
        "https://x.example/h",
        [X, JSON],
        b"{}",
    ),
    "PowerShell, spaces of a web page": (
        "irm\u00a0https://x.example/h -Method\u2003Post -Headers @{\u00a0'X-A'='b'} -Body '{}'".replace(
            "irm\u00a0", "irm "
        ),
        "POST",
        "https://x.example/h",
        [X],
        b"{}",
    ),
}


def read(command: str) -> RecordedRequest:
    recording = read_recording(command)
    assert recording.format == "command of HTTPie, wget or PowerShell"
    (exchange,) = recording.exchanges
    return exchange.request


@pytest.mark.parametrize(("command", "method", "url", "headers", "body"), SENT.values(), ids=SENT)
def test_a_command_is_read_as_what_it_sends(command, method, url, headers, body):
    request = read(command)

    assert (method, url, body) == (request.method, request.url, request.body)
    assert [] == [pair for pair in headers if pair not in request.headers.multi_items()]
    assert str(len(body)) == request.headers["Content-Length"]


def test_httpie_posts_an_empty_body():
    """`curlconverter/curlconverter`, test/fixtures/httpie/post_empty.sh."""
    assert read("http --raw '' x.example").method == "POST"


def test_httpie_takes_the_type_of_a_file_from_its_name():
    """``get_content_type`` in HTTPie 3.2.4 asks Python's mimetypes."""
    assert read("http PUT x.example @file.txt").headers["Content-Type"] == "text/plain"
    assert read("http PUT x.example @file.unknown-suffix").headers["Content-Type"] == "application/json"


def test_powershell_puts_a_hash_table_into_the_query_of_a_get():
    """Invoke-WebRequest, parameter -Body, in the reference of PowerShell."""
    request = read("irm https://x.example/a?q=1 -Body @{ a = 'b c'; d = 'e' }")

    assert ("GET", "https://x.example/a?q=1&a=b+c&d=e", b"") == (request.method, request.url, request.body)


def test_typographic_quotes_are_quotes_of_powershell():
    """about_Quoting_Rules in the reference of PowerShell."""
    request = read(
        "irm \u201chttps://x.example/a\u201d -Method Post -Headers @{ \u2018X-A\u2019 = 'it\u2019\u2019s' } "
        '-Body \u201c{ \u201d\u201da`"\u201d\u201d }\u201d'
    )

    assert ("https://x.example/a", "it\u2019s") == (request.url, request.headers.get("X-A"))
    assert request.body == '{ \u201da"\u201d }'.encode()


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("http POST x.example X-A:b < body.json", "another program or file"),
        ("http POST x.example X-A:b =@body.json", "'body.json'"),
        ("http POST x.example X-A:b 'a[b]=1'", "brackets"),
        ("wget --post-file=body.json x.example", "'body.json'"),
        ("irm x.example -Method Post -Body $body", "not in the command"),
        ("$b = @{ a = 1 } | ConvertTo-Json\nirm x.example -Method Post -Body $b", "not in the command"),
        ("irm x.example -Method Post -InFile body.json", "not in the command"),
    ],
)
def test_a_body_that_is_elsewhere_is_unknown_and_a_note_says_so(command, note):
    request = read(command)

    assert request.body is None
    assert any(note in text for text in request.notes)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("http --multipart POST x.example a=b", "boundary"),
        ("http --form POST x.example a@b.txt", "boundary"),
        ("irm x.example -Method Post -Form @{ a = 'b'; f = Get-Item 'c.txt' }", "boundary"),
        ("http POST x.example a:=b", "no JSON"),
        ("http POST x.example a", "no item"),
        ("wget -q https://a.example https://b.example", "several URLs"),
        ("irm x.example -Body 'a", "not closed"),
        ("irm x.example -Body @'\na", "no end"),
        ("irm x.example\nirm y.example", "several commands"),
        ("irm -Method Post $url", "no URL"),
        ("irm x.example -Body " + "(" * 60, "levels"),
        ("irm x.example -Headers @{'a' 'b'}", "not complete"),
        ("irm x.example/?a=b", "quote it"),
        ("irm @p", "no URL"),
        ("irm 'file:///etc/passwd'", "no URL of HTTP"),
        ("irm 'https://:80/'", "no URL of HTTP"),
        ("irm x.example -Method 'a b'", "no method"),
        ("wget --method='a b' x.example", "no method"),
    ],
)
def test_a_command_that_cannot_be_read_is_rejected_with_the_reason(command, reason):
    with pytest.raises(InvalidArgument, match=reason):
        read_recording(command)


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("irm x.example -Method $m", "method"),
        ("irm x.example -Authentication Bearer -Token $t", "Authorization"),
        ("irm x.example -Headers @{ 'Authorization' = 'Basic ' + $t; 'X-A' = 'b' }", "Authorization"),
        # `curlconverter/curlconverter` (test/fixtures/powershell/get_with_browser_headers.ps1), and Chrome
        ("$c.Name = 'a'\n$session.Cookies.Add($c)\nirm x.example -WebSession $session", "cookies"),
        ("$s.Cookies.Add((New-Object System.Net.Cookie('a', 'b')))\nirm x.example -WebSession $s", "cookies"),
        ("http -A digest -a ann:secret x.example", "digest"),
    ],
)
def test_what_a_command_does_not_tell_is_left_out_and_a_note_says_so(command, note):
    request = read(command)

    assert request.method in ("", "GET")
    assert "Authorization" not in request.headers
    assert any(note in text for text in request.notes)


@pytest.mark.parametrize(
    "command",
    [
        """irm x.example -Method Post -Body @{a='\ud800'; b="$([char]0xd800)"}""",
        """http --form x.example a:='"\\ud800"' 'b=\ud800'""",
        """http x.example a:='"\\ud800"' b==\ud800 -a '\ud800:'""",
        "wget --post-data=\ud800 --user=\ud800 --auth-no-challenge x.example",
    ],
)
def test_half_of_a_character_is_no_crash(command):
    assert read(command).body


def readable(depth: int) -> bool:
    with suppress(RecursionError):
        return bool(json.loads("[" * depth + "]" * depth) or True)
    return False


def test_json_as_deep_as_python_can_read_it_is_no_crash():
    """CPython 3.12 and 3.13 read one level more than they write."""
    deepest = bisect_left(range(100_000), True, key=lambda depth: depth > 0 and not readable(depth)) - 1
    assert deepest > 100
    for depth in range(deepest - 3, deepest + 2):
        with suppress(InvalidArgument):
            read("http x.example a:=" + "[" * depth + "]" * depth)


@pytest.mark.parametrize(
    "use", ['$v{0} = "$a x"\n', "$h.Add('k', $a)\n", "$h = @{{'k{0}' = \"$a\"}}\n", "$v{0} = $a\n"]
)
def test_a_variable_that_is_used_again_and_again_fills_no_memory(use):
    lines = "".join(use.format(n) for n in range(1_000))
    command = f"irm x.example\n$a = '{'x' * 10_000}'\n$h = @{{}}\n{lines}"

    with pytest.raises(InvalidArgument, match="variables of the command are too long"):
        read_recording(command)


@pytest.mark.parametrize(
    "command",
    [
        "irm x.example -Body " + "@'\n" * 5_000,
        "irm x.example -Body " + '"$(' * 5_001,
        '$a = "' + "x" * 1000 + '"\n' + '$a = "$a$a"\n' * 40 + "irm x.example -Body $a",
        "http POST x.example " + "a:=[" * 5_000,
        "http POST x.example " + "a:=" + "[" * 5_000,
    ],
)
def test_a_hostile_command_costs_no_work(command):
    with at_most_lines(20 * len(command) + 50_000), pytest.raises(InvalidArgument):
        read_recording(command)
