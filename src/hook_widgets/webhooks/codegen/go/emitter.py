"""Emit Go code for the steps and the signature check."""

from __future__ import annotations

import re
from typing import ClassVar

from hook_widgets.webhooks.codegen import ir
from hook_widgets.webhooks.codegen.backend import block, camel, indent, quoted, regex, shift_expression
from hook_widgets.webhooks.codegen.go.expressions import GoExpressions, compact, header_value
from hook_widgets.webhooks.codegen.go.templates import (
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
from hook_widgets.webhooks.codegen.ir import Step
from hook_widgets.webhooks.codegen.ir_values import Body, Variable
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding


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

    def _snippet(self) -> str:
        kinds = {"headers": "http.Header", "body": "[]byte", "text": "string"}
        arguments = ", ".join(f"{self._name(name)} {kind}" for name, kind in self._arguments(kinds))
        lines = self._statements("\t")
        helpers = [h for mark, h in HELPERS if re.search(rf"(?<![\w.]){re.escape(mark)}", lines)]
        code = "\n".join([f"func Verify({arguments}) bool {{\n{lines}\n}}\n", *helpers])
        used = [p for p in PACKAGES if re.search(rf"(?<![\w.\"]){p.rpartition('/')[2]}\.[A-Z]", code)]
        imports = "".join(f'\t"{package}"\n' for package in sorted(used))
        return f"package webhooks\n\nimport (\n{imports})\n\n{self._header_comment()}\n{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case ir.ReadHeader(variable, header):
                return f"{self._name(variable)} := {header_value(quoted(header))}"
            case ir.ReadHeaders(variable, names, ""):
                listed = ", ".join(header_value(quoted(name)) for name in names)
                return f"{self._name(variable)} := []string{{{listed}}}"
            case ir.ReadHeaders(variable, _, numbered):
                return block(
                    """
                    var @name@ []string
                    for n := 1; n <= 100; n++ {
                    \t@name@ = append(@name@, @header@)
                    }
                    """,
                    name=self._name(variable),
                    header=header_value(
                        quoted(numbered).replace("{n}", '"+strconv.Itoa(n)+"').removesuffix('+""')
                    ),
                )
            case ir.SplitList(variable, source, separator):
                return block(
                    """
                    @name@ := strings.Split(@source@, @separator@)
                    for i, element := range @name@ {
                    \t@name@[i] = strings.TrimSpace(element)
                    }
                    """,
                    name=self._name(variable),
                    source=self._name(source),
                    separator=quoted(separator),
                )
            case ir.FindElement(variable, elements, prefix, until):
                call = f"find({self._name(elements)}, {quoted(prefix)}, {quoted(until)})"
                return f"{self._name(variable)} := {call}"
            case ir.PickElement(variable, elements, position):
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
            case ir.MatchPattern():
                return self._match_pattern(step)
            case ir.ParseJson():
                return self._parse_json(step)
            case ir.ParseForm(variable, source):
                text = "string(body)" if isinstance(source, Body) else self._name(source.name)
                return f"{self._name(variable)}, err := url.ParseQuery({text})\n{_reject_if('err != nil')}"
            case ir.Let(variable, value):
                return self._let(variable, value)
            case ir.CheckTime():
                return self._check_time(step)
            case ir.CheckEqual(left, right):
                return _reject_if(f"!hmac.Equal([]byte({self._name(left)}), {compact(self._data(right))})")
            case ir.CheckEmpty(source):
                return _reject_if(
                    f"len({'body' if isinstance(source, Body) else self._name(source.name)}) > 0"
                )

    def _match_pattern(self, step: ir.MatchPattern) -> str:
        names = [self._name(part.name) for part in step.shape if isinstance(part, Variable)]
        return block(
            """
            @match@ := regexp.MustCompile(`(?s)^@pattern@$`).FindStringSubmatch(@source@)
            if @match@ == nil {
            \treturn false
            }
            @names@ := @groups@
            """,
            pattern=regex(step.shape, "").replace("`", "\\x60"),
            source=self._name(step.source),
            names=", ".join(names),
            groups=", ".join(f"{self._name(step.match)}[{n}]" for n in range(1, len(names) + 1)),
            match=self._name(step.match),
        )

    def _parse_json(self, step: ir.ParseJson) -> str:
        name, source = self._name(step.variable), step.source
        text = "body" if isinstance(source, Body) else f"[]byte({self._name(source.name)})"
        lines = []
        if step.claims and isinstance(source, Variable):
            lines = [
                f'_, claimsText, _ := strings.Cut({self._name(source.name)}, ".")',
                "decoded, err := base64.RawURLEncoding.DecodeString(claimsText)",
                _reject_if("err != nil"),
            ]
            text = "decoded"
        return "\n".join([*lines, f"{name} := parse({text})", _reject_if(f"{name} == nil")])

    def _check_time(self, step: ir.CheckTime) -> str:
        variable, shift = self._name(step.variable), shift_expression(step.shift_s)
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
        return f"sent, err := {read}\n{_reject_if('err != nil')}\n" + _reject_if(
            f"age := {age}; {limit}"
        ).replace("{\n", "{ // seconds, on both sides\n", 1)

    # --- the signature -----------------------------------------------------------------------------------

    def _signature_check(self) -> str:
        return self._public_key_check() if self._has_public_key else self._secret_check()

    def _secret_check(self) -> str:
        program, presented = self.program, self.program.presented
        lines = self._key()
        encode = WRITE[program.encoding.value]
        if program.algorithm is Algorithm.TOKEN:
            text = "secret" if program.encoding is Encoding.TEXT else encode.format(raw="[]byte(secret)")
        else:
            lines += self._mac(self._key_bytes)
            text = encode.format(raw="mac.Sum(nil)")
        before = f"{self._join(presented.before)} + " if presented.before.parts else ""
        after = f" + {quoted(presented.after)}" if presented.after else ""
        lines.append(f"expected := {before}{text}{after}")
        variable = self._name(presented.variable)
        if presented.is_list:
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
            "mac.Write(body)" if isinstance(run, Body) else f"mac.Write([]byte({self._concat(run)}))"
            for run in self.program.message.runs
        ]
        if algorithm.digest is not None:
            return [f"mac := hmac.New({HASHES[algorithm.digest][0]}, {key})", *pieces]
        name, _, place = algorithm.value.partition("-")
        add_key = f"mac.Write({key})"
        updates = [add_key, *pieces] if place == "prefix" else [*pieces, add_key]
        return [f"mac := {HASHES[name][0]}()", *updates]

    @property
    def _key_bytes(self) -> str:
        plain = self.program.key.form is KeyForm.UTF8 and not self.program.key.digest
        return "[]byte(secret)" if plain else "key"

    def _key(self) -> list[str]:
        key = self.program.key
        lines: list[str] = []
        if key.normalize:  # not in Go's standard library; only needed beyond ASCII
            normal = f"norm.{key.normalize}.String(secret)"
            lines.append(
                f"// A secret with letters beyond ASCII: {normal} of golang.org/x/text/unicode/norm first."
            )
        if key.form is not KeyForm.UTF8:
            prefix = (
                f"strings.TrimPrefix(secret, {quoted(key.strip_prefix)})" if key.strip_prefix else "secret"
            )
            name = "decoded" if key.digest else "key"
            lines += [f"{name}, err := {READ[key.form.value].format(text=prefix)}", _reject_if("err != nil")]
        if key.digest:
            data = "[]byte(secret)" if key.form is KeyForm.UTF8 else "decoded"
            lines.append(f"keySum := {HASHES[key.digest][1]}({data})\nkey := keySum[:]")
        return lines if self.program.algorithm is not Algorithm.TOKEN else []

    def _public_key_check(self) -> str:
        program, presented = self.program, self.program.presented
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
        text = "element" if presented.is_list else self._name(presented.variable)
        text = f"strings.TrimPrefix({text}, {quoted(presented.prefix)})" if presented.prefix else text
        text = f"strings.TrimSuffix({text}, {quoted(presented.after)})" if presented.after else text
        read, check = READ[program.encoding.value].format(text=text), CHECKS[program.algorithm]
        read = read.replace("Encoding.", "Encoding.Strict().")  # accept only canonical base64
        if presented.is_list:
            loop_body = f"raw, err := {read}\nif err == nil && {check} {{\n\treturn true\n}}"
            variable = self._name(presented.variable)
            lines.append(
                f"for _, element := range {variable} {{\n{indent(loop_body, chr(9))}\n}}\nreturn false"
            )
        else:
            lines.append(f"raw, err := {read}\nreturn err == nil && {check}")
        return "\n".join(lines)


def _reject_if(condition: str) -> str:
    return f"if {condition} {{\n\treturn false\n}}"
