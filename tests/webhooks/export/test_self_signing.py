"""The curl text that signs in the shell: right signatures, and a key that nobody sees."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hook_widgets.errors import InvalidArgument, UnsupportedScheme
from hook_widgets.webhooks import KeyPair, Provider, Secret, provider, providers, send, verify
from hook_widgets.webhooks.body.forms import encode_form
from hook_widgets.webhooks.export import self_signing_curl
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.requests.request import Draft
from hook_widgets.webhooks.scheme import SecretExample, SharedSecretSpec
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit
from tests.support.bash import run, spies
from tests.support.shapes import FEW_SHAPES
from tests.support.wire import Seen, Wire

AT = 1_790_000_000


def key_text(key: Secret | KeyPair) -> str:
    return key.reveal() if isinstance(key, Secret) else key.private_pem()


def pasted(text: str, wire: Wire, folder, **environment: str) -> Seen:
    done = run(text, folder, **environment)
    assert (done.returncode, done.stdout[-6:]) == (0, b"\r\n\r\nok"), done.stderr.decode()
    return wire.requests[-1]


def refused(text: str, folder, **environment: str) -> str:
    """Return the message of the text when it refuses to run."""
    done = run(text, folder, **environment)
    assert done.returncode == 1
    assert b"curl:" not in done.stderr
    return done.stderr.decode()


def one_event_of_each_scheme(known: Provider) -> list[str]:
    signed = (event for event in known.events if known.draft(event=event.name).scheme.signatures)
    return list({event.scheme: event.name for event in signed}.values())


TIMED = [name for name in FEW_SHAPES if any(scheme.timestamp for scheme in provider(name).schemes)]
"""The time is all that the text makes itself; the others are in the test below."""


@pytest.mark.parametrize("name", TIMED)
def test_every_provider_and_scheme_accepts_what_the_shell_signs_now(name, tmp_path):
    known = provider(name)
    key = known.example_secret()
    with Wire() as wire:
        for event in one_event_of_each_scheme(known):
            request = known.draft(event=event, url=wire.url, at=None).sign(key)
            actual = pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY=key_text(key))
            verdict = verify(
                name,
                headers=actual.headers,
                body=actual.body,
                url=request.url,
                method=request.method,
                secret=key,
                now=datetime.now(UTC),
            )
            assert verdict.ok, verdict.detail


@pytest.mark.parametrize("name", FEW_SHAPES)
def test_with_a_fixed_time_the_shell_makes_the_same_request_as_python(name, tmp_path):
    known = provider(name)
    key = known.example_secret()
    with Wire() as wire:
        for event in one_event_of_each_scheme(known):
            request = known.draft(event=event, url=wire.url, at=AT).sign(key)
            assert send(request).status == 200
            expected = wire.requests[-1]
            actual = pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY=key_text(key))
            if isinstance(key, KeyPair) and key.algorithm == "ecdsa-p256":  # a random signature each time
                then = datetime.fromtimestamp(AT, UTC)
                verdict = verify(
                    name, headers=actual.headers, body=actual.body, url=request.url, secret=key, now=then
                )
                assert (verdict.ok, actual.body) == (True, expected.body)
            else:
                assert actual == expected


@pytest.mark.parametrize("name", ["github", "mailgun", "stripe", "twilio"])
def test_a_packed_body_makes_the_same_request_in_a_shorter_text(name, tmp_path):
    known = provider(name)
    key = known.example_secret()
    longest = max(known.all_events, key=lambda event: len(known.template(event.name)))
    with Wire() as wire:
        draft = known.draft(event=longest.name, url=wire.url, at=AT)
        plain, packed = (draft.curl(secret_env="HOOK_KEY", compress=compress) for compress in (False, True))
        expected, actual = (pasted(text, wire, tmp_path, HOOK_KEY=key_text(key)) for text in (plain, packed))
    assert expected == actual
    assert len(packed) < len(plain)


SAVED = "payload.json"


def sent_by_a_file_and_by_python(
    name: str, event: str, folder: Path, *, file: str = SAVED, body: bytes | None = None
) -> tuple[Seen, Seen, Draft]:
    """One request from the shell, with its payload in a file, and one from Python."""
    known = provider(name)
    key = known.example_secret()
    with Wire() as wire:
        draft = known.draft(event=event, url=wire.url, at=AT, body=body)
        (folder / file).write_bytes(draft.payload)
        text = draft.curl(secret_env="HOOK_KEY", body_file=file)
        actual = pasted(text, wire, folder, HOOK_KEY=key_text(key))
        assert send(draft.sign(key)).status == 200
    return wire.requests[-1], actual, draft


@pytest.mark.parametrize(
    ("name", "first"),
    [("gitlab-token", "# Sends the secret in $KEY, "), ("github", "# Signs with the key in $KEY, ")],
)
def test_the_text_begins_with_what_it_does_with_the_secret(name, first):
    comment = provider(name).draft().curl(secret_env="KEY").splitlines()[1]

    assert comment.startswith(first)


# a form, a signature and a time inside JSON and inside a form, headers out of the payload, and a token
@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("twilio", ""),
        ("mailgun", ""),
        ("braintree", ""),
        ("aws-sns", ""),
        ("forgejo", "push.form"),
        ("shopify", "orders/create"),
        ("github", "pull_request.opened"),
        ("gitlab-token", ""),
        ("stripe", ""),
    ],
)
def test_a_payload_in_a_file_makes_the_same_request(name, event, tmp_path):
    expected, actual, draft = sent_by_a_file_and_by_python(
        name, event or provider(name).events[0].name, tmp_path
    )
    assert expected == actual
    if len(draft.payload) > 200:
        assert draft.payload[20:180].decode() not in draft.curl(secret_env="HOOK_KEY", body_file=SAVED)


@pytest.mark.parametrize(
    "value", ['{"x": "%41 + \\\\x41 \\n \\u00e9 $HOME `id`"}', "1f\n\r\n", "\N{ROCKET}é\0"]
)
def test_a_signed_value_of_a_form_in_a_file_is_decoded_as_in_python(value, tmp_path):
    body = encode_form([("payload", value + 80 * "x" + value)])
    expected, actual, draft = sent_by_a_file_and_by_python("forgejo", "push.form", tmp_path, body=body)
    assert (expected, body) == (actual, actual.body)
    assert 80 * "x" not in draft.curl(secret_env="HOOK_KEY", body_file=SAVED)


@pytest.mark.parametrize("body", [b"", b"\0\xff\r\n", b"{}\n\n", b"%s \\x41 $HOME", b"x" * 1_000_000])
def test_a_payload_in_a_file_is_sent_byte_for_byte(body, tmp_path):
    expected, actual, _ = sent_by_a_file_and_by_python("github", "push", tmp_path, body=body)
    assert (expected, body) == (actual, actual.body)


@pytest.mark.parametrize(
    "file", ['it\'s "mine" $HOME `id`.json', "-n", "a\nb\t.json", "\N{ROCKET} \u202egpj.json", "END", "*"]
)
def test_the_file_may_have_any_name(file, tmp_path):
    expected, actual, _ = sent_by_a_file_and_by_python("mailgun", "delivered", tmp_path, file=file)
    assert expected == actual


def test_a_payload_of_any_size_leaves_the_text_short():
    short, long = (
        provider("github").draft(body=b"x" * size).curl(secret_env="HOOK_KEY", body_file=SAVED)
        for size in (1_000, 1_000_000)
    )
    assert len(long) - len(short) < 20


def test_without_the_file_the_text_says_what_to_save(tmp_path):
    draft = provider("github").draft(url="http://127.0.0.1:1/", body=b"x" * 1234)
    said = refused(draft.curl(secret_env="HOOK_KEY", body_file=SAVED), tmp_path, HOOK_KEY="example")
    assert said == "payload.json is not here. Save the payload under this name: 1,234 bytes.\n"


def test_another_payload_is_rejected(tmp_path):
    draft = provider("github").draft(url="http://127.0.0.1:1/", body=b"{}")
    (tmp_path / SAVED).write_bytes(b"{}\n")
    said = refused(draft.curl(secret_env="HOOK_KEY", body_file=SAVED), tmp_path, HOOK_KEY="example")
    assert "payload.json is not the payload that this signs: 2 bytes, and no line break" in said


@pytest.mark.parametrize("name", ["", "a\0b", "\udcff.json", b"payload.json"])
def test_a_name_that_no_text_can_carry_is_rejected(name):
    with pytest.raises(InvalidArgument, match="body_file"):
        provider("github").draft().curl(secret_env="HOOK_KEY", body_file=name)


def test_a_handshake_without_a_signature_takes_its_payload_from_a_file_too(tmp_path):
    unsigned = [
        (known, each.name)
        for known in providers()
        for each in known.handshakes
        if not known.draft(event=each.name).scheme.signatures and known.draft(event=each.name).payload
    ]
    assert unsigned
    for known, event in unsigned:
        with Wire() as wire:
            draft = known.draft(event=event, url=wire.url, at=AT)
            (tmp_path / SAVED).write_bytes(draft.payload)
            texts = (draft.curl(secret_env="HOOK_KEY", body_file=file) for file in (None, SAVED))
            expected, actual = (pasted(text, wire, tmp_path) for text in texts)
        assert expected == actual


def replaced(record, **changes):
    """A record of provider data with other values in some fields."""
    return replace(record, **changes)


def with_key(
    form: KeyForm = KeyForm.UTF8, strip_prefix: str = "", algorithm: str = "hmac-sha256"
) -> Provider:
    """The generic provider with another form of key or another hash."""
    known = provider("generic")
    scheme = known.schemes[0]
    signature = replaced(scheme.signatures[0], algorithm=Algorithm(algorithm))
    return replaced(
        known,
        key=SharedSecretSpec(
            type="secret",
            title="Key",
            example=SecretExample(alphabet="hex", length=32),
            form=form,
            strip_prefix=strip_prefix,
        ),
        schemes=(replaced(scheme, signatures=(signature,)),),
    )


RAW = bytes(range(256))


@pytest.mark.parametrize("algorithm", ["hmac-sha1", "hmac-sha256", "hmac-sha512"])
@pytest.mark.parametrize("length", [1, 20, 63, 64, 65, 127, 128, 129, 256])
def test_a_key_of_any_length_signs_as_in_python(algorithm, length, tmp_path):
    secret = RAW[:length].hex()
    with Wire() as wire:
        request = with_key(KeyForm.HEX, algorithm=algorithm).draft(url=wire.url, at=AT).sign(Secret(secret))
        actual = pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY=secret)
    assert actual.headers[1:-1] == request.headers.multi_items()


@pytest.mark.parametrize(
    ("form", "prefix", "secret"),
    [
        (KeyForm.UTF8, "", "%s $HOME \\x41 'quoted' \"é\" \N{ROCKET}"),
        (KeyForm.UTF8, "", "-n"),
        (KeyForm.UTF8, "", "line\nfeed\n\n"),
        (KeyForm.UTF8, "whsec_", "whsec_kept"),
        (KeyForm.BASE64, "whsec_", "whsec_" + base64.b64encode(RAW[:32]).decode()),
        (KeyForm.BASE64, "whsec_", base64.b64encode(RAW[:31]).decode()),
        (KeyForm.BASE64, "it's $x*_", "it's $x*_" + base64.b64encode(RAW).decode()),
        (KeyForm.HEX, "", "00FFab" * 8),
        (KeyForm.HEX, "0x", "0x" + "0a" * 16),
    ],
)
def test_every_form_of_key_is_read_as_in_python(form, prefix, secret, tmp_path):
    with Wire() as wire:
        request = with_key(form, prefix).draft(url=wire.url, at=AT).sign(Secret(secret))
        actual = pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY=secret)
    assert actual.headers[1:-1] == request.headers.multi_items()


@pytest.mark.parametrize(
    ("form", "secret"),
    [
        (KeyForm.BASE64, "whsec_"),
        (KeyForm.BASE64, "whsec_abc"),
        (KeyForm.BASE64, "whsec_ab-_"),
        (KeyForm.BASE64, "v1,whsec_AAAA"),
        (KeyForm.HEX, "abc"),
        (KeyForm.HEX, "xy"),
        (KeyForm.HEX, "ab cd"),
    ],
)
def test_a_malformed_key_is_rejected_without_being_shown(form, secret, tmp_path):
    known = with_key(form, "whsec_")
    text = known.draft(url="http://127.0.0.1:1/").sign(Secret("ab" * 32)).curl(secret_env="HOOK_KEY")
    said = refused(text, tmp_path, HOOK_KEY=secret)
    assert said.startswith(f"HOOK_KEY must be {form} after 'whsec_', and is not")
    assert f" {secret} " not in said


@pytest.mark.parametrize("environment", [{}, {"HOOK_KEY": ""}])
def test_without_the_variable_the_text_says_how_to_set_it(environment, tmp_path):
    request = provider("stripe").draft(url="http://127.0.0.1:1/").sign(Secret("example"))
    said = refused(request.curl(secret_env="HOOK_KEY"), tmp_path, **environment)
    assert said == "HOOK_KEY is not set. Type this first: read -rs HOOK_KEY && export HOOK_KEY\n"


@pytest.mark.parametrize("name", ["discord", "sendgrid"])
def test_without_a_private_key_the_text_says_what_it_needs(name, tmp_path):
    key = provider(name).example_secret()
    text = provider(name).draft(url="http://127.0.0.1:1/").sign(key).curl(secret_env="HOOK_KEY")
    assert 'export HOOK_KEY="$(cat private-key.pem)"' in refused(text, tmp_path)
    assert "holds no private key in PEM form" in refused(text, tmp_path, HOOK_KEY="whsec_TEST")


def test_an_openssl_that_cannot_sign_with_ed25519_is_named(tmp_path):
    (tmp_path / "bin").mkdir()
    old = tmp_path / "bin" / "openssl"
    old.write_text("#!/bin/sh\necho 'unknown option -rawin' >&2\nexit 1\n")
    old.chmod(0o755)
    key = KeyPair.generate("ed25519")
    text = provider("discord").draft(url="http://127.0.0.1:1/").sign(key).curl(secret_env="HOOK_KEY")
    said = refused(text, tmp_path, HOOK_KEY=key.private_pem(), PATH=f"{old.parent}:/usr/bin:/bin")
    assert "Ed25519 needs OpenSSL 3" in said


@pytest.mark.parametrize("name", ["stripe", "discord", "sendgrid"])
def test_the_key_is_in_no_text_no_command_line_and_no_environment_of_a_program(name, tmp_path):
    path, log = spies(tmp_path)
    key = provider(name).example_secret()
    text = key_text(key)
    if isinstance(key, Secret):
        shapes = [text, text.encode().hex(), base64.b64encode(text.encode()).decode()]
    else:
        shapes = text.split("\n")[1:-2]
    with Wire() as wire:
        request = provider(name).draft(url=wire.url).sign(key)
        snippet = request.curl(secret_env="HOOK_KEY")
        pasted(snippet, wire, tmp_path, HOOK_KEY=text, PATH=path)
    programs = [each.read_text() for each in log.iterdir()]
    spied = "\n".join(programs)
    assert {"openssl", "curl"} <= {each.split(" ")[0] for each in programs}
    assert [shape for shape in shapes if shape in snippet or shape in spied] == []
    assert "HOOK_KEY" not in spied


def test_nothing_is_left_on_disk(tmp_path):
    key = KeyPair.generate("ed25519")
    with Wire() as wire:
        request = provider("discord").draft(url=wire.url).sign(key)
        pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY=key.private_pem())
    assert list(tmp_path.iterdir()) == []


def test_the_timestamp_is_made_when_the_text_runs(tmp_path):
    secret = Secret("example")
    with Wire() as wire:
        request = provider("chat").draft(url=wire.url).sign(secret)
        before = datetime.now(UTC) - timedelta(seconds=1)
        actual = pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY="example")
    stamp = int(dict(actual.headers)["X-Chat-Request-Timestamp"])
    assert before.timestamp() <= stamp <= datetime.now(UTC).timestamp()
    assert request.headers["X-Chat-Signature"] not in request.curl(secret_env="HOOK_KEY")


@pytest.mark.parametrize(("unit", "shape"), [("s", "%s"), ("ms", "%s000"), ("iso8601", "%Y-%m-%dT%H:%M:%SZ")])
def test_each_unit_of_timestamp_is_written_as_in_python(unit, shape, tmp_path):
    known = provider("chat")
    scheme = replaced(known.schemes[0], timestamp=TimestampUnit(unit))
    known = replaced(known, schemes=(scheme,))
    with Wire() as wire:
        request = known.draft(url=wire.url).sign(Secret("example"))
        actual = pasted(request.curl(secret_env="HOOK_KEY"), wire, tmp_path, HOOK_KEY="example")
    now = datetime.now(UTC).replace(microsecond=0)
    expected = [(now - timedelta(seconds=age)).strftime(shape) for age in range(30)]
    assert dict(actual.headers)["X-Chat-Request-Timestamp"] in expected
    assert verify(known, headers=actual.headers, body=actual.body, secret=Secret("example")).ok


def test_a_body_that_is_signed_while_it_holds_its_signature_is_rejected():
    known = provider("mailgun")
    scheme = known.schemes[0]
    signature = replaced(scheme.signatures[0], message="{timestamp}{body_sha256}")
    scheme = replaced(scheme, signatures=(signature,))
    draft = replaced(known, schemes=(scheme,)).draft()
    with pytest.raises(UnsupportedScheme, match="cannot sign itself in the shell"):
        self_signing_curl(draft, "HOOK_KEY")


def test_a_timestamp_that_is_part_of_the_url_stays_as_it_was_drafted(tmp_path):
    known = provider("chat")
    scheme = replaced(known.schemes[0], query={"sent": "{timestamp}"})
    known = replaced(known, schemes=(scheme,))
    with Wire() as wire:
        draft = known.draft(url=wire.url, at=AT)
        text = self_signing_curl(replace(draft, fixed_time=False), "HOOK_KEY")
        actual = pasted(text, wire, tmp_path, HOOK_KEY="example")
    assert actual.headers[1:-1] == draft.sign(Secret("example")).headers.multi_items()
    assert actual.lines[0].endswith(f"&sent={AT} HTTP/1.1")


def test_the_texts_exit_status_is_that_of_curl(tmp_path):
    request = provider("generic").draft(url="http://127.0.0.1:1/").sign(Secret("example"))
    assert run(request.curl(secret_env="HOOK_KEY"), tmp_path, HOOK_KEY="example").returncode == 7


@pytest.mark.parametrize("name", ["", "1KEY", "MY-KEY", "KEY; id", "$(id)", "KEY=x", "KEY\n", "É", "a b"])
def test_a_name_that_is_no_variable_is_rejected(name):
    request = provider("generic").draft().sign(Secret("example"))
    with pytest.raises(InvalidArgument, match="environment variable"):
        request.curl(secret_env=name)


def test_a_secret_given_as_the_name_of_its_variable_is_not_repeated():
    with pytest.raises(InvalidArgument) as caught:
        provider("github").draft().curl(secret_env="canary-4f8a2c71d9e3b650")

    assert "4f8a2c71d9e3b650" not in str(caught.value)


def test_the_text_holds_no_signature_and_only_runs_in_a_bash_of_its_own():
    request = provider("github").draft().sign(Secret("example"))
    text = request.curl(secret_env="HOOK_KEY")
    assert request.headers["X-Hub-Signature-256"].removeprefix("sha256=") not in text
    assert (text.splitlines()[0], text.splitlines()[-1]) == ("bash <<'END'", "END")
