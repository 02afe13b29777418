"""Emit Python code for the steps and the signature check."""

from __future__ import annotations

import re

from hook_widgets.webhooks.codegen import ir
from hook_widgets.webhooks.codegen.backend import block, indent, regex, shift_expression
from hook_widgets.webhooks.codegen.ir import Step
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Variable
from hook_widgets.webhooks.codegen.python.expressions import PythonExpressions, literal
from hook_widgets.webhooks.codegen.python.templates import (
    CERTIFICATE,
    CHECKS,
    DECODE,
    ENCODE,
    MACS,
    MODULES,
    PARAMETER,
    SPKI,
    STANDARD,
    VALUE,
)
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding


class Python(PythonExpressions):
    """Python 3.11 and later."""

    title = "Python"
    comment = "#"
    raw_body = "request.get_data() in Flask, request.body in Django, await request.body() in FastAPI"
    all_headers = "a mapping that reads names in any case, such as request.headers"
    from_env = 'os.environ["%s"]'
    guard = "if not secret:\n    return False"

    def _name(self, name: str) -> str:
        return name

    def _snippet(self) -> str:
        kinds = {"headers": "Mapping[str, str]", "body": "bytes", "text": "str"}
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self._arguments(kinds))
        lines = self._statements("    ")
        function = f"def verify({arguments}) -> bool:\n{lines}"
        helpers = "".join(
            f"\n\n{helper}"
            for name, helper in (("value", VALUE), ("parameter", PARAMETER))
            if re.search(rf"\b{name}\(", lines)
        )
        return f"{self._header_comment()}\n{self._imports(function)}\n\n\n{function}\n{helpers}"

    def _imports(self, function: str) -> str:
        standard = [f"import {name}" for name in STANDARD if re.search(rf"\b{name}\.", function)]
        standard += ["from collections.abc import Mapping"] if "Mapping" in function else []
        standard += ["from datetime import UTC, datetime"] if "datetime." in function else []
        standard += ["from email.utils import parsedate_to_datetime"] if "parsedate" in function else []
        parse = [name for name in ("parse_qsl", "quote") if f"{name}(" in function]
        standard += [f"from urllib.parse import {', '.join(parse)}"] if parse else []
        others = [line for mark, line in MODULES.items() if re.search(rf"\b{re.escape(mark)}", function)]
        return "\n".join(standard) + ("\n\n" + "\n".join(sorted(others)) if others else "")

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case ir.ReadHeader(variable, header, _):
                return f'{variable} = headers.get({literal(header)}, "")'
            case ir.ReadHeaders(variable, names, ""):
                return f'{variable} = [headers.get(name, "") for name in ({", ".join(map(literal, names))})]'
            case ir.ReadHeaders(variable, _, numbered):
                name = "f" + literal(numbered)
                return f'{variable} = [headers.get({name}, "") for n in range(1, 101)]'
            case ir.SplitList(variable, source, separator):
                return f"{variable} = [element.strip() for element in {source}.split({literal(separator)})]"
            case ir.FindElement(variable, elements, prefix, until):
                label = literal(prefix)
                cut = f".partition({literal(until)})[0]" if until else ""
                rest = f"e.removeprefix({label}){cut}"
                return f'{variable} = ", ".join({{{rest} for e in {elements} if e.startswith({label})}})'
            case ir.PickElement(variable, elements, position):
                return f'{variable} = "".join({elements}[{position} : {position + 1}])'
            case ir.MatchPattern():
                return self._match_pattern(step)
            case ir.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else source.name
                line = f"{variable} = json.loads({text}, parse_int=str, parse_float=str)"
                if claims:
                    decoded = f'decoded = base64.urlsafe_b64decode({text}.rpartition(".")[2] + "==")'
                    line = f"{decoded}\n    {variable} = json.loads(decoded, parse_int=str, parse_float=str)"
                return _try(line, "(ValueError, RecursionError)")
            case ir.ParseForm(variable, source):
                text = "body.decode()" if isinstance(source, Body) else source.name
                return _try(f'{variable} = parse_qsl({text}, keep_blank_values=True, errors="strict")')
            case ir.Let(variable, value):
                return f"{variable} = {self._value(value)}"
            case ir.CheckTime():
                return self._check_time(step)
            case ir.CheckEqual(left, right):
                text = self._data(right)
                return f"if not hmac.compare_digest({left}.encode(), {text}):\n    return False"
            case ir.CheckEmpty(source):
                return f"if {'body' if isinstance(source, Body) else source.name}:\n    return False"

    def _match_pattern(self, step: ir.MatchPattern) -> str:
        names = [part.name for part in step.shape if isinstance(part, Variable)]
        pattern = regex(step.shape, "")
        return block(
            """
            @match@ = re.fullmatch(@pattern@, @source@)
            if @match@ is None:
                return False
            @names@ = @match@.groups()
            """,
            match=step.match,
            pattern=f'r"{pattern}"' if '"' not in pattern else literal(pattern),
            source=step.source,
            names=", ".join(names) + ("," if len(names) == 1 else ""),
        )

    def _check_time(self, step: ir.CheckTime) -> str:
        variable = step.variable
        shift = shift_expression(step.shift_s)
        match step.unit.value:
            case "s":
                sent = f"sent = int({variable}){shift}"
            case "ms":
                sent = f"sent = int({variable}) // 1000{shift}"
            case "http-date":
                sent = f"sent = parsedate_to_datetime({variable}).timestamp(){shift}"
            case "iso8601-ms-naive":
                sent = f"sent = datetime.fromisoformat({variable}).replace(tzinfo=UTC).timestamp(){shift}"
            case _:
                sent = f"sent = datetime.fromisoformat({variable}).timestamp(){shift}"
        limit = f"if abs(int(time.time()) - sent) > {step.tolerance_s}:  # seconds, on both sides"
        return f"{_try(sent)}\n{limit}\n    return False"

    # --- the signature -----------------------------------------------------------------------------------

    def _signature_check(self) -> str:
        return self._public_key_check() if self._has_public_key else self._secret_check()

    def _secret_check(self) -> str:
        presented = self.program.presented
        before = [*presented.before.parts]
        lines = [*self._key(), *self._signed()]
        signature = self._signature()
        expected = f"{self._join(Join(tuple(before)))} + {signature}" if before else signature
        expected += f" + {literal(presented.after)}" if presented.after else ""
        lines.append(f"expected = {expected}")
        if presented.is_list:
            compare = "hmac.compare_digest(expected.encode(), element.encode())"
            lines.append(f"return any({compare} for element in {presented.variable})")
        else:
            lines.append(f"return hmac.compare_digest(expected.encode(), {presented.variable}.encode())")
        return "\n".join(lines)

    def _signed(self) -> list[str]:
        message = self.program.message
        return [] if message == Join((Body(),)) or not message.parts else [f"message = {self._data(message)}"]

    def _signature(self) -> str:
        """Return an expression for the encoded signature."""
        program = self.program
        if program.algorithm is Algorithm.TOKEN:
            raw = "secret.encode()"
            return "secret" if program.encoding is Encoding.TEXT else ENCODE[program.encoding].format(raw=raw)
        message = "message" if self._signed() else self._data(program.message)
        if program.algorithm.digest is None:
            raw = MACS[program.algorithm].format(message=message)
        elif program.encoding is Encoding.HEX:
            return f"hmac.new(key, {message}, {literal(program.algorithm.digest)}).hexdigest()"
        else:
            raw = f"hmac.digest(key, {message}, {literal(program.algorithm.digest)})"
        return ENCODE[program.encoding].format(raw=raw)

    def _key(self) -> list[str]:
        key = self.program.key
        if self.program.algorithm is Algorithm.TOKEN:
            return []
        text = "secret"
        if key.normalize:
            text = f'unicodedata.normalize("{key.normalize}", secret)'
        if key.form is not KeyForm.UTF8 and key.strip_prefix:
            text += f".removeprefix({literal(key.strip_prefix)})"
        forms = {
            KeyForm.UTF8: "{}.encode()",
            KeyForm.BASE64: "base64.b64decode({})",
            KeyForm.HEX: "bytes.fromhex({})",
        }
        raw = forms[key.form].format(text)
        return [f"key = hashlib.{key.digest}({raw}).digest()" if key.digest else f"key = {raw}"]

    def _public_key_check(self) -> str:
        program, presented = self.program, self.program.presented
        loaders = {
            "hex": "ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))",
            "base64": "ed25519.Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key))",
            "base64-spki": SPKI,
            "certificate": CERTIFICATE,
        }
        element = "element" if presented.is_list else presented.variable
        text = element
        text += f".removeprefix({literal(presented.prefix)})" if presented.prefix else ""
        text += f".removesuffix({literal(presented.after)})" if presented.after else ""
        key = f"key = {loaders[program.public_form.value if program.public_form else '']}"
        otherwise = "continue" if presented.is_list else "return False"
        attempt = block(
            """
            try:
                @decoded@
                @check@
                return True
            except (ValueError, InvalidSignature):  # not of this key, or no signature at all
                @otherwise@
            """,
            decoded=self._decode(text, otherwise).replace("\n", "\n    "),
            check=CHECKS[program.algorithm],
            otherwise=otherwise,
        )
        if presented.is_list:
            attempt = f"for element in {presented.variable}:\n{indent(attempt, '    ')}\nreturn False"
        return f"{key}\nmessage = {self._data(program.message)}\n{attempt}"

    def _decode(self, text: str, otherwise: str) -> str:
        """Return the lines that decode a signature and accept only its canonical encoding."""
        encoding = self.program.encoding
        signature = f"{text}.lower()" if encoding is Encoding.HEX else text
        encoded = ENCODE[encoding].format(raw="raw").removesuffix(".decode()")
        encoded += ".encode()" if encoding is Encoding.HEX else ""
        return block(
            """
            raw = @raw@
            if not hmac.compare_digest(@encoded@, @signature@.encode()):
                @otherwise@
            """,
            raw=DECODE[encoding].format(text=text),
            encoded=encoded,
            signature=signature,
            otherwise=otherwise,
        )


def _try(line: str, error: str = "ValueError") -> str:
    return f"try:\n    {line}\nexcept {error}:\n    return False"
