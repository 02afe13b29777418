"""Receivers in Go: crypto and what else the standard library has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import indent
from typing import Final

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block, camel, quoted, regex, shifted
from hook_widgets.webhooks.receiving.steps import Body, Join, Step, Text, Value, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm

_FIND: Final = """\
// find gives the rest of the first element that begins with label.
func find(elements []string, label string) string {
	for _, element := range elements {
		if strings.HasPrefix(element, label) {
			return strings.TrimPrefix(element, label)
		}
	}
	return ""
}
"""
_PARSE: Final = """\
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
_VALUE: Final = """\
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
_SORTED: Final = """\
// sortedForm joins all distinct names and values, sorted.
func sortedForm(form url.Values) string {
	distinct := map[string]bool{}
	for name, values := range form {
		for _, value := range values {
			distinct[name+"\\x00"+value] = true
		}
	}
	var pairs []string
	for pair := range distinct {
		pairs = append(pairs, pair)
	}
	sort.Strings(pairs)
	return strings.ReplaceAll(strings.Join(pairs, ""), "\\x00", "")
}
"""
_SORTED_QUERY: Final = """\
// sortedParts sorts the parts of a query.
func sortedParts(query string) string {
	parts := strings.FieldsFunc(query, func(char rune) bool { return char == '&' })
	sort.Strings(parts)
	return strings.Join(parts, "&")
}
"""
_WHEN: Final = """\
// when is text, unless condition is empty.
func when(condition, text string) string {
	if condition == "" {
		return ""
	}
	return text
}
"""
_ESCAPE: Final = """\
// escape percent-encodes all but letters, digits and what is to be kept.
func escape(text, kept string) string {
	var escaped strings.Builder
	for _, char := range []byte(text) {
		letter := 'a' <= char|0x20 && char|0x20 <= 'z' || '0' <= char && char <= '9'
		if letter || strings.IndexByte(kept, char) >= 0 {
			escaped.WriteByte(char)
		} else {
			fmt.Fprintf(&escaped, "%%%02X", char)
		}
	}
	return escaped.String()
}
"""
_PATH: Final = """\
// pathOf is the path of a URL, at least "/".
func pathOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	_, address, _ = strings.Cut(address, "://")
	_, path, _ := strings.Cut(address, "/")
	return "/" + path
}
"""
_HOST: Final = """\
// hostOf is the host of a URL with its port.
func hostOf(address string) string {
	_, address, _ = strings.Cut(address, "://")
	return strings.FieldsFunc(address+"/", func(char rune) bool { return char == '/' || char == '?' })[0]
}
"""
_SIGNED: Final = """\
// signedHeaders are the headers that another one lists, as name:value.
func signedHeaders(headers http.Header, listing string) string {
	names := strings.Split(strings.ToLower(listing), ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	sort.Strings(names)
	for i, name := range names {
		names[i] = name + ":" + strings.TrimSpace(headers.Get(name))
	}
	return strings.Join(names, ";")
}
"""
_HELPERS: Final = (
    ("find(", _FIND),
    ("parse(", _PARSE),
    ("value(", _VALUE),
    ("sortedForm(", _SORTED),
    ("sortedParts(", _SORTED_QUERY),
    ("when(", _WHEN),
    ("escape(", _ESCAPE),
    ("pathOf(", _PATH),
    ("hostOf(", _HOST),
    ("signedHeaders(", _SIGNED),
)
_PACKAGES: Final = (
    "bytes crypto crypto/ecdsa crypto/ed25519 crypto/hmac crypto/md5 crypto/rsa crypto/sha1 crypto/sha256 "
    "crypto/sha512 crypto/subtle crypto/x509 encoding/base64 encoding/hex encoding/json encoding/pem fmt "
    "hash/crc32 math/big net/http net/url regexp sort strconv strings time"
).split()
_HASHES: Final = {
    "sha1": ("sha1.New", "sha1.Sum"),
    "sha256": ("sha256.New", "sha256.Sum256"),
    "sha384": ("sha512.New384", "sha512.Sum384"),
    "sha512": ("sha512.New", "sha512.Sum512"),
    "md5": ("md5.New", "md5.Sum"),
}
_WRITE: Final = {
    "hex": "hex.EncodeToString({raw})",
    "base64": "base64.StdEncoding.EncodeToString({raw})",
    "base64url": "base64.RawURLEncoding.EncodeToString({raw})",
    "decimal": "new(big.Int).SetBytes({raw}).String()",
    "text": "string({raw})",
}
_READ: Final = {
    "hex": "hex.DecodeString({text})",
    "base64": "base64.StdEncoding.DecodeString({text})",
    "base64url": "base64.RawURLEncoding.DecodeString({text})",
}
_ED25519: Final = """\
key, err := @read@
if err != nil || len(key) != ed25519.PublicKeySize {
	return false
}"""
_SPKI: Final = """\
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
_CERTIFICATE: Final = """\
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
_SUMS: Final = {
    Algorithm.ECDSA_P256: "sum := sha256.Sum256(message)",
    Algorithm.ECDSA_P256_RAW: "sum := sha256.Sum256(message)",
    Algorithm.RSA_SHA256: "sum := sha256.Sum256(message)",
    Algorithm.RSA_SHA1: "sum := sha1.Sum(message)",
}
_HALVES: Final = "new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:])"
_CHECKS: Final = {
    Algorithm.ED25519: "ed25519.Verify(key, message, raw)",
    Algorithm.ECDSA_P256: "ecdsa.VerifyASN1(key, sum[:], raw)",
    Algorithm.ECDSA_P256_RAW: f"len(raw) == 64 && ecdsa.Verify(key, sum[:], {_HALVES})",
    Algorithm.RSA_SHA256: "rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], raw) == nil",
    Algorithm.RSA_SHA1: "rsa.VerifyPKCS1v15(key, crypto.SHA1, sum[:], raw) == nil",
}


class Go(Emitter):
    """Go 1.18 and later."""

    title = "Go"
    raw_body = "io.ReadAll(request.Body), before anything decodes it"
    from_env = 'os.Getenv("%s")'
    renamed: Final = {"url": "request_url"}

    def name(self, name: str) -> str:
        return re.sub("(Id|Url|Json)$", lambda m: m[0].upper(), camel(self.renamed.get(name, name)))

    def text(self) -> str:
        kinds = {"headers": "http.Header", "body": "[]byte", "text": "string"}
        arguments = ", ".join(f"{self.name(name)} {kind}" for name, kind in self.arguments(kinds))
        lines = self.statements("\t")
        helpers = [h for mark, h in _HELPERS if re.search(rf"(?<![\w.]){re.escape(mark)}", lines)]
        code = "\n".join([f"func Verify({arguments}) bool {{\n{lines}\n}}\n", *helpers])
        used = [p for p in _PACKAGES if re.search(rf"(?<![\w.\"]){p.rpartition('/')[2]}\.[A-Z]", code)]
        imports = "".join(f'\t"{package}"\n' for package in sorted(used))
        return f"package webhooks\n\nimport (\n{imports})\n\n{self.remarks()}\n{code}"

    # --- expressions -------------------------------------------------------------------------------------

    def run(self, parts: Run) -> str:
        return " + ".join(
            self.name(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts
        )

    def data(self, join: Join) -> str:
        """An expression for bytes."""
        pieces = ["body" if isinstance(run, Body) else f"[]byte({self.run(run)})" for run in join.runs]
        return pieces[0] if len(pieces) == 1 else f"bytes.Join([][]byte{{{', '.join(pieces)}}}, nil)"

    def let(self, variable: str, value: Value) -> str:
        name = self.name(variable)
        match value:
            case steps.Digest("crc32", of, write):
                text = f"crc32.ChecksumIEEE({self.data(of)})"
                form = "%d" if write.value == "decimal" else "%08x"
                return f'{name} := fmt.Sprintf("{form}", {text})'
            case steps.Digest(algorithm, of, write):
                raw = _WRITE[write.value].format(raw=f"{name}Sum[:]")
                return f"{name}Sum := {_HASHES[algorithm][1]}({self.data(of)})\n{name} := {raw}"
            case steps.JsonValue(document, path, missing) if missing:
                found = self._value(steps.JsonValue(document, path))
                return f'{name} := {found}\nif {name} == "" {{\n\t{name} = {quoted(missing)}\n}}'
            case steps.JsonLines(document, names):
                return block(
                    """
                    @name@ := ""
                    for _, line := range []string{@names@} {
                    	if text := value(@document@, line); text != "" {
                    		@name@ += line + "\\n" + text + "\\n"
                    	}
                    }
                    """,
                    document=self.name(document),
                    names=", ".join(map(quoted, names)),
                    name=name,
                )
            case steps.UrlPart("base"):
                return f'{name}, _, _ := strings.Cut(requestURL, "?")'
            case steps.UrlPart("query"):
                return f'_, {name}, _ := strings.Cut(requestURL, "?")'
        return f"{name} := {self._value(value)}"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self.join(value)
            case steps.JsonValue(document, path, _):
                return f"value({', '.join([self.name(document), *(quoted(str(step)) for step in path)])})"
            case steps.FormValue(form, name):
                return f"{self.name(form)}.Get({quoted(name)})"
            case steps.SortedForm(form):
                return f"sortedForm({self.name(form)})"
            case steps.UrlPart("path"):
                return "pathOf(requestURL)"
            case steps.UrlPart():
                return "hostOf(requestURL)"
            case steps.SortedQuery(query):
                return f"sortedParts({self.name(query)})"
            case steps.WhenFilled(condition, text):
                return f"when({self.name(condition)}, {quoted(text)})"
            case steps.Escaped(of, keep):
                return f"escape({self.join(of)}, {quoted(keep)})"
            case steps.SignedHeaders(listing):
                return f"signedHeaders(headers, headers.Get({quoted(listing)}))"
        raise AssertionError(value)

    # --- steps -------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, True):
                return f'{self.name(variable)} := strings.Join(headers.Values({quoted(header)}), ",")'
            case steps.ReadHeader(variable, header):
                return f"{self.name(variable)} := headers.Get({quoted(header)})"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(f"headers.Get({quoted(name)})" for name in names)
                return f"{self.name(variable)} := []string{{{listed}}}"
            case steps.ReadHeaders(variable, _, numbered):
                return block(
                    """
                    var @name@ []string
                    for n := 1; n <= 100; n++ {
                    	@name@ = append(@name@, headers.Get(@header@))
                    }
                    """,
                    name=self.name(variable),
                    header=quoted(numbered).replace("{n}", '"+strconv.Itoa(n)+"').removesuffix('+""'),
                )
            case steps.SplitList(variable, of, separator):
                return block(
                    """
                    @name@ := strings.Split(@of@, @separator@)
                    for i, element := range @name@ {
                    	@name@[i] = strings.TrimSpace(element)
                    }
                    """,
                    name=self.name(variable),
                    of=self.name(of),
                    separator=quoted(separator),
                )
            case steps.FindElement(variable, elements, prefix, until):
                found = f"find({self.name(elements)}, {quoted(prefix)})"
                if until:
                    return f"{self.name(variable)}, _, _ := strings.Cut({found}, {quoted(until)})"
                return f"{self.name(variable)} := {found}"
            case steps.PickElement(variable, elements, position):
                return block(
                    """
                    if len(@elements@) <= @position@ {
                    	return false
                    }
                    @variable@ := @elements@[@position@]
                    """,
                    variable=self.name(variable),
                    elements=self.name(elements),
                    position=str(position),
                )
            case steps.TakeApart(of, shape):
                return self._take_apart(of, shape)
            case steps.ParseJson(variable, source, claims):
                return self._parse_json(self.name(variable), source, claims)
            case steps.ParseForm(variable, source):
                text = "string(body)" if isinstance(source, Body) else self.name(source.name)
                return f"{self.name(variable)}, err := url.ParseQuery({text})\n{_refused('err != nil')}"
            case steps.Let(variable, value):
                return self.let(variable, value)
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return _refused(f"!hmac.Equal([]byte({self.name(left)}), {self.data(right)})")

    def _take_apart(self, of: str, shape: Sequence[Text | Variable | None]) -> str:
        names = [self.name(part.name) for part in shape if isinstance(part, Variable)]
        return block(
            """
            match := regexp.MustCompile(`(?s)^@pattern@$`).FindStringSubmatch(@of@)
            if match == nil {
            	return false
            }
            @names@ := @groups@
            """,
            pattern=regex(shape, ""),
            of=self.name(of),
            names=", ".join(names),
            groups=", ".join(f"match[{n}]" for n in range(1, len(names) + 1)),
        )

    def _parse_json(self, name: str, source: Body | Variable, claims: bool) -> str:  # noqa: FBT001
        text = "body" if isinstance(source, Body) else f"[]byte({self.name(source.name)})"
        lines = []
        if claims and isinstance(source, Variable):
            token = self.name(source.name)
            lines = [
                f'_, payload, _ := strings.Cut({token}, ".")',
                "decoded, err := base64.RawURLEncoding.DecodeString(payload)",
                _refused("err != nil"),
            ]
            text = "decoded"
        return "\n".join([*lines, f"{name} := parse({text})", _refused(f"{name} == nil")])

    def _check_time(self, step: steps.CheckTime) -> str:
        variable, shift = self.name(step.variable), shifted(step.shift_s)
        match step.unit.value:
            case "s" | "ms":
                read, seconds = f"strconv.ParseInt({variable}, 10, 64)", "sent"
                seconds += "/1000" if step.unit.value == "ms" else ""
            case "http-date":
                read, seconds = f"http.ParseTime({variable})", "sent.Unix()"
            case "iso8601-ms-naive":
                read, seconds = f'time.Parse(time.RFC3339, {variable}+"Z")', "sent.Unix()"
            case _:
                read, seconds = f"time.Parse(time.RFC3339, {variable})", "sent.Unix()"
        age = f"time.Now().Unix() - {f'({seconds}{shift})' if shift else seconds}"
        limit = f"age > {step.tolerance_s} || age < -{step.tolerance_s}"
        return f"sent, err := {read}\n{_refused('err != nil')}\n" + _refused(
            f"age := {age}; {limit}"
        ).replace("{\n", "{ // seconds, on both sides\n", 1)

    # --- the signature -----------------------------------------------------------------------------------

    def result(self) -> str:
        return self._public() if self.is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        lines = [_refused('secret == ""'), *self._key()]
        made = _WRITE[program.encoding.value]
        if program.algorithm is Algorithm.TOKEN:
            text = "secret" if program.encoding is Encoding.TEXT else made.format(raw="[]byte(secret)")
        else:
            lines += self._mac(self._key_name)
            text = made.format(raw="mac.Sum(nil)")
        before = f"{self.join(shown.before)} + " if shown.before.parts else ""
        after = f" + {quoted(shown.after)}" if shown.after else ""
        lines.append(f"expected := {before}{text}{after}")
        variable = self.name(shown.variable)
        if shown.several:
            lines.append(
                block(
                    """
                    for _, element := range @variable@ {
                    	if hmac.Equal([]byte(element), []byte(expected)) {
                    		return true
                    	}
                    }
                    return false
                    """,
                    variable=variable,
                )
            )
        else:
            lines.append(f"return hmac.Equal([]byte({variable}), []byte(expected))")
        return "\n".join(lines)

    def _mac(self, key: str) -> list[str]:
        algorithm = self.program.algorithm
        pieces = [
            "mac.Write(body)" if isinstance(run, Body) else f"mac.Write([]byte({self.run(run)}))"
            for run in self.program.message.runs
        ]
        if algorithm.digest is not None:
            return [f"mac := hmac.New({_HASHES[algorithm.digest][0]}, {key})", *pieces]
        name, _, place = algorithm.value.partition("-")
        own = f"mac.Write({key})"
        return [f"mac := {_HASHES[name][0]}()", *([own, *pieces] if place == "prefix" else [*pieces, own])]

    @property
    def _key_name(self) -> str:
        plain = self.program.key.form is KeyForm.UTF8 and not self.program.key.digest
        return "[]byte(secret)" if plain else "key"

    def _key(self) -> list[str]:
        key = self.program.key
        lines: list[str] = []
        if key.normalize:  # not in Go's standard library; ASCII stays as it is
            normal = f"norm.{key.normalize}.String(secret)"
            lines.append(
                f"// A secret with letters beyond ASCII: {normal} of golang.org/x/text/unicode/norm first."
            )
        if key.form is not KeyForm.UTF8:
            prefix = (
                f"strings.TrimPrefix(secret, {quoted(key.strip_prefix)})" if key.strip_prefix else "secret"
            )
            lines += [f"key, err := {_READ[key.form.value].format(text=prefix)}", _refused("err != nil")]
        if key.digest:
            lines.append(f"keySum := {_HASHES[key.digest][1]}([]byte(secret))\nkey := keySum[:]")
        return lines if self.program.algorithm is not Algorithm.TOKEN else []

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        form = program.public_form.value if program.public_form else ""
        kind = "rsa" if "rsa" in program.algorithm.value else "ecdsa"
        loaders = {"base64-spki": _SPKI, "certificate": _CERTIFICATE}
        lines = [
            loaders.get(form, _ED25519)
            .replace("@type@", kind)
            .replace("@read@", _READ.get(form, "").format(text="publicKey")),
            f"message := {self.data(program.message)}",
        ]
        if program.algorithm in _SUMS:
            lines.append(_SUMS[program.algorithm])
        text = "element" if shown.several else self.name(shown.variable)
        text = f"strings.TrimPrefix({text}, {quoted(shown.prefix)})" if shown.prefix else text
        text = f"strings.TrimSuffix({text}, {quoted(shown.after)})" if shown.after else text
        read, check = _READ[program.encoding.value].format(text=text), _CHECKS[program.algorithm]
        if shown.several:
            inside = f"raw, err := {read}\nif err == nil && {check} {{\n\treturn true\n}}"
            variable = self.name(shown.variable)
            lines.append(f"for _, element := range {variable} {{\n{indent(inside, chr(9))}\n}}\nreturn false")
        else:
            lines.append(f"raw, err := {read}\nreturn err == nil && {check}")
        return "\n".join(lines)


def _refused(condition: str) -> str:
    return f"if {condition} {{\n\treturn false\n}}"
