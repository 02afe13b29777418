"""Receivers in Python: hmac and hashlib, and `cryptography` for key pairs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from textwrap import indent

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block, regex, shifted
from hook_widgets.webhooks.receiving.steps import Body, Join, Step, Text, Value, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm

_VALUE = '''\
def value(document, *path):
    """The text of one value of a JSON document, "" when it is not there."""
    try:
        for step in path:
            document = document[step]
    except (LookupError, TypeError):
        return ""
    if isinstance(document, bool):
        return str(document).lower()
    return "" if document is None else str(document)
'''

_DIGEST = {
    "hex": "hashlib.{hash}({data}).hexdigest()",
    "base64": "base64.b64encode(hashlib.{hash}({data}).digest()).decode()",
    "base64url": 'base64.urlsafe_b64encode(hashlib.{hash}({data}).digest()).rstrip(b"=").decode()',
    "decimal": "str(int.from_bytes(hashlib.{hash}({data}).digest()))",
}
_CRC32 = {"decimal": "str(zlib.crc32({data}))", "hex": 'format(zlib.crc32({data}), "08x")'}

_ENCODE = {
    Encoding.HEX: "{raw}.hex()",
    Encoding.BASE64: "base64.b64encode({raw}).decode()",
    Encoding.BASE64URL: 'base64.urlsafe_b64encode({raw}).rstrip(b"=").decode()',
    Encoding.TEXT: "{raw}.decode()",
}
_DECODE = {
    Encoding.HEX: "bytes.fromhex({text})",
    Encoding.BASE64: "base64.b64decode({text}, validate=True)",
    Encoding.BASE64URL: 'base64.urlsafe_b64decode({text} + "==")',
}
_MACS = {
    Algorithm.SHA256_PREFIX: "hashlib.sha256(key + {message}).digest()",
    Algorithm.SHA256_SUFFIX: "hashlib.sha256({message} + key).digest()",
    Algorithm.SHA1_SUFFIX: "hashlib.sha1({message} + key).digest()",
}
_SPKI = "serialization.load_der_public_key(base64.b64decode(public_key))"
_CERTIFICATE = "x509.load_pem_x509_certificate(public_key.encode()).public_key()"
_RAW_ECDSA = "utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))"
_CHECKS = {
    Algorithm.ED25519: "key.verify(raw, message)",
    Algorithm.ECDSA_P256: "key.verify(raw, message, ec.ECDSA(hashes.SHA256()))",
    Algorithm.ECDSA_P256_RAW: f"key.verify({_RAW_ECDSA}, message, ec.ECDSA(hashes.SHA256()))",
    Algorithm.RSA_SHA256: "key.verify(raw, message, padding.PKCS1v15(), hashes.SHA256())",
    Algorithm.RSA_SHA1: "key.verify(raw, message, padding.PKCS1v15(), hashes.SHA1())",
}
_CRYPTOGRAPHY = "from cryptography.hazmat.primitives"
_MODULES = {
    "ed25519.": f"{_CRYPTOGRAPHY}.asymmetric import ed25519",
    "ec.": f"{_CRYPTOGRAPHY}.asymmetric import ec",
    "padding.": f"{_CRYPTOGRAPHY}.asymmetric import padding",
    "utils.": f"{_CRYPTOGRAPHY}.asymmetric import utils",
    "hashes.": f"{_CRYPTOGRAPHY} import hashes",
    "serialization.": f"{_CRYPTOGRAPHY} import serialization",
    "x509.": "from cryptography import x509",
    "InvalidSignature": "from cryptography.exceptions import InvalidSignature",
}
_STANDARD = ("base64", "hashlib", "hmac", "json", "re", "time", "unicodedata", "zlib")


class Python(Emitter):
    """Python 3.11 and later."""

    title = "Python"
    comment = "#"
    raw_body = "request.get_data() in Flask, request.body in Django, await request.body() in FastAPI"
    from_env = 'os.environ["%s"]'

    def name(self, name: str) -> str:
        return name

    def text(self) -> str:
        kinds = {"headers": "Mapping[str, str]", "body": "bytes", "text": "str"}
        arguments = ", ".join(f"{name}: {kind}" for name, kind in self.arguments(kinds))
        lines = self.statements("    ")
        function = f"def verify({arguments}) -> bool:\n{lines}"
        helpers = f"\n\n{_VALUE}" if "value(" in lines else ""
        return f"{self.remarks()}\n{self._imports(function)}\n\n\n{function}\n{helpers}"

    def _imports(self, function: str) -> str:
        standard = [f"import {name}" for name in _STANDARD if re.search(rf"\b{name}\.", function)]
        standard += ["from collections.abc import Mapping"] if "Mapping" in function else []
        standard += ["from datetime import UTC, datetime"] if "datetime." in function else []
        standard += ["from email.utils import parsedate_to_datetime"] if "parsedate" in function else []
        parse = [name for name in ("parse_qsl", "quote", "urlsplit") if f"{name}(" in function]
        standard += [f"from urllib.parse import {', '.join(parse)}"] if parse else []
        others = [line for mark, line in _MODULES.items() if re.search(rf"\b{re.escape(mark)}", function)]
        return "\n".join(standard) + ("\n\n" + "\n".join(sorted(others)) if others else "")

    # --- expressions -------------------------------------------------------------------------------------

    def run(self, parts: Run) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return parts[0].name
        inside = "".join(
            f"{{{p.name}}}"
            if isinstance(p, Variable)
            else _inner(p.text).replace("{", "{{").replace("}", "}}")
            for p in parts
        )
        known = all(isinstance(p, Text) for p in parts)
        return (
            f'"{_inner("".join(p.text for p in parts if isinstance(p, Text)))}"' if known else f'f"{inside}"'
        )

    def data(self, join: Join) -> str:
        """An expression for bytes."""
        runs = join.runs
        if not runs:
            return 'b""'
        return " + ".join("body" if isinstance(run, Body) else self._encoded(run) for run in runs)

    def _encoded(self, run: Sequence[Text | Variable]) -> str:
        if all(isinstance(part, Text) for part in run):
            return "b" + self.run(run)
        return f"{self.run(run)}.encode()"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self.join(value)
            case steps.Digest(algorithm, of, write):
                form = _CRC32 if algorithm == "crc32" else _DIGEST
                data = self.data(of)
                return form[write.value].format(hash=algorithm, data=data)
            case steps.JsonValue(document, path, missing):
                found = f"value({', '.join([document, *map(_literal, path)])})"
                return f"{found} or {_literal(missing)}" if missing else found
            case steps.FormValue(form, name):
                return f'next((value for name, value in {form} if name == {_literal(name)}), "")'
            case steps.SortedForm(form):
                return f'"".join(name + value for name, value in sorted(set({form})))'
            case steps.UrlPart("base"):
                return 'url.partition("?")[0]'
            case steps.UrlPart("query"):
                return 'url.partition("?")[2]'
            case steps.UrlPart("path"):
                return 'urlsplit(url).path or "/"'
            case steps.UrlPart():
                return "urlsplit(url).netloc"
            case steps.SortedQuery(query):
                return f'"&".join(sorted(part for part in {query}.split("&") if part))'
            case steps.WhenFilled(condition, text):
                return f'{_literal(text)} if {condition} else ""'
            case steps.Escaped(of, keep):
                return f"quote({self.join(of)}, safe={_literal(keep)})"
            case steps.JsonLines(document, names):
                listed = ", ".join(map(_literal, names))
                return block(
                    """
                    "".join(
                        f"{name}\\n{value(@document@, name)}\\n"
                        for name in (@names@)
                        if value(@document@, name)
                    )
                    """,
                    document=document,
                    names=listed,
                )
            case steps.SignedHeaders(listing):
                return block(
                    """
                    ";".join(
                        f"{name}:{headers.get(name, '').strip()}"
                        for name in sorted(n.strip().lower() for n in headers.get(@listing@, "").split(","))
                    )
                    """,
                    listing=_literal(listing),
                )

    # --- steps -------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f'{variable} = headers.get({_literal(header)}, "")'
            case steps.ReadHeaders(variable, names, ""):
                return f'{variable} = [headers.get(name, "") for name in ({", ".join(map(_literal, names))})]'
            case steps.ReadHeaders(variable, _, numbered):
                name = "f" + _literal(numbered)
                return f'{variable} = [headers.get({name}, "") for n in range(1, 101)]'
            case steps.SplitList(variable, of, separator):
                return f"{variable} = [element.strip() for element in {of}.split({_literal(separator)})]"
            case steps.FindElement(variable, elements, prefix, until):
                label = _literal(prefix)
                cut = f".partition({_literal(until)})[0]" if until else ""
                rest = f"e.removeprefix({label}){cut}"
                return f'{variable} = next(({rest} for e in {elements} if e.startswith({label})), "")'
            case steps.PickElement(variable, elements, position):
                return f'{variable} = "".join({elements}[{position} : {position + 1}])'
            case steps.TakeApart(of, shape):
                return self._take_apart(of, shape)
            case steps.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else source.name
                if claims:
                    text = f'base64.urlsafe_b64decode({text}.rpartition(".")[2] + "==")'
                line = f"{variable} = json.loads({text}, parse_int=str, parse_float=str)"
                return _tried(line, "(ValueError, RecursionError)")
            case steps.ParseForm(variable, source):
                text = "body.decode()" if isinstance(source, Body) else source.name
                return _tried(f'{variable} = parse_qsl({text}, keep_blank_values=True, errors="strict")')
            case steps.Let(variable, value):
                return f"{variable} = {self._value(value)}"
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                text = self.data(right)
                return f"if not hmac.compare_digest({left}.encode(), {text}):\n    return False"

    def _take_apart(self, of: str, shape: Sequence[Text | Variable | None]) -> str:
        names = [part.name for part in shape if isinstance(part, Variable)]
        return block(
            """
            match = re.fullmatch(r"@pattern@", @of@)
            if match is None:
                return False
            @names@ = match.groups()
            """,
            pattern=regex(shape, ""),
            of=of,
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

    def result(self) -> str:
        return self._public() if self.is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        before = [*shown.before.parts]
        lines = [*self._key(), *self._signed()]
        made = self._made()
        expected = f"{self.join(Join(tuple(before)))} + {made}" if before else made
        expected += f" + {_literal(shown.after)}" if shown.after else ""
        lines.append(f"expected = {expected}")
        if program.algorithm is Algorithm.TOKEN:
            lines.append("if not secret:\n    return False")
        if shown.several:
            compare = "hmac.compare_digest(expected.encode(), element.encode())"
            lines.append(f"return any({compare} for element in {shown.variable})")
        else:
            lines.append(f"return hmac.compare_digest(expected.encode(), {shown.variable}.encode())")
        return "\n".join(lines)

    def _signed(self) -> list[str]:
        message = self.program.message
        return [] if message == Join((Body(),)) or not message.parts else [f"message = {self.data(message)}"]

    def _made(self) -> str:
        """The signature's text."""
        program = self.program
        if program.algorithm is Algorithm.TOKEN:
            raw = "secret.encode()"
            return (
                "secret" if program.encoding is Encoding.TEXT else _ENCODE[program.encoding].format(raw=raw)
            )
        message = "message" if self._signed() else self.data(program.message)
        if program.algorithm.digest is None:
            raw = _MACS[program.algorithm].format(message=message)
        elif program.encoding is Encoding.HEX:
            return f"hmac.new(key, {message}, {_literal(program.algorithm.digest)}).hexdigest()"
        else:
            raw = f"hmac.digest(key, {message}, {_literal(program.algorithm.digest)})"
        return _ENCODE[program.encoding].format(raw=raw)

    def _key(self) -> list[str]:
        key = self.program.key
        if self.program.algorithm is Algorithm.TOKEN:
            return []
        text = "secret"
        if key.normalize:
            text = f'unicodedata.normalize("{key.normalize}", secret)'
        if key.form is not KeyForm.UTF8 and key.strip_prefix:
            text += f".removeprefix({_literal(key.strip_prefix)})"
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
            "base64-spki": _SPKI,
            "certificate": _CERTIFICATE,
        }
        element = "element" if shown.several else shown.variable
        text = element
        text += f".removeprefix({_literal(shown.prefix)})" if shown.prefix else ""
        text += f".removesuffix({_literal(shown.after)})" if shown.after else ""
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
            decoded=_DECODE[program.encoding].format(text=text),
            check=_CHECKS[program.algorithm],
            otherwise="continue" if shown.several else "return False",
        )
        if shown.several:
            attempt = f"for element in {shown.variable}:\n{indent(attempt, '    ')}\nreturn False"
        return f"{key}\nmessage = {self.data(program.message)}\n{attempt}"


def _literal(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False)


def _inner(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _tried(line: str, error: str = "ValueError") -> str:
    return f"try:\n    {line}\nexcept {error}:\n    return False"
