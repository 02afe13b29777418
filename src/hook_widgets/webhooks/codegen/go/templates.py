"""Parts of Go receivers that do not depend on the scheme."""

from __future__ import annotations

from typing import Final

from hook_widgets.webhooks.keys.signing import Algorithm

FIND: Final = """\
// find gives the rest of the element that begins with label, up to until; several that differ, joined.
func find(elements []string, label, until string) string {
	var rests []string
	for _, element := range elements {
		if strings.HasPrefix(element, label) {
			rest := strings.TrimPrefix(element, label)
			if until != "" {
				rest, _, _ = strings.Cut(rest, until)
			}
			if len(rests) == 0 || rests[0] != rest {
				rests = append(rests, rest)
			}
		}
	}
	return strings.Join(rests, ", ")
}
"""
PARAMETER: Final = """\
// parameter gives the one value of a name; nothing when it is not there or there twice.
func parameter(form url.Values, name string) string {
	if len(form[name]) != 1 {
		return ""
	}
	return form[name][0]
}
"""
PARSE: Final = """\
// parse reads a JSON document; nil when it is none.
func parse(data []byte) any {
	var document any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if decoder.Decode(&document) != nil {
		return nil
	}
	return document
}
"""
VALUE: Final = """\
// value is the text of one value of a JSON document, "" when it is not there.
func value(document any, path ...string) string {
	for _, step := range path {
		switch node := document.(type) {
		case map[string]any:
			document = node[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(node) {
				return ""
			}
			document = node[i]
		default:
			return ""
		}
	}
	if document == nil {
		return ""
	}
	return fmt.Sprint(document)
}
"""
SORTED: Final = """\
// sortedForm joins all distinct names and values, sorted.
func sortedForm(form url.Values) string {
	var names []string
	for name := range form {
		names = append(names, name)
	}
	sort.Strings(names)
	var joined strings.Builder
	for _, name := range names {
		values := append([]string(nil), form[name]...)
		sort.Strings(values)
		for i, value := range values {
			if i == 0 || value != values[i-1] {
				joined.WriteString(name + value)
			}
		}
	}
	return joined.String()
}
"""
SORTED_QUERY: Final = """\
// sortedParts sorts the parts of a query.
func sortedParts(query string) string {
	parts := strings.FieldsFunc(query, func(char rune) bool { return char == '&' })
	sort.Strings(parts)
	return strings.Join(parts, "&")
}
"""
WHEN: Final = """\
// when is text, unless condition is empty.
func when(condition, text string) string {
	if condition == "" {
		return ""
	}
	return text
}
"""
ESCAPE: Final = """\
// escape percent-encodes all but letters, digits and the characters in unescaped.
func escape(text, unescaped string) string {
	var escaped strings.Builder
	for _, char := range []byte(text) {
		letter := 'a' <= char|0x20 && char|0x20 <= 'z' || '0' <= char && char <= '9'
		if letter || strings.IndexByte(unescaped, char) >= 0 {
			escaped.WriteByte(char)
		} else {
			fmt.Fprintf(&escaped, "%%%02X", char)
		}
	}
	return escaped.String()
}
"""
PATH: Final = """\
// pathOf is the path of a URL, at least "/".
func pathOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	_, address, _ = strings.Cut(address, "://")
	_, path, _ := strings.Cut(address, "/")
	return "/" + path
}
"""
HOST: Final = """\
// hostOf is the host of a URL with its port.
func hostOf(address string) string {
	_, address, _ = strings.Cut(address, "://")
	host, _, _ := strings.Cut(address, "/")
	host, _, _ = strings.Cut(host, "?")
	return host
}
"""
SIGNED: Final = """\
// signedHeaders are the headers that another one lists, as name:value.
func signedHeaders(headers http.Header, listing string) string {
	names := strings.Split(strings.ToLower(listing), ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	sort.Strings(names)
	for i, name := range names {
		names[i] = name + ":" + strings.TrimSpace(strings.Join(headers.Values(name), ", "))
	}
	return strings.Join(names, ";")
}
"""
HELPERS: Final = (
    ("find(", FIND),
    ("parameter(", PARAMETER),
    ("parse(", PARSE),
    ("value(", VALUE),
    ("sortedForm(", SORTED),
    ("sortedParts(", SORTED_QUERY),
    ("when(", WHEN),
    ("escape(", ESCAPE),
    ("pathOf(", PATH),
    ("hostOf(", HOST),
    ("signedHeaders(", SIGNED),
)
PACKAGES: Final = [
    "bytes",
    "crypto",
    "crypto/ecdsa",
    "crypto/ed25519",
    "crypto/hmac",
    "crypto/md5",
    "crypto/rsa",
    "crypto/sha1",
    "crypto/sha256",
    "crypto/sha512",
    "crypto/subtle",
    "crypto/x509",
    "encoding/base64",
    "encoding/hex",
    "encoding/json",
    "encoding/pem",
    "fmt",
    "hash/crc32",
    "math/big",
    "net/http",
    "net/url",
    "regexp",
    "sort",
    "strconv",
    "strings",
    "time",
]
HASHES: Final = {
    "sha1": ("sha1.New", "sha1.Sum"),
    "sha256": ("sha256.New", "sha256.Sum256"),
    "sha384": ("sha512.New384", "sha512.Sum384"),
    "sha512": ("sha512.New", "sha512.Sum512"),
    "md5": ("md5.New", "md5.Sum"),
}
WRITE: Final = {
    "hex": "hex.EncodeToString({raw})",
    "base64": "base64.StdEncoding.EncodeToString({raw})",
    "base64url": "base64.RawURLEncoding.EncodeToString({raw})",
    "decimal": "new(big.Int).SetBytes({raw}).String()",
    "text": "string({raw})",
}
READ: Final = {
    "hex": "hex.DecodeString({text})",
    "base64": "base64.StdEncoding.DecodeString({text})",
    "base64url": "base64.RawURLEncoding.DecodeString({text})",
}
ED25519: Final = """\
key, err := @read@
if err != nil || len(key) != ed25519.PublicKeySize {
	return false
}"""
SPKI: Final = """\
der, err := base64.StdEncoding.DecodeString(publicKey)
if err != nil {
	return false
}
parsed, err := x509.ParsePKIXPublicKey(der)
if err != nil {
	return false
}
key, ok := parsed.(*@type@.PublicKey)
if !ok {
	return false
}"""
CERTIFICATE: Final = """\
block, _ := pem.Decode([]byte(publicKey))
if block == nil {
	return false
}
certificate, err := x509.ParseCertificate(block.Bytes)
if err != nil {
	return false
}
key, ok := certificate.PublicKey.(*@type@.PublicKey)
if !ok {
	return false
}"""
SUMS: Final = {
    Algorithm.ECDSA_P256: "sum := sha256.Sum256(message)",
    Algorithm.ECDSA_P256_RAW: "sum := sha256.Sum256(message)",
    Algorithm.RSA_SHA256: "sum := sha256.Sum256(message)",
    Algorithm.RSA_SHA1: "sum := sha1.Sum(message)",
}
HALVES: Final = "new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:])"
CHECKS: Final = {
    Algorithm.ED25519: "ed25519.Verify(key, message, raw)",
    Algorithm.ECDSA_P256: "ecdsa.VerifyASN1(key, sum[:], raw)",
    Algorithm.ECDSA_P256_RAW: f"len(raw) == 64 && ecdsa.Verify(key, sum[:], {HALVES})",
    Algorithm.RSA_SHA256: "rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], raw) == nil",
    Algorithm.RSA_SHA1: "rsa.VerifyPKCS1v15(key, crypto.SHA1, sum[:], raw) == nil",
}
