"""Jobs that code in the kernel makes up, to learn something of a secret from how they are answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hook_widgets.webhooks.keys.signing import Algorithm
from tests.security.browser.kernel_code import Question

ALGORITHMS = [algorithm.value for algorithm in Algorithm]
FORMS = ("utf8", "base64", "hex")
EDITS = (
    *(
        "",
        "trim",
        "add-newline",
        "add-crlf",
        "quote",
        "unquote",
        "unprefix",
        "prefix",
        "unassign",
        "unescape",
        "url-safe",
    ),
    *("percent-decode", "lower", "upper", "to-base64", "to-hex", "sha256-hex", "unpad", "reverse"),
)
DIGESTS = ("", "sha1", "sha256")
NORMAL_FORMS = ("", "NFKC", "NFKD")
#: names that no key variant has, or that every object of JavaScript has
UNKNOWN = ("to-hex", "to-base64", "lower", "none", "__proto__", "constructor", "toString", "a" * 1000)
VARIANTS = ("trimmed", "as-text", "as-base64", "as-hex", "unprefixed", "prefixed", "unquoted", "hex-encoded")


@dataclass(frozen=True)
class Target:
    """A kernel's knowledge of a provider and its guess of the secret.

    Attributes:
        provider: its id.
        scheme: one of its schemes.
        field: the signature's field there.
        guess: a text that one of two secrets is, the other is not.
    """

    provider: str
    scheme: str
    field: str
    guess: str

    @property
    def beginnings(self) -> list[str]:
        """Guesses at how the secret begins, as text and as hex with an odd number of digits."""
        text, digits = self.guess, self.guess.encode().hex()
        return ["", text[:1], text[:2], text[:-1], text, digits[:1], digits[:3], digits[:-1]]


def made_up(target: Target) -> dict[str, Question]:
    """All jobs, by their shapes."""
    return dict(
        [
            *_old_sign(target),
            *_old_match(target),
            *_sign(target),
            *_match(target),
            *_no_jobs(target),
        ]
    )


def _spec(form: str, prefix: str, normalize: str = "", digest: str = "") -> dict[str, str]:
    return {"form": form, "strip_prefix": prefix, "normalize": normalize, "digest": digest}


def _old_sign(target: Target) -> Iterator[tuple[str, Question]]:
    def question(algorithm: str, spec: dict[str, str]) -> Question:
        job = {"field": target.field, "algorithm": algorithm, **spec}
        shape = {"revision": "", "purpose": "preview", "provider": target.provider, "jobs": [job]}
        return "sign", shape, [b"message"]

    for form in FORMS:
        for prefix in target.beginnings:
            yield f"old sign {form} without {prefix!r}", question("hmac-sha256", _spec(form, prefix))
        for normalize in NORMAL_FORMS:
            for digest in DIGESTS:
                spec = _spec(form, "", normalize, digest)
                yield f"old sign {form} {normalize} {digest}", question("hmac-sha256", spec)
    for algorithm in ALGORITHMS:
        yield f"old sign {algorithm}", question(algorithm, _spec("utf8", ""))


def _old_match(target: Target) -> Iterator[tuple[str, Question]]:
    plain = [(form, edit, "", lenient) for form in FORMS for edit in EDITS for lenient in (False, True)]
    prefixed = [(form, "to-hex", prefix, False) for form in FORMS for prefix in target.beginnings]
    for form, edit, prefix, lenient in plain + prefixed:
        job = {
            "field": target.field,
            "algorithm": "token",
            **_spec(form, prefix),
            "edit": edit,
            "lenient": lenient,
            "message": [0],
            "presented": [1, 2, 3],
        }
        shape = {"provider": target.provider, "first": False, "jobs": [job]}
        name = f"old match {form} {edit} without {prefix!r}{' lenient' if lenient else ''}"
        yield name, ("match", shape, [b"", *_presented(target)])


def _presented(target: Target) -> list[bytes]:
    """Texts that the kernel made up, one of which is the secret."""
    guess = target.guess.encode()
    return [guess, guess[:1], guess.hex().encode()]


def _sign(target: Target) -> Iterator[tuple[str, Question]]:
    usual: dict[str, Any] = {
        "revision": "",
        "purpose": "preview",
        "provider": target.provider,
        "scheme": target.scheme,
        "fields": [target.field],
    }
    jobs = {
        "as it should be": usual,
        "without a provider": {name: value for name, value in usual.items() if name != "provider"},
        "of another provider": {**usual, "provider": "slack"},
        "of a provider that is null": {**usual, "provider": None},
        "of a provider that is __proto__": {**usual, "provider": "__proto__"},
        "with fields that are a number": {**usual, "fields": 1},
        "with a field that is no text": {**usual, "fields": [{"name": target.field}]},
        "with one field more than messages": {**usual, "fields": [target.field, target.field]},
        "with a field too few": {**usual, "fields": []},
        "with a scheme that is not pinned": {**usual, "scheme": "mine"},
        "with a scheme of its own": {
            **usual,
            "scheme": {"name": "mine", "signatures": [{"field": target.field, "algorithm": "token"}]},
        },
        **{f"with the field {name}": {**usual, "fields": [name]} for name in UNKNOWN},
        **{f"with the scheme {name}": {**usual, "scheme": name} for name in UNKNOWN},
    }
    for what, args in jobs.items():
        yield f"sign {what}", ("sign", args, [b"message"])
    for name, extra in _extras(target):
        yield f"sign with {name}", ("sign", {**usual, **extra}, [b"message"])


def _match(target: Target) -> Iterator[tuple[str, Question]]:
    usual: dict[str, Any] = {
        "scheme": target.scheme,
        "field": target.field,
        "variant": "",
        "algorithm": "",
        "message": [0],
        "presented": [1, 2, 3],
    }
    buffers = [b"", *_presented(target)]
    jobs: dict[str, dict[str, Any]] = {
        "as it should be": usual,
        "of a scheme that is not pinned": {**usual, "scheme": "mine"},
        "of a field that is not pinned": {**usual, "field": "mine"},
        "without a variant": {name: value for name, value in usual.items() if name != "variant"},
        "with a variant that is no text": {**usual, "variant": {"edit": "to-hex"}},
        "with a buffer that is missing": {**usual, "presented": [9]},
        "with indices that are no numbers": {**usual, "presented": ["length", -1, 0.5]},
        **{f"with the variant {name}": {**usual, "variant": name} for name in (*VARIANTS, *UNKNOWN)},
        **{f"with the algorithm {name}": {**usual, "algorithm": name} for name in (*ALGORITHMS, *UNKNOWN)},
        **{
            f"of a token, with the variant {name}": {**usual, "variant": name, "algorithm": "token"}
            for name in VARIANTS
        },
    }
    for what, job in jobs.items():
        yield f"match {what}", ("match", {"provider": target.provider, "jobs": [job]}, buffers)
    for name, extra in _extras(target):
        job = {**usual, **extra}
        yield f"match with {name}", ("match", {"provider": target.provider, "jobs": [job], **extra}, buffers)
    whole = {"provider": target.provider, "jobs": [usual]}
    yield "match without a provider", ("match", {"jobs": [usual]}, buffers)
    yield "match of another provider", ("match", {**whole, "provider": "slack"}, buffers)
    yield "match, the first only", ("match", {**whole, "first": True, "jobs": [usual, usual]}, buffers)


def _extras(target: Target) -> Iterator[tuple[str, dict[str, Any]]]:
    """Keys that a job does not have, which would choose the form of the secret."""
    for prefix in target.beginnings:
        for form in FORMS:
            spec = {**_spec(form, prefix), "edit": "to-hex", "lenient": False}
            yield f"a key spec: {form} without {prefix!r}", spec
    yield "an algorithm", {"algorithm": "token"}
    yield "a key", {"key": {"form": "hex", "strip_prefix": target.guess[:1]}}
    yield "a provider's facts", {"facts": {"key": _spec("hex", ""), "schemes": []}}


def _no_jobs(target: Target) -> Iterator[tuple[str, Question]]:
    for op in ("reveal", "get", "secret", "describe", "cover", "held", "state", "constructor"):
        yield f"operation {op}", (op, {"provider": target.provider, "slot": target.provider}, [b"message"])
    for what, args in (("null", None), ("a list", []), ("a text", "x"), ("nothing", {})):
        yield f"sign {what}", ("sign", args, [b"message"])
        yield f"match {what}", ("match", args, [b"message"])
