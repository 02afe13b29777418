"""Parts of a bash script that signs: reading the key and signing with it, without exposing it.

The script requires bash 3.2 (macOS) or later, POSIX tools and the ``openssl`` command of OpenSSL or LibreSSL.
A key must never be an argument of a program, because every user of a machine can read those; it is passed
through builtins and pipes only. For this reason HMAC is implemented here: ``openssl dgst -hmac`` takes the
key as an argument.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Final

from hook_widgets.webhooks.export.shell import File, quote
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit

CLOCKS: Final = {
    TimestampUnit.SECONDS: "$(date +%s)",
    TimestampUnit.MILLISECONDS: "$(date +%s)000",  # the macOS shell has no finer clock
    TimestampUnit.ISO8601: "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
    TimestampUnit.ISO8601_MS: "$(date -u +%Y-%m-%dT%H:%M:%S.000Z)",
    TimestampUnit.ISO8601_NS: "$(date -u +%Y-%m-%dT%H:%M:%S.000000001Z)",
    TimestampUnit.ISO8601_OFFSET: "$(date -u +%Y-%m-%dT%H:%M:%S+00:00)",
    TimestampUnit.ISO8601_MS_NAIVE: "$(date -u +%Y-%m-%dT%H:%M:%S.000)",
    TimestampUnit.HTTP_DATE: "$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')",
}
"""Shell expressions for the current time in each timestamp unit."""

_ENCODERS: Final = {
    Encoding.HEX: "hex",
    Encoding.BASE64: "openssl base64 -A",
    Encoding.BASE64URL: "openssl base64 -A | tr '+/' '-_' | tr -d '='",
    Encoding.TEXT: "cat",
}
_BLOCKS: Final = {"sha1": 64, "sha256": 64, "sha384": 128, "sha512": 128}  # bytes, FIPS 180-4

_HEX: Final = r"""hex() { od -An -v -tx1 | tr -d ' \n'; }"""

_TO_HEX: Final = "_key=$(printf '%s' \"$_key\" | hex)"

_UNHEX: Final = r"""unhex() { printf "$(sed 's/../\\x&/g')"; }"""

_HMAC: Final = r"""hmac() { # RFC 2104 with the key in $_key as hex. Arguments: hash, its block size in bytes.
  local k=$_key inner='' outer='' i
  if [ ${#k} -gt $(($2 * 2)) ]; then k=$(printf '%s' "$k" | unhex | openssl dgst "-$1" -binary | hex); fi
  while [ ${#k} -lt $(($2 * 2)) ]; do k+=00; done
  for ((i = 0; i < $2 * 2; i += 2)); do
    printf -v inner '%s\\x%02x' "$inner" $((0x${k:i:2} ^ 0x36))
    printf -v outer '%s\\x%02x' "$outer" $((0x${k:i:2} ^ 0x5c))
  done
  { printf "$outer"; { printf "$inner"; cat; } | openssl dgst "-$1" -binary; } | openssl dgst "-$1" -binary
}"""

# ECDSA and RSA.
_SIGN: Final = r"""sign() { openssl dgst "-$1" -sign <(printf '%s\n' "$_key"); }"""

# JWS requires r and s as 32 bytes each instead of a DER SEQUENCE of two INTEGERs (RFC 7518 section 3.4).
_SIGN_RAW: Final = r"""unhex() { printf "$(sed 's/../\\x&/g')"; }
sign_raw() {
  local der zeros r s n
  der=$(openssl dgst "-$1" -sign <(printf '%s\n' "$_key") | hex)
  printf -v zeros '%064d' 0
  n=$((0x${der:6:2} * 2)); r=$zeros${der:8:n}; der=${der:8 + n}
  n=$((0x${der:2:2} * 2)); s=$zeros${der:4:n}
  printf '%s%s' "${r:${#r} - 64}" "${s:${#s} - 64}" | unhex
}"""

# pkeyutl reads the message of Ed25519 twice, so it must be in a file.
_ED25519: Final = r"""_work=$(mktemp -d)
trap 'rm -rf "$_work"' EXIT
sign() {
  cat > "$_work/message"
  openssl pkeyutl -sign -rawin -inkey <(printf '%s\n' "$_key") -in "$_work/message" ||
    fail 'openssl could not sign. Ed25519 needs OpenSSL 3: see openssl version.'
}"""

_SIGNERS: Final = {
    Algorithm.ECDSA_P256: (_SIGN, "sign sha256"),
    Algorithm.ECDSA_P256_RAW: (_SIGN_RAW, "sign_raw sha256"),
    Algorithm.RSA_SHA256: (_SIGN, "sign sha256"),
    Algorithm.RSA_SHA1: (_SIGN, "sign sha1"),
    Algorithm.ED25519: (_ED25519, "sign"),
    Algorithm.TOKEN: (r"""token() { cat >/dev/null; printf '%s' "$_key" | unhex; }""", "token"),
    Algorithm.SHA256_PREFIX: (
        r"""prefixed() { { printf '%s' "$_key" | unhex; cat; } | openssl dgst -sha256 -binary; }""",
        "prefixed",
    ),
    **{
        algorithm: (
            r"""suffixed() { { cat; printf '%s' "$_key" | unhex; } | openssl dgst "-$1" -binary; }""",
            f"suffixed {digest}",
        )
        for algorithm, digest in ((Algorithm.SHA256_SUFFIX, "sha256"), (Algorithm.SHA1_SUFFIX, "sha1"))
    },
}


def preamble(secret_env: str, spec: KeySpec | None, algorithms: Collection[Algorithm]) -> list[str]:
    """Return the lines that read the key into ``$_key``, and the functions that use it.

    Args:
        secret_env: the environment variable that holds the key.
        spec: the key spec of a shared secret; None for a private key in PEM.
        algorithms: the algorithms of the request's signatures.
    """
    hint = f"read -rs {secret_env} && export {secret_env}"
    if spec is None:
        hint = f'export {secret_env}="$(cat private-key.pem)"'
    action = "Sends the secret" if set(algorithms) == {Algorithm.TOKEN} else "Signs with the key"
    return [
        f"# {action} in ${secret_env}, which this text does not hold and no process list shows.",
        "set -eu -o pipefail",
        "fail() { printf '%s\\n' \"$1\" >&2; exit 1; }",
        f'[ -n "${{{secret_env}:-}}" ] || fail {quote(f"{secret_env} is not set. Type this first: {hint}")}',
        f"_key=${secret_env}",
        f"unset {secret_env}",
        _HEX,
        *([] if spec is None else [_UNHEX]),
        *_key(secret_env, spec),
        *([_HMAC] if any(algorithm.digest for algorithm in algorithms) else []),
        *dict.fromkeys(signer for algorithm, (signer, _) in _SIGNERS.items() if algorithm in algorithms),
    ]


def assign(name: str, message: str, algorithm: Algorithm, encoding: Encoding) -> str:
    """Return the line that assigns the signature of the output of the command `message` to a variable."""
    digest = algorithm.digest
    sign = f"hmac {digest} {_BLOCKS[digest]}" if digest else _SIGNERS[algorithm][1]
    return f"{name}=$({message} | {sign} | {_ENCODERS[encoding]})"


def check_file(file: File) -> list[str]:
    """Return the lines that stop the script unless the file exists and has the expected content."""
    name, size = quote(file.name), f"{len(file.data):,} bytes"
    missing = quote(f"{file.name} is not here. Save the payload under this name: {size}.")
    other = quote(f"{file.name} is not the payload that this signs: {size}, and no line break added to them.")
    actual, expected = f"openssl dgst -sha256 -binary < {name} | hex", sha256(file.data).hexdigest()
    return [f"[ -r {name} ] || fail {missing}", f'[ "$({actual})" = {expected} ] || fail {other}']


def script(lines: Iterable[str]) -> str:
    """Return the lines as one command for any shell, which runs them in a new bash process.

    Thus the text can be pasted where bash is not the login shell, and an error does not close the terminal.
    """
    text = "\n".join(lines)
    end = "END"
    while f"\n{end}\n" in f"\n{text}\n":
        end += "_"
    return f"bash <<'{end}'\n{text}\n{end}\n"


def _key(secret_env: str, spec: KeySpec | None) -> list[str]:
    if spec is None:
        complaint = quote(f"{secret_env} holds no private key in PEM form (-----BEGIN PRIVATE KEY-----).")
        return [f"case $_key in *'PRIVATE KEY-----'*) ;; *) fail {complaint} ;; esac"]
    digest = [f"_key=$(printf '%s' \"$_key\" | unhex | openssl dgst -{spec.digest} -binary | hex)"]
    return [*_decode(secret_env, spec), *(digest if spec.digest else [])]


def _decode(secret_env: str, spec: KeySpec) -> list[str]:
    ascii_only = quote(f"{secret_env} is not plain ASCII, and the shell cannot normalise it: sign in Python.")
    plain = [f"LC_ALL=C; case $_key in *[!\\ -~]*) fail {ascii_only} ;; esac"] if spec.normalize else []
    if spec.form is KeyForm.UTF8:
        return [*plain, _TO_HEX]
    alphabet, size = ("0-9A-Fa-f", 2) if spec.form is KeyForm.HEX else ("A-Za-z0-9+/=", 4)
    after = f" after {spec.strip_prefix!r}" if spec.strip_prefix else ""
    complaint = quote(f"{secret_env} must be {spec.form}{after}, and is not: copy the whole secret again.")
    return [
        *([f"_key=${{_key#{quote(spec.strip_prefix)}}}"] if spec.strip_prefix else []),
        f"case $_key in '' | *[!{alphabet}]*) fail {complaint} ;; esac",
        f"[ $((${{#_key}} % {size})) -eq 0 ] || fail {complaint}",
        *(["_key=$(printf '%s' \"$_key\" | base64 --decode | hex)"] if spec.form is KeyForm.BASE64 else []),
    ]
