"""Attacks: tests that print, compare, log, truncate and dump a secret. No output of pytest may show it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from hook_widgets.webhooks import KeyPair, Secret
from tests.support.extent import some

pytest_plugins = ["pytester"]

CANARY = "whsec_canaryOfThePlugin4711xyzzy"
BODY = "canaryOfThePlugin4711xyzzy"
ATTACKS = """
import logging, sys, base64
import pytest

@pytest.fixture
def secret(webhook_secret):
    return webhook_secret("gitlab-token", secret_env="CANARY").reveal()

@pytest.fixture
def token_request(webhook, webhook_secret):
    return webhook("gitlab-token", secret=webhook_secret("gitlab-token", secret_env="CANARY"), url="/hooks")

class Client:
    def post(self, **arguments):
        headers = dict(arguments["headers"])
        return 401

def test_local_variables(secret):
    text = secret
    assert False

def test_comparison(secret):
    assert secret == "x"

def test_long_comparison(secret):
    assert ["y" * 200, secret, "z" * 400] == []

@pytest.mark.parametrize("n", range(88, 122, 8))
def test_cut_at_any_place(secret, n):
    text = "y" * n + secret + "z" * 200
    assert text is None

def test_bytes_in_chunks(secret):
    assert {"body": b"a" * 61 + secret.encode() + b"b" * 300} == {"body": b""}

def test_call_in_an_assertion(token_request):
    assert Client().post(**token_request.for_httpx()) == 200

def test_request(token_request):
    assert token_request is None

def test_exception(secret):
    raise ValueError(f"Bearer {secret}")

def test_chain(token_request):
    try:
        raise KeyError(dict(token_request.headers))
    except KeyError as error:
        raise RuntimeError("wrapped") from error

def test_output(secret):
    print(secret)
    print(base64.b64encode(secret.encode()).decode(), secret.encode().hex(), file=sys.stderr)
    logging.getLogger("app").warning("token %s", secret)
    assert False

def test_property(secret, record_property):
    record_property("token", secret)

def test_failure(secret):
    pytest.fail(secret)

def test_skip(secret):
    pytest.skip(secret)

def test_expected_failure(secret, request):
    request.applymarker(pytest.mark.xfail(reason=secret))
    assert False

@pytest.fixture
def broken(secret):
    yield
    raise ValueError(secret)

def test_teardown(broken):
    pass

def test_wrong_argument(webhook, secret):
    webhook("stripe", secret=secret)
"""
PEM_ATTACKS = """
import pytest

def test_key(webhook_secret):
    webhook_secret("stripe", secret_env="PEM").reveal().wrong

def test_locals(webhook_secret):
    pair = webhook_secret("discord", secret_env="PEM")
    text = pair.private_pem()
    lines = text.splitlines()
    assert False, text
"""


def spelled(secret: str) -> list[str]:
    raw = secret.encode()
    return [secret, raw.hex(), raw.hex().upper(), base64.b64encode(raw).decode().rstrip("=")]


def leaks(texts: str) -> list[str]:
    """Return the parts of the canary, of ten characters, that a text shows; ends of eight."""
    parts = {form[at : at + 10] for form in spelled(CANARY) + spelled(BODY) for at in range(len(form) - 9)}
    return sorted(part for part in parts if part in texts)


LIVE_ATTACKS = """
import logging, sys, warnings
import pytest

@pytest.fixture
def secret(webhook_secret):
    return webhook_secret("gitlab-token", secret_env="CANARY").reveal()

class OddWarning(UserWarning):
    def __init__(self, text, number):
        super().__init__(text, number)

def test_warning(secret):
    warnings.warn(f"token {secret} is deprecated")
    warnings.warn(OddWarning(secret, 1))

def test_output(secret):
    print("token", secret)
    print(secret, file=sys.stderr)
    print("in", secret[:9], sep=" ", end="")
    print(secret[9:])
    sys.stdout.write(secret)

def test_log(secret):
    logging.getLogger("app").warning("token %s", secret)
    try:
        raise ValueError(secret)
    except ValueError:
        logging.getLogger("app").exception("failed")
"""


@pytest.fixture
def attacks(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("CANARY", CANARY)
    monkeypatch.setenv("COLUMNS", "200")
    pytester.makepyfile(test_attacks=ATTACKS)
    return pytester


def written(folder: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in folder.glob("*.xml"))


@pytest.mark.parametrize(
    ("options", "selected", "failed"),
    some(
        [
            # -vv cuts no text, so that one place of the cut is enough for the long traces.
            ("-vv --showlocals --full-trace -rA --setup-show", "not cut or 104", 12),
            ("--showlocals -n 1", "", 16),
            ("--tb=native --color=yes -ra -vv", "", 16),
        ],
        2,
    ),
)
def test_no_output_shows_the_secret(
    attacks: pytest.Pytester, options: str, selected: str, failed: int
) -> None:
    result = attacks.runpytest_inprocess(
        *options.split(),
        "-k",
        selected,
        "-p",
        "no:cacheprovider",
        "--junitxml=junit.xml",
        "-o",
        "junit_logging=all",
        "-o",
        "junit_family=xunit1",
    )
    shown = "\n".join([*result.outlines, *result.errlines, written(attacks.path)])

    assert "test_bytes_in_chunks" in shown
    assert "••••" in shown
    assert [] == leaks(shown)
    result.assert_outcomes(failed=failed, errors=1, passed=2, skipped=1, xfailed=1)


@pytest.mark.parametrize("options", ["-s -rA", "-rA", "-s -n 1"])
def test_no_live_output_shows_the_secret(attacks: pytest.Pytester, options: str) -> None:
    """Output that is not captured, live logs, log files and warnings are in no report of a test."""
    attacks.makepyfile(test_attacks=LIVE_ATTACKS)
    result = attacks.runpytest_subprocess(
        *options.split(),
        *("-p", "no:cacheprovider", "-o", "log_cli=true", "--log-file=log.txt", "--log-file-level=DEBUG"),
    )
    log = (
        (attacks.path / "log.txt").read_text(encoding="utf-8") if (attacks.path / "log.txt").exists() else ""
    )
    shown = "\n".join([*result.outlines, *result.errlines, log])

    assert 0 == result.ret
    assert "••••" in shown
    assert [] == leaks(shown)


def test_output_that_is_not_captured_is_shown_in_full_and_in_order(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_it(webhook_secret):
            webhook_secret("stripe")
            print("first", end=" ")
            sys.stdout.flush()
            print("second")
            print("x" * 100_000, end="")
            assert sys.stdout.writable()
            assert sys.stdout.fileno() == 1
        """
    )
    result = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider")

    assert 0 == result.ret
    assert any("first second" in line for line in result.outlines)
    assert any("x" * 100_000 in line for line in result.outlines)


def test_no_output_shows_a_private_key(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pem = KeyPair.generate("rsa").private_pem()
    monkeypatch.setenv("PEM", pem)
    pytester.makepyfile(PEM_ATTACKS)
    result = pytester.runpytest_inprocess("--showlocals", "-vv", "--full-trace")
    shown = "\n".join([*result.outlines, *result.errlines])

    lines = [line for line in pem.splitlines() if "-----" not in line]
    assert 20 < len(lines)
    assert [] == [line for line in lines if line in shown]


def test_a_secret_in_place_of_a_variables_name_is_not_shown(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from pathlib import Path
        import pytest

        @pytest.mark.webhook_checks("stripe", url="http://127.0.0.1:9/", secret_env=NAME)
        def test_receiver():
            pass
        """.replace("NAME", "Path('secret').read_text()")
    )
    (pytester.path / "secret").write_text(CANARY)
    result = pytester.runpytest_inprocess("--showlocals", "-vv", "-k", "B11")

    assert [] == leaks("\n".join([*result.outlines, *result.errlines]))
    result.stdout.fnmatch_lines(["*no environment variable of this name*"])
    result.assert_outcomes(errors=1)


def test_a_secret_as_an_argument_of_the_mark_is_not_shown(pytester: pytest.Pytester) -> None:
    (pytester.path / "secret").write_text(CANARY)
    pytester.makepyfile(
        """
        from pathlib import Path
        import pytest

        @pytest.mark.webhook_checks("stripe", secret=Path("secret").read_text())
        def test_receiver():
            pass
        """
    )
    result = pytester.runpytest_inprocess("--showlocals", "-vv")
    shown = "\n".join([*result.outlines, *result.errlines])

    assert [] == leaks(shown)
    assert "webhook_checks takes no argument 'secret'; give secret_env=" in shown


def test_the_representations_show_no_value() -> None:
    from hook_widgets.testing import SignedRequest
    from hook_widgets.webhooks import provider

    request = provider("gitlab-token").draft().sign(Secret(CANARY))
    signed = SignedRequest(request, "/hooks?token=secret")

    shown = repr([signed, signed.for_httpx(), signed.for_django(), signed.for_flask(), signed.for_requests()])
    assert [] == leaks(shown)
    assert "X-Gitlab-Token" in shown
    assert "token=secret" not in shown
