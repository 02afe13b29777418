"""Go: steps, and the signature."""

from __future__ import annotations

import re
from textwrap import indent
from typing import ClassVar

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import block, camel, quoted, regex, shifted
from hook_widgets.webhooks.receiving.go.expressions import GoExpressions, tight
from hook_widgets.webhooks.receiving.go.templates import (
    CERTIFICATE,
    CHECKS,
    ED25519,
    HASHES,
    HELPERS,
    PACKAGES,
    READ,
    SPKI,
    SUMS,
    WRITE,
)
from hook_widgets.webhooks.receiving.steps import Step
from hook_widgets.webhooks.receiving.values import Body, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm


class Go(GoExpressions):
    """Go 1.18 and later."""

    title = "Go"
    raw_body = "io.ReadAll(request.Body), before anything decodes it"
    all_headers = "request.Header"
    from_env = 'os.Getenv("%s")'
    guard = 'if secret == "" {\n\treturn false\n}'
    renamed: ClassVar[dict[str, str]] = {"url": "request_url"}

    def _name(self, name: str) -> str:
        return re.sub("(Id|Url|Json)$", lambda m: m[0].upper(), camel(self.renamed.get(name, name)))

    def _text(self) -> str:
        kinds = {"headers": "http.Header", "body": "[]byte", "text": "string"}
        arguments = ", ".join(f"{self._name(name)} {kind}" for name, kind in self._arguments(kinds))
        lines = self._statements("\t")
        helpers = [h for mark, h in HELPERS if re.search(rf"(?<![\w.]){re.escape(mark)}", lines)]
        code = "\n".join([f"func Verify({arguments}) bool {{\n{lines}\n}}\n", *helpers])
        used = [p for p in PACKAGES if re.search(rf"(?<![\w.\"]){p.rpartition('/')[2]}\.[A-Z]", code)]
        imports = "".join(f'\t"{package}"\n' for package in sorted(used))
        return f"package webhooks\n\nimport (\n{imports})\n\n{self._remarks()}\n{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, True):
                return f'{self._name(variable)} := strings.Join(headers.Values({quoted(header)}), ",")'
            case steps.ReadHeader(variable, header):
                return f"{self._name(variable)} := headers.Get({quoted(header)})"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(f"headers.Get({quoted(name)})" for name in names)
                return f"{self._name(variable)} := []string{{{listed}}}"
            case steps.ReadHeaders(variable, _, numbered):
                return block(
                    """
                    var @name@ []string
                    for n := 1; n <= 100; n++ {
                    \t@name@ = append(@name@, headers.Get(@header@))
                    }
                    """,
                    name=self._name(variable),
                    header=quoted(numbered).replace("{n}", '"+strconv.Itoa(n)+"').removesuffix('+""'),
                )
            case steps.SplitList(variable, of, separator):
                return block(
                    """
                    @name@ := strings.Split(@of@, @separator@)
                    for i, element := range @name@ {
                    \t@name@[i] = strings.TrimSpace(element)
                    }
                    """,
                    name=self._name(variable),
                    of=self._name(of),
                    separator=quoted(separator),
                )
            case steps.FindElement(variable, elements, prefix, until):
                found = f"find({self._name(elements)}, {quoted(prefix)})"
                if until:
                    return f"{self._name(variable)}, _, _ := strings.Cut({found}, {quoted(until)})"
                return f"{self._name(variable)} := {found}"
            case steps.PickElement(variable, elements, position):
                return block(
                    """
                    if len(@elements@) <= @position@ {
                    \treturn false
                    }
                    @variable@ := @elements@[@position@]
                    """,
                    variable=self._name(variable),
                    elements=self._name(elements),
                    position=str(position),
                )
            case steps.TakeApart():
                return self._take_apart(step)
            case steps.ParseJson():
                return self._parse_json(step)
            case steps.ParseForm(variable, source):
                text = "string(body)" if isinstance(source, Body) else self._name(source.name)
                return f"{self._name(variable)}, err := url.ParseQuery({text})\n{_refused('err != nil')}"
            case steps.Let(variable, value):
                return self._let(variable, value)
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return _refused(f"!hmac.Equal([]byte({self._name(left)}), {tight(self._data(right))})")

    def _take_apart(self, step: steps.TakeApart) -> str:
        names = [self._name(part.name) for part in step.shape if isinstance(part, Variable)]
        return block(
            """
            @match@ := regexp.MustCompile(`(?s)^@pattern@$`).FindStringSubmatch(@of@)
            if @match@ == nil {
            \treturn false
            }
            @names@ := @groups@
            """,
            pattern=regex(step.shape, "").replace("`", "\\x60"),
            of=self._name(step.of),
            names=", ".join(names),
            groups=", ".join(f"{self._name(step.match)}[{n}]" for n in range(1, len(names) + 1)),
            match=self._name(step.match),
        )

    def _parse_json(self, step: steps.ParseJson) -> str:
        name, source = self._name(step.variable), step.source
        text = "body" if isinstance(source, Body) else f"[]byte({self._name(source.name)})"
        lines = []
        if step.claims and isinstance(source, Variable):
            lines = [
                f'_, claimsText, _ := strings.Cut({self._name(source.name)}, ".")',
                "decoded, err := base64.RawURLEncoding.DecodeString(claimsText)",
                _refused("err != nil"),
            ]
            text = "decoded"
        return "\n".join([*lines, f"{name} := parse({text})", _refused(f"{name} == nil")])

    def _check_time(self, step: steps.CheckTime) -> str:
        variable, shift = self._name(step.variable), shifted(step.shift_s)
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

    def _result(self) -> str:
        return self._public() if self._is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        lines = self._key()
        made = WRITE[program.encoding.value]
        if program.algorithm is Algorithm.TOKEN:
            text = "secret" if program.encoding is Encoding.TEXT else made.format(raw="[]byte(secret)")
        else:
            lines += self._mac(self._key_bytes)
            text = made.format(raw="mac.Sum(nil)")
        before = f"{self._join(shown.before)} + " if shown.before.parts else ""
        after = f" + {quoted(shown.after)}" if shown.after else ""
        lines.append(f"expected := {before}{text}{after}")
        variable = self._name(shown.variable)
        if shown.several:
            lines.append(
                block(
                    """
                    for _, element := range @variable@ {
                    \tif hmac.Equal([]byte(element), []byte(expected)) {
                    \t\treturn true
                    \t}
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
            "mac.Write(body)" if isinstance(run, Body) else f"mac.Write([]byte({self._run(run)}))"
            for run in self.program.message.runs
        ]
        if algorithm.digest is not None:
            return [f"mac := hmac.New({HASHES[algorithm.digest][0]}, {key})", *pieces]
        name, _, place = algorithm.value.partition("-")
        own = f"mac.Write({key})"
        return [f"mac := {HASHES[name][0]}()", *([own, *pieces] if place == "prefix" else [*pieces, own])]

    @property
    def _key_bytes(self) -> str:
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
            name = "decoded" if key.digest else "key"
            lines += [f"{name}, err := {READ[key.form.value].format(text=prefix)}", _refused("err != nil")]
        if key.digest:
            data = "[]byte(secret)" if key.form is KeyForm.UTF8 else "decoded"
            lines.append(f"keySum := {HASHES[key.digest][1]}({data})\nkey := keySum[:]")
        return lines if self.program.algorithm is not Algorithm.TOKEN else []

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        form = program.public_form.value if program.public_form else ""
        kind = "rsa" if "rsa" in program.algorithm.value else "ecdsa"
        loaders = {"base64-spki": SPKI, "certificate": CERTIFICATE}
        lines = [
            loaders.get(form, ED25519)
            .replace("@type@", kind)
            .replace("@read@", READ.get(form, "").format(text="publicKey")),
            f"message := {self._data(program.message)}",
        ]
        if program.algorithm in SUMS:
            lines.append(SUMS[program.algorithm])
        text = "element" if shown.several else self._name(shown.variable)
        text = f"strings.TrimPrefix({text}, {quoted(shown.prefix)})" if shown.prefix else text
        text = f"strings.TrimSuffix({text}, {quoted(shown.after)})" if shown.after else text
        read, check = READ[program.encoding.value].format(text=text), CHECKS[program.algorithm]
        if shown.several:
            inside = f"raw, err := {read}\nif err == nil && {check} {{\n\treturn true\n}}"
            variable = self._name(shown.variable)
            lines.append(f"for _, element := range {variable} {{\n{indent(inside, chr(9))}\n}}\nreturn false")
        else:
            lines.append(f"raw, err := {read}\nreturn err == nil && {check}")
        return "\n".join(lines)


def _refused(condition: str) -> str:
    return f"if {condition} {{\n\treturn false\n}}"
