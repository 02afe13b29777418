"""Parts of JavaScript receivers that do not depend on the scheme."""

from __future__ import annotations

from typing import Final

from hook_widgets.webhooks.keys.signing import Algorithm

EQUAL: Final = """\
function equal(left, right) {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
"""
VALUE: Final = """\
/** The text of one value of a JSON document, "" when it is not there. */
function value(document, ...path) {
  return String(path.reduce((node, step) => node?.[step], document) ?? "");
}
"""
SORTED: Final = """\
/** All distinct names and values of a form, sorted and joined. */
function sortAndJoin(form) {
  const order = (left, right) => (left < right ? -1 : Number(left > right));
  const pairs = [...form].sort(([a, x], [b, y]) => order(a, b) || order(x, y));
  return pairs
    .filter(([name, value], i) => i === 0 || name !== pairs[i - 1][0] || value !== pairs[i - 1][1])
    .flat()
    .join("");
}
"""
CRC32: Final = """\
function crc32(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 && 0xedb88320);
  }
  return ~crc >>> 0;
}
"""
ED25519: Final = """\
const x = Buffer.from(publicKey, "{form}").toString("base64url");
const key = createPublicKey({{ key: {{ kty: "OKP", crv: "Ed25519", x }}, format: "jwk" }});"""
KEYS: Final = {
    "hex": ED25519.format(form="hex"),
    "base64": ED25519.format(form="base64"),
    "base64-spki": """\
const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });""",
    "certificate": "const key = new X509Certificate(publicKey).publicKey;",
}
CHECKS: Final = {
    Algorithm.ED25519: "verifySignature(null, message, key, {raw})",
    Algorithm.ECDSA_P256: 'verifySignature("sha256", message, key, {raw})',
    Algorithm.ECDSA_P256_RAW: (
        'verifySignature("sha256", message, {{ key, dsaEncoding: "ieee-p1363" }}, {raw})'
    ),
    Algorithm.RSA_SHA256: 'verifySignature("sha256", message, key, {raw})',
    Algorithm.RSA_SHA1: 'verifySignature("sha1", message, key, {raw})',
}
IMPORTED: Final = (
    "X509Certificate",
    "createHash",
    "createHmac",
    "createPublicKey",
    "timingSafeEqual",
)
