"""Receivers as text: what every one of them holds, whatever its language."""

from __future__ import annotations

import re

import pytest

from hook_widgets.errors import UnknownName, UnsupportedScheme
from hook_widgets.webhooks import provider, providers
from hook_widgets.webhooks.codegen import Language, languages, receiver_snippet
from hook_widgets.webhooks.codegen.compiler import compile_scheme
from hook_widgets.webhooks.codegen.ir import CheckTime
from hook_widgets.webhooks.registry import read_provider

SCHEMES = [(p, scheme) for p in providers() for scheme in p.schemes]

# How each language compares in constant time (shared secrets) and checks a signature (key pairs).
COMPARES = {
    Language.PYTHON: ("hmac.compare_digest(", "key.verify("),
    Language.JAVASCRIPT: ("timingSafeEqual(", "verifySignature("),
    Language.GO: ("hmac.Equal(", "ed25519.Verify( ecdsa.VerifyASN1( ecdsa.Verify( rsa.VerifyPKCS1v15("),
    Language.RUBY: ("OpenSSL.secure_compare(", "key.verify("),
    Language.PHP: ("hash_equals(", "openssl_verify( sodium_crypto_sign_verify_detached("),
    Language.JAVA: ("MessageDigest.isEqual(", "signature.verify("),
    Language.CSHARP: (
        "CryptographicOperations.FixedTimeEquals(",
        "key.VerifyData( verifier.VerifySignature(",
    ),
}
COMMENTS = {Language.PYTHON: "#", Language.RUBY: "#"}
LIBRARIES = {
    Language.PYTHON: r"(?:import|from) (?:base64|collections|cryptography|datetime|email|hashlib|hmac|json|re"
    r"|time|unicodedata|urllib|zlib)\b",
    Language.JAVASCRIPT: r'import \{.*\} from "node:crypto";',
    Language.GO: r"import \(",
    Language.RUBY: r'require "(?:json|openssl|time|uri|zlib)"',
    Language.PHP: r"never",
    Language.JAVA: r"import (?:java|javax|com\.fasterxml\.jackson\.databind)\.",
    Language.CSHARP: r"using (?:System|Org\.BouncyCastle\.Crypto)\b",
}


def code(text: str, language: Language) -> list[str]:
    """The lines that are no comments."""
    mark = COMMENTS.get(language, "//")
    return [line for line in text.splitlines() if not line.lstrip().startswith((mark, "/**"))]


@pytest.fixture(scope="module", params=list(Language))
def texts(request):
    """Every scheme's receiver in one language."""
    return request.param, [
        (compile_scheme(p, scheme), receiver_snippet(p, request.param, scheme=scheme.name))
        for p, scheme in SCHEMES
    ]


def test_every_scheme_of_the_catalogue_has_a_receiver_in_every_language(texts):
    _, written = texts

    assert len(written) == len(SCHEMES) > 200
    assert all("erify(" in text and text.endswith("\n") and not text.endswith("\n\n") for _, text in written)


def test_every_receiver_compares_in_constant_time(texts):
    language, written = texts
    shared, pairs = COMPARES[language]

    for program, text in written:
        expected = pairs if program.public_form else shared
        assert any(call in text for call in expected.split()), text


def test_no_receiver_compares_what_is_secret_with_an_operator(texts):
    language, written = texts

    for program, text in written:
        names = {"expected", "element", "mac", "digest", "signature", program.presented.variable}
        named = rf"(?<![\w.])\$?(?:{'|'.join(sorted(names))})\b(?!\.length)"
        compared = rf"{named}\s*[=!]==?\s|[=!]==?\s*{named}|{named}\.(?:equals|eql\?|compareTo)\("
        assert [line for line in code(text, language) if re.search(compared, line)] == []


def test_receivers_use_nothing_but_what_comes_with_the_language(texts):
    language, written = texts
    allowed = re.compile(LIBRARIES[language])

    for _, text in written:
        lines = [
            line
            for line in code(text, language)
            if re.match(r"(?:import|from|require|use|using|include)\b", line)
        ]
        assert [line for line in lines if not allowed.match(line)] == []
        if language is Language.GO:
            block = text.partition("import (\n")[2].partition(")")[0]
            assert all("." not in line for line in block.splitlines())


def test_receivers_say_where_the_raw_body_and_the_key_come_from(texts):
    _, written = texts

    for program, text in written:
        assert ("the raw bytes, before any parser" in text) == program.body
        assert ("WEBHOOK_PUBLIC_KEY" if program.public_form else "WEBHOOK_SECRET") in text
        assert program.key_title in " ".join(text.split())


def test_receivers_say_what_they_return(texts):
    _, written = texts

    assert [text for _, text in written if "Return true if the webhook is genuine: " not in text] == []


def test_a_tolerance_is_held_on_both_sides_of_now(texts):
    _, written = texts
    timed = 0

    for (_, scheme), (program, text) in zip(SCHEMES, written, strict=True):
        checks = [step for step in program.steps if isinstance(step, CheckTime)]
        assert bool(checks) == (scheme.tolerance_s is not None)
        for check in checks:
            timed += 1
            assert check.tolerance_s == scheme.tolerance_s
            both = re.search(rf"(?i)abs\b.*[<>]=? {scheme.tolerance_s}\b|age < -{scheme.tolerance_s}\b", text)
            assert both, text
    assert timed > 50


def test_a_receiver_takes_only_what_its_scheme_needs():
    assert "def verify(headers: Mapping[str, str], body: bytes, secret: str)" in receiver_snippet(
        "github", "python"
    )
    assert "function verify(headers, body, url, secret)" in receiver_snippet("square", "javascript")
    assert "func Verify(headers http.Header, body []byte, webhookID string, publicKey string)" in (
        receiver_snippet("paypal", "go")
    )
    assert "def verify(json_field, secret)" in receiver_snippet("dropbox-sign", "ruby")
    assert "function verify(array $headers, string $secret)" in receiver_snippet("gitlab-token", "php")
    assert "verify(byte[] body, String secret)" in receiver_snippet("adyen", "java")
    assert "Verify(Func<string, string> headers, byte[] body, string url, string secret)" in (
        receiver_snippet("square", "csharp")
    )


def test_a_receiver_can_be_had_of_each_scheme_of_a_provider():
    assert receiver_snippet("twilio", "python") == receiver_snippet("twilio", "python", scheme="form")
    assert "bodySHA256" in receiver_snippet("twilio", "python", scheme="json")


def test_a_provider_may_be_given_itself():
    assert receiver_snippet(provider("stripe"), "go") == receiver_snippet("stripe", Language.GO)


def test_languages_are_listed_with_titles():
    assert languages() == (
        ("python", "Python"),
        ("javascript", "JavaScript"),
        ("go", "Go"),
        ("ruby", "Ruby"),
        ("php", "PHP"),
        ("java", "Java"),
        ("csharp", "C#"),
    )


def test_a_receiver_in_python_reads_as_one_would_write_it():
    text = receiver_snippet("stripe", "python")

    assert text.partition("\nimport ")[2].splitlines() == [
        "hmac",
        "import time",
        "from collections.abc import Mapping",
        "",
        "",
        "def verify(headers: Mapping[str, str], body: bytes, secret: str) -> bool:",
        "    if not secret:",
        "        return False",
        '    header = headers.get("Stripe-Signature", "")',
        '    elements = [element.strip() for element in header.split(",")]',
        '    timestamp = ", ".join({e.removeprefix("t=") for e in elements if e.startswith("t=")})',
        "    try:",
        "        sent = int(timestamp)",
        "    except ValueError:",
        "        return False",
        "    if abs(int(time.time()) - sent) > 300:  # seconds, on both sides",
        "        return False",
        "    key = secret.encode()",
        '    message = f"{timestamp}.".encode(errors="surrogateescape") + body',
        '    expected = "v1=" + hmac.new(key, message, "sha256").hexdigest()',
        "    return any(",
        '        hmac.compare_digest(expected.encode(), element.encode(errors="surrogateescape"))',
        "        for element in elements",
        "    )",
    ]


# -- what cannot be had --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("stripe", "pyton"), "did you mean 'python'"),
        (("stripe", "perl"), "no receivers in 'perl'; choose from: csharp, go, java"),
        (("strpe", "python"), "did you mean 'stripe'"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(arguments, words):
    with pytest.raises(UnknownName, match=words):
        receiver_snippet(*arguments)


def test_an_unknown_scheme_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'form'"):
        receiver_snippet("twilio", "python", scheme="from")


ODD = """
id = "odd"
kind = "generic"
title = "Odd"
confidence = "docs"
[key]
type = "secret"
title = "Secret"
example = { alphabet = "hex", length = 32 }
[[schemes]]
name = "v1"
timestamp = "s"
[schemes.headers]
"X-Signature" = HEADER
[schemes.fields]
FIELD
[[schemes.signatures]]
algorithm = "hmac-sha256"
message = "MESSAGE"
encoding = "hex"
[[events]]
name = "first"
category = "all"
body = "x"
"""


@pytest.mark.parametrize(
    ("header", "field", "message", "words"),
    [
        ('"{signature}"', "", "{event_type}{body}", "signs {event_type}, which its requests do not carry"),
        (
            '"t={timestamp},{signature}"',
            'when = { time = "http-date" }',
            "{when}{body}",
            "signs {when}, its time in another unit",
        ),
        (
            '{ value = "{timestamp}-{event}-{signature}", list = "," }',
            "",
            "{timestamp}{body}",
            "is more than a label and a value",
        ),
    ],
    ids=["not carried", "time in another unit", "three fields in one element"],
)
def test_a_scheme_that_cannot_be_written_is_rejected_with_what_to_use(
    tmp_path, header, field, message, words
):
    path = tmp_path / "odd.provider.toml"
    path.write_text(ODD.replace("HEADER", header).replace("FIELD", field).replace("MESSAGE", message))

    with pytest.raises(UnsupportedScheme, match=re.escape(words)) as caught:
        receiver_snippet(read_provider(path), "python")

    assert "hook_widgets.webhooks.verify instead" in str(caught.value)


def test_a_title_of_several_lines_stays_in_the_comment(tmp_path):
    path = tmp_path / "odd.provider.toml"
    text = ODD.replace("HEADER", '"{signature}"').replace("FIELD", "").replace("MESSAGE", "{body}")
    path.write_text(
        text.replace('title = "Odd"', 'title = "Odd\\nevil()\\r\\u2028evil() ?>evil() \\\\u000aevil()"')
    )
    odd = read_provider(path)

    for language in Language:
        lines = code(receiver_snippet(odd, language), language)
        assert "evil" not in "\n".join(lines)
        assert "?>" not in receiver_snippet(odd, language)
        assert "\\u" not in receiver_snippet(odd, language)
