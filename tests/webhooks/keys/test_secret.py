from __future__ import annotations

import copy
import json
import pickle
import traceback

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidArgument, InvalidSecret
from hook_widgets.webhooks import provider
from hook_widgets.webhooks.diagnosis.key_edits import EditedKeySpec, KeyEdit
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec, Secret

CANARY = "canary4f8a2c71d9e3b650"


def asking_for_its_state(secret):
    """As libraries do that serialise without pickle."""
    return secret.__getstate__()


@pytest.mark.parametrize("show", [repr, str, "{}".format, lambda s: json.dumps(s, default=str)])
def test_a_secret_is_redacted_in_every_display(show):
    assert CANARY not in show(Secret(CANARY))


def test_a_secret_has_no_attribute_whose_value_a_debugger_could_show():
    secret = Secret(CANARY)
    names = {*dir(secret), *type(secret).__slots__}

    assert CANARY not in repr([getattr(secret, name) for name in names])


def test_a_secret_says_how_long_it_is_in_bytes():
    assert "Secret(••••, 2 bytes)" == repr(Secret("é"))


@pytest.mark.parametrize("carry", [pickle.dumps, copy.copy, copy.deepcopy, json.dumps, asking_for_its_state])
def test_a_secret_is_never_pickled_copied_or_serialised(carry):
    with pytest.raises(TypeError) as caught:
        carry(Secret(CANARY))

    assert CANARY not in str(caught.value)


def test_reveal_is_the_way_to_get_the_text():
    assert CANARY == Secret(CANARY).reveal()


def test_a_secret_from_the_environment():
    assert CANARY == Secret.from_env("HOOK", environ={"HOOK": CANARY}).reveal()


@pytest.mark.parametrize("environ", [{}, {"HOOK": ""}])
def test_an_unset_variable_is_named(environ):
    with pytest.raises(InvalidSecret, match="'HOOK' is not set"):
        Secret.from_env("HOOK", environ=environ)


@pytest.mark.parametrize("name", ["whsec_" + CANARY, CANARY, CANARY.upper(), f"{CANARY}+/=="])
def test_a_secret_given_in_place_of_a_variables_name_is_not_repeated(name):
    with pytest.raises(InvalidSecret, match="give the variable's name") as caught:
        Secret.from_env(name, environ={})

    assert CANARY not in str(caught.value).lower()


@pytest.mark.parametrize("text", ["", None, b"bytes", 17])
def test_a_secret_that_is_no_text_is_rejected(text):
    with pytest.raises(InvalidSecret):
        Secret(text)


@given(st.binary(min_size=1))
def test_hex_and_base64_keys_decode_to_their_bytes(key):
    import base64

    assert key == KeySpec(KeyForm.HEX).decode(key.hex())
    assert key == KeySpec(KeyForm.BASE64, "whsec_").decode("whsec_" + base64.b64encode(key).decode())


@given(st.text(min_size=1), st.sampled_from([KeyForm.HEX, KeyForm.BASE64]))
def test_a_malformed_key_is_rejected_with_a_reason_that_does_not_quote_it(text, form):
    assume(len(text) > 7)
    said = ""
    try:
        KeySpec(form).decode(text)
    except InvalidSecret as error:
        said = str(error)

    assert text not in said


def test_a_traceback_of_a_rejected_key_does_not_hold_it():
    try:
        KeySpec(KeyForm.HEX).decode(CANARY + "!")
    except InvalidSecret:
        assert CANARY not in traceback.format_exc()
    else:
        pytest.fail("a malformed key was taken")


@pytest.mark.parametrize(
    "spec",
    [
        KeySpec(KeyForm.HEX),
        KeySpec(KeyForm.BASE64),
        EditedKeySpec(edit=KeyEdit.TRIM),
        KeySpec(KeyForm.BASE64, "canary"),
    ],
)
def test_a_traceback_that_shows_variables_does_not_show_a_rejected_key(spec):
    secret = Secret(CANARY + "0")
    with pytest.raises(InvalidSecret) as caught:
        secret.key_bytes(spec)

    shown = with_variables(caught.value)
    assert "secret = Secret(••••, 23 bytes)" in shown
    assert CANARY.removeprefix("canary") not in shown


@pytest.mark.parametrize("text", ["", b"bytes", "\ud800"])
def test_a_traceback_that_shows_variables_can_show_a_rejected_secret(text):
    with pytest.raises(InvalidSecret) as caught:
        Secret(text)

    assert "self = Secret(••••, 0 bytes)" in with_variables(caught.value)


@pytest.mark.parametrize(
    ("name", "ends"),
    [("gitlab-token", ["\nx: y"]), ("gitlab-token", ["€"]), ("telegram", ["", "1"])],
    ids=["a line end", "no ASCII", "two secrets"],
)
def test_a_traceback_that_shows_variables_does_not_show_a_token_that_no_request_takes(name, ends):
    secrets = [Secret(CANARY + end) for end in ends]
    draft = provider(name).draft()
    with pytest.raises((InvalidArgument, InvalidSecret)) as caught:
        draft.sign(*secrets)

    shown = with_variables(caught.value)
    assert "key = Secret(••••" in shown
    assert CANARY not in shown


def with_variables(error):
    """As the standard library shows an exception, which loggers and reports of tests do likewise."""
    frames = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join(frames.format())
