"""Parts of Java receivers that do not depend on the scheme."""

from __future__ import annotations

from typing import Final

from hook_widgets.webhooks.keys.signing import Algorithm

EQUAL: Final = """\
private static boolean equal(String left, String right) {
    return MessageDigest.isEqual(utf8(left), utf8(right));
}
"""
UTF8: Final = """\
private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
}
"""
CONCAT: Final = """\
private static byte[] concat(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
        all.writeBytes(piece);
    }
    return all.toByteArray();
}
"""
CRC32: Final = """\
private static long crc32(byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(data);
    return crc.getValue();
}
"""
FORM: Final = """\
/** Names and values of a form, in their order. */
private static List<String[]> form(String text) {
    return Arrays.stream(text.split("&"))
            .filter(pair -> !pair.isEmpty())
            .map(pair -> (pair + (pair.contains("=") ? "" : "=")).split("=", 2))
            .map(pair -> new String[] {
                URLDecoder.decode(pair[0], StandardCharsets.UTF_8),
                URLDecoder.decode(pair[1], StandardCharsets.UTF_8)
            })
            .toList();
}
"""
PARAMETER: Final = """\
private static String parameter(List<String[]> form, String name) {
    List<String> values = form.stream()
            .filter(pair -> pair[0].equals(name))
            .map(pair -> pair[1])
            .toList();
    return values.size() == 1 ? values.get(0) : "";
}
"""
SORTED: Final = """\
private static String sortedForm(List<String[]> form) {
    return form.stream()
            .map(Arrays::asList)
            .distinct()
            .sorted(Comparator.<List<String>, String>comparing(pair -> pair.get(0))
                    .thenComparing(pair -> pair.get(1)))
            .map(pair -> pair.get(0) + pair.get(1))
            .collect(Collectors.joining());
}
"""
ESCAPE: Final = """\
/** Percent-encodes all but letters, digits and the characters in {@code unescaped}. */
private static String escape(String text, String unescaped) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : utf8(text)) {
        boolean letter = b >= 0 && b < 128 && Character.isLetterOrDigit(b);
        boolean stays = letter || unescaped.indexOf(b) >= 0;
        escaped.append(stays ? String.valueOf((char) b) : String.format("%%%02X", b & 0xff));
    }
    return escaped.toString();
}
"""
HELPERS: Final = (
    ("crc32(", CRC32),
    ("form(", FORM),
    ("parameter(", PARAMETER),
    ("sortedForm(", SORTED),
    ("escape(", ESCAPE),
    ("concat(", CONCAT),
    ("equal(", EQUAL),
    ("utf8(", UTF8),
)
CLASSES: Final = [
    "com.fasterxml.jackson.databind.JsonNode",
    "com.fasterxml.jackson.databind.ObjectMapper",
    "java.io.ByteArrayInputStream",
    "java.io.ByteArrayOutputStream",
    "java.io.IOException",
    "java.math.BigInteger",
    "java.net.URLDecoder",
    "java.nio.charset.StandardCharsets",
    "java.security.GeneralSecurityException",
    "java.security.KeyFactory",
    "java.security.MessageDigest",
    "java.security.PublicKey",
    "java.security.Signature",
    "java.security.SignatureException",
    "java.security.cert.CertificateFactory",
    "java.security.spec.X509EncodedKeySpec",
    "java.text.Normalizer",
    "java.time.Instant",
    "java.time.OffsetDateTime",
    "java.time.DateTimeException",
    "java.time.ZonedDateTime",
    "java.time.format.DateTimeFormatter",
    "java.util.Arrays",
    "java.util.Base64",
    "java.util.Comparator",
    "java.util.HexFormat",
    "java.util.List",
    "java.util.Objects",
    "java.util.function.UnaryOperator",
    "java.util.regex.Matcher",
    "java.util.regex.Pattern",
    "java.util.stream.Collectors",
    "java.util.stream.IntStream",
    "java.util.zip.CRC32",
    "javax.crypto.Mac",
    "javax.crypto.spec.SecretKeySpec",
]
HASHES: Final = {
    "sha1": "SHA-1",
    "sha256": "SHA-256",
    "sha384": "SHA-384",
    "sha512": "SHA-512",
    "md5": "MD5",
}
WRITE: Final = {
    "hex": "HexFormat.of().formatHex({raw})",
    "base64": "Base64.getEncoder().encodeToString({raw})",
    "base64url": "Base64.getUrlEncoder().withoutPadding().encodeToString({raw})",
    "decimal": "new BigInteger(1, {raw}).toString()",
    "text": "new String({raw}, StandardCharsets.UTF_8)",
}
READ: Final = {
    "hex": "HexFormat.of().parseHex({text})",
    "base64": "Base64.getDecoder().decode({text})",
    "base64url": "Base64.getUrlDecoder().decode({text})",
}
SPKI: Final = 'KeyFactory.getInstance("@type@").generatePublic(new X509EncodedKeySpec(der))'
ED25519: Final = 'byte[] der = concat(HexFormat.of().parseHex("302a300506032b6570032100"), raw);'
CERTIFICATE: Final = (
    'CertificateFactory.getInstance("X.509")\n'
    "        .generateCertificate(new ByteArrayInputStream(utf8(publicKey))).getPublicKey()"
)
SIGNATURES: Final = {
    Algorithm.ED25519: ("Ed25519", "Ed25519"),
    Algorithm.ECDSA_P256: ("EC", "SHA256withECDSA"),
    Algorithm.ECDSA_P256_RAW: ("EC", "SHA256withECDSAinP1363Format"),
    Algorithm.RSA_SHA256: ("RSA", "SHA256withRSA"),
    Algorithm.RSA_SHA1: ("RSA", "SHA1withRSA"),
}
CHECK: Final = """\
private static boolean belongs(String presented, PublicKey key, byte[] message)
        throws GeneralSecurityException {
    Signature signature = Signature.getInstance("@algorithm@");
    signature.initVerify(key);
    signature.update(message);
    try {
        byte[] raw = @raw@;
        return @spelt@signature.verify(raw);
    } catch (SignatureException | IllegalArgumentException noSignature) {
        return false;
    }
}
"""
