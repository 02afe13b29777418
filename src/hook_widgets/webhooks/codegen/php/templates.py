"""Parts of PHP receivers that do not depend on the scheme."""

from __future__ import annotations

from typing import Final

from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding

VALUE: Final = """\
/** The text of one value of a JSON document, '' when it is not there. */
function json_value(mixed $document, string|int ...$path): string
{
    foreach ($path as $step) {
        $document = is_array($document) ? $document[$step] ?? null : null;
    }
    if (is_bool($document)) {
        return $document ? 'true' : 'false';
    }
    return is_scalar($document) ? (string) $document : '';
}
"""
FORM: Final = """\
/** Names and values of a form, in their order. */
function form_pairs(string $form): array
{
    $pairs = [];
    foreach (array_filter(explode('&', $form), 'strlen') as $pair) {
        [$name, $value] = explode('=', $pair, 2) + [1 => ''];
        $pairs[] = [urldecode($name), urldecode($value)];
    }
    return $pairs;
}
"""
DER: Final = """\
/** An ECDSA signature of two numbers as OpenSSL wants it. */
function der_signature(string $raw): string
{
    $numbers = '';
    foreach (str_split($raw, 32) as $number) {
        $number = ltrim($number, "\\0");
        $number = $number === '' || ord($number[0]) > 127 ? "\\0{$number}" : $number;
        $numbers .= "\\x02" . chr(strlen($number)) . $number;
    }
    return "\\x30" . chr(strlen($numbers)) . $numbers;
}
"""
HEX: Final = """\
/** The bytes of hexadecimal digits, '' for anything else. */
function hex_bytes(string $text): string
{
    return ctype_xdigit($text) && strlen($text) % 2 === 0 ? hex2bin($text) : '';
}
"""
HELPERS: Final = (
    ("json_value(", VALUE),
    ("form_pairs(", FORM),
    ("der_signature(", DER),
    ("hex_bytes(", HEX),
)
WRITE: Final = {
    "hex": "bin2hex({raw})",
    "base64": "base64_encode({raw})",
    "base64url": "rtrim(strtr(base64_encode({raw}), '+/', '-_'), '=')",
    "text": "{raw}",
}
READ: Final = {
    Encoding.HEX: "hex_bytes({text})",
    Encoding.BASE64: "base64_decode({text})",
    Encoding.BASE64URL: "base64_decode(strtr({text}, '-_', '+/'))",
}
KEYS: Final = {
    "hex": "hex2bin($publicKey)",
    "base64": "base64_decode($publicKey)",
    "base64-spki": '"-----BEGIN PUBLIC KEY-----\\n" . chunk_split($publicKey, 64, "\\n")'
    ' . "-----END PUBLIC KEY-----\\n"',
    "certificate": "$publicKey",
}
CHECKS: Final = {
    Algorithm.ED25519: "strlen($raw) === 64 && sodium_crypto_sign_verify_detached($raw, $message, $key)",
    Algorithm.ECDSA_P256: "openssl_verify($message, $raw, $key, OPENSSL_ALGO_SHA256) === 1",
    Algorithm.ECDSA_P256_RAW: "strlen($raw) === 64"
    " && openssl_verify($message, der_signature($raw), $key, OPENSSL_ALGO_SHA256) === 1",
    Algorithm.RSA_SHA256: "openssl_verify($message, $raw, $key, OPENSSL_ALGO_SHA256) === 1",
    Algorithm.RSA_SHA1: "openssl_verify($message, $raw, $key, OPENSSL_ALGO_SHA1) === 1",
}
