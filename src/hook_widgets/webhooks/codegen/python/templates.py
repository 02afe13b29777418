"""Parts of Python receivers that do not depend on the scheme."""

from __future__ import annotations

from typing import Final

from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding

VALUE: Final = '''\
def value(document, *path):
    """The text of one value of a JSON document, "" when it is not there."""
    try:
        for step in path:
            document = document[step]
        str(document).encode()
    except (LookupError, TypeError, UnicodeEncodeError):  # not there, or half a character
        return ""
    if isinstance(document, bool):
        return str(document).lower()
    return "" if document is None else str(document)
'''

PARAMETER: Final = '''\
def parameter(form, name):
    """The one value of this name in a form, "" when it is not there or there twice."""
    values = [value for key, value in form if key == name]
    return values[0] if len(values) == 1 else ""
'''

DIGEST: Final = {
    "hex": "hashlib.{hash}({data}).hexdigest()",
    "base64": "base64.b64encode(hashlib.{hash}({data}).digest()).decode()",
    "base64url": 'base64.urlsafe_b64encode(hashlib.{hash}({data}).digest()).rstrip(b"=").decode()',
    "decimal": "str(int.from_bytes(hashlib.{hash}({data}).digest()))",
}
CRC32: Final = {"decimal": "str(zlib.crc32({data}))", "hex": 'format(zlib.crc32({data}), "08x")'}

ENCODE: Final = {
    Encoding.HEX: "{raw}.hex()",
    Encoding.BASE64: "base64.b64encode({raw}).decode()",
    Encoding.BASE64URL: 'base64.urlsafe_b64encode({raw}).rstrip(b"=").decode()',
    Encoding.TEXT: "{raw}.decode()",
}
DECODE: Final = {
    Encoding.HEX: "bytes.fromhex({text})",
    Encoding.BASE64: "base64.b64decode({text}, validate=True)",
    Encoding.BASE64URL: 'base64.urlsafe_b64decode({text} + "==")',
}
MACS: Final = {
    Algorithm.SHA256_PREFIX: "hashlib.sha256(key + {message}).digest()",
    Algorithm.SHA256_SUFFIX: "hashlib.sha256({message} + key).digest()",
    Algorithm.SHA1_SUFFIX: "hashlib.sha1({message} + key).digest()",
}
SPKI: Final = "serialization.load_der_public_key(base64.b64decode(public_key))"
CERTIFICATE: Final = "x509.load_pem_x509_certificate(public_key.encode()).public_key()"
RAW_ECDSA: Final = "utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))"
CHECKS: Final = {
    Algorithm.ED25519: "key.verify(raw, message)",
    Algorithm.ECDSA_P256: "key.verify(raw, message, ec.ECDSA(hashes.SHA256()))",
    Algorithm.ECDSA_P256_RAW: f"key.verify({RAW_ECDSA}, message, ec.ECDSA(hashes.SHA256()))",
    Algorithm.RSA_SHA256: "key.verify(raw, message, padding.PKCS1v15(), hashes.SHA256())",
    Algorithm.RSA_SHA1: "key.verify(raw, message, padding.PKCS1v15(), hashes.SHA1())",
}
CRYPTOGRAPHY: Final = "from cryptography.hazmat.primitives"
MODULES: Final = {
    "ed25519.": f"{CRYPTOGRAPHY}.asymmetric import ed25519",
    "ec.": f"{CRYPTOGRAPHY}.asymmetric import ec",
    "padding.": f"{CRYPTOGRAPHY}.asymmetric import padding",
    "utils.": f"{CRYPTOGRAPHY}.asymmetric import utils",
    "hashes.": f"{CRYPTOGRAPHY} import hashes",
    "serialization.": f"{CRYPTOGRAPHY} import serialization",
    "x509.": "from cryptography import x509",
    "InvalidSignature": "from cryptography.exceptions import InvalidSignature",
}
STANDARD: Final = ("base64", "hashlib", "hmac", "json", "re", "time", "unicodedata", "zlib")
