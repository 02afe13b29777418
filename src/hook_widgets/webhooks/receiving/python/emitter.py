"""Python: steps, and the signature."""

from __future__ import annotations

import re
from textwrap import indent

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import block, regex, shifted
from hook_widgets.webhooks.receiving.python.expressions import PythonExpressions, literal
from hook_widgets.webhooks.receiving.python.templates import (
    CERTIFICATE,
    CHECKS,
    DECODE,
    ENCODE,
    MACS,
    MODULES,
    SPKI,
    STANDARD,
    VALUE,
)
from hook_widgets.webhooks.receiving.steps import Step
from hook_widgets.webhooks.receiving.values import Body, Join, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm


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

    def _text(self) -> str:
        kinds = {"headers": "Mapping[str, str]", "body": "bytes", "text": "str"}
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self._arguments(kinds))
        lines = self._statements("    ")
        function = f"def verify({arguments}) -> bool:\n{lines}"
        helpers = f"\n\n{VALUE}" if "value(" in lines else ""
        return f"{self._remarks()}\n{self._imports(function)}\n\n\n{function}\n{helpers}"

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
            case steps.ReadHeader(variable, header, _):
                return f'{variable} = headers.get({literal(header)}, "")'
            case steps.ReadHeaders(variable, names, ""):
                return f'{variable} = [headers.get(name, "") for name in ({", ".join(map(literal, names))})]'
            case steps.ReadHeaders(variable, _, numbered):
                name = "f" + literal(numbered)
                return f'{variable} = [headers.get({name}, "") for n in range(1, 101)]'
            case steps.SplitList(variable, of, separator):
                return f"{variable} = [element.strip() for element in {of}.split({literal(separator)})]"
            case steps.FindElement(variable, elements, prefix, until):
                label = literal(prefix)
                cut = f".partition({literal(until)})[0]" if until else ""
                rest = f"e.removeprefix({label}){cut}"
                return f'{variable} = next(({rest} for e in {elements} if e.startswith({label})), "")'
            case steps.PickElement(variable, elements, position):
                return f'{variable} = "".join({elements}[{position} : {position + 1}])'
            case steps.TakeApart():
                return self._take_apart(step)
            case steps.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else source.name
                line = f"{variable} = json.loads({text}, parse_int=str, parse_float=str)"
                if claims:
                    decoded = f'decoded = base64.urlsafe_b64decode({text}.rpartition(".")[2] + "==")'
                    line = f"{decoded}\n    {variable} = json.loads(decoded, parse_int=str, parse_float=str)"
                return _tried(line, "(ValueError, RecursionError)")
            case steps.ParseForm(variable, source):
                text = "body.decode()" if isinstance(source, Body) else source.name
                return _tried(f'{variable} = parse_qsl({text}, keep_blank_values=True, errors="strict")')
            case steps.Let(variable, value):
                return f"{variable} = {self._value(value)}"
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                text = self._data(right)
                return f"if not hmac.compare_digest({left}.encode(), {text}):\n    return False"

    def _take_apart(self, step: steps.TakeApart) -> str:
        names = [part.name for part in step.shape if isinstance(part, Variable)]
        pattern = regex(step.shape, "")
        return block(
            """
            @match@ = re.fullmatch(@pattern@, @of@)
            if @match@ is None:
                return False
            @names@ = @match@.groups()
            """,
            match=step.match,
            pattern=f'r"{pattern}"' if '"' not in pattern else literal(pattern),
            of=step.of,
            names=", ".join(names) + ("," if len(names) == 1 else ""),
        )

    def _check_time(self, step: steps.CheckTime) -> str:
        variable = step.variable
        shift = shifted(step.shift_s)
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
        return f"{_tried(sent)}\n{limit}\n    return False"

    # --- the signature -----------------------------------------------------------------------------------

    def _result(self) -> str:
        return self._public() if self._is_pair else self._shared()

    def _shared(self) -> str:
        shown = self.program.presented
        before = [*shown.before.parts]
        lines = [*self._key(), *self._signed()]
        made = self._made()
        expected = f"{self._join(Join(tuple(before)))} + {made}" if before else made
        expected += f" + {literal(shown.after)}" if shown.after else ""
        lines.append(f"expected = {expected}")
        if shown.several:
            compare = "hmac.compare_digest(expected.encode(), element.encode())"
            lines.append(f"return any({compare} for element in {shown.variable})")
        else:
            lines.append(f"return hmac.compare_digest(expected.encode(), {shown.variable}.encode())")
        return "\n".join(lines)

    def _signed(self) -> list[str]:
        message = self.program.message
        return [] if message == Join((Body(),)) or not message.parts else [f"message = {self._data(message)}"]

    def _made(self) -> str:
        """The signature's text."""
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

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        loaders = {
            "hex": "ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))",
            "base64": "ed25519.Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key))",
            "base64-spki": SPKI,
            "certificate": CERTIFICATE,
        }
        element = "element" if shown.several else shown.variable
        text = element
        text += f".removeprefix({literal(shown.prefix)})" if shown.prefix else ""
        text += f".removesuffix({literal(shown.after)})" if shown.after else ""
        key = f"key = {loaders[program.public_form.value if program.public_form else '']}"
        attempt = block(
            """
            try:
                raw = @decoded@
                @check@
                return True
            except (ValueError, InvalidSignature):  # not of this key, or no signature at all
                @otherwise@
            """,
            decoded=DECODE[program.encoding].format(text=text),
            check=CHECKS[program.algorithm],
            otherwise="continue" if shown.several else "return False",
        )
        if shown.several:
            attempt = f"for element in {shown.variable}:\n{indent(attempt, '    ')}\nreturn False"
        return f"{key}\nmessage = {self._data(program.message)}\n{attempt}"


def _tried(line: str, error: str = "ValueError") -> str:
    return f"try:\n    {line}\nexcept {error}:\n    return False"
