"""Parts of Ruby receivers that do not depend on the scheme."""

from __future__ import annotations

from typing import Final

from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding

VALUE: Final = """\
# The text of one value of a JSON document, "" when it is not there.
def value(document, *path)
  path.reduce(document) do |node, step|
    case node
    when Hash then node[step.to_s]
    when Array then node[step] if step.is_a?(Integer)
    end
  end.to_s
end
"""
REQUIRED: Final = (
    ("json", "JSON."),
    ("openssl", "OpenSSL"),
    ("time", "Time.iso8601"),
    ("time", "Time.httpdate"),
    ("uri", "URI."),
    ("zlib", "Zlib."),
)
WRITE: Final = {
    "hex": '{raw}.unpack1("H*")',
    "base64": '[{raw}].pack("m0")',
    "base64url": '[{raw}].pack("m0").tr("+/", "-_").delete("=")',
    "decimal": '{raw}.unpack1("H*").to_i(16).to_s',
    "text": "{raw}",
}
READ: Final = {
    Encoding.HEX: '[{text}].pack("H*")',
    Encoding.BASE64: '{text}.unpack1("m")',
    Encoding.BASE64URL: '{text}.tr("-_", "+/").unpack1("m")',
}
ED25519: Final = """\
prefix = "302a300506032b6570032100" # of a SubjectPublicKeyInfo
key = OpenSSL::PKey.read([prefix].pack("H*") + {raw})"""
KEYS: Final = {
    "hex": ED25519.format(raw='[public_key].pack("H*")'),
    "base64": ED25519.format(raw='public_key.unpack1("m")'),
    "base64-spki": 'key = OpenSSL::PKey.read(public_key.unpack1("m"))',
    "certificate": "key = OpenSSL::X509::Certificate.new(public_key).public_key",
}
CHECKS: Final = {
    Algorithm.ED25519: "key.verify(nil, {raw}, message)",
    Algorithm.ECDSA_P256: 'key.verify("SHA256", {raw}, message)',
    Algorithm.ECDSA_P256_RAW: 'key.verify("SHA256", der({raw}), message)',
    Algorithm.RSA_SHA256: 'key.verify("SHA256", {raw}, message)',
    Algorithm.RSA_SHA1: 'key.verify("SHA1", {raw}, message)',
}
DER: Final = """\
# An ECDSA signature of two numbers as OpenSSL wants it.
def der(raw)
  numbers = [raw[0, 32], raw[32..]].map { |half| OpenSSL::ASN1::Integer(OpenSSL::BN.new(half.to_s, 2)) }
  OpenSSL::ASN1::Sequence(numbers).to_der
end
"""
