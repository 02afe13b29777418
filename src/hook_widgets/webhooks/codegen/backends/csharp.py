"""Receivers in C#, for .NET 8 and later."""

from __future__ import annotations

import re

from hook_widgets.webhooks.codegen.backend import Backend, TextParts
from hook_widgets.webhooks.codegen.ir import Presented, Program
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable
from hook_widgets.webhooks.codegen.literals import (
    Shape,
    camel,
    literal_in_regex,
    quoted,
    regex,
    without_strings,
)
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm

_KEYWORDS = """
abstract as base bool break byte case catch char checked class const continue decimal default delegate do
double else enum event explicit extern false finally fixed float for foreach goto if implicit in int
interface internal is lock long namespace new null object operator out override params private protected
public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw
true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while
"""
# The line ends of C# that `quoted` leaves as they are: a string literal may not contain them.
_LINE_ENDS = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"})
_USINGS = {
    "System": r"Convert|DateTimeOffset|\w*Exception|Func|Math|StringCompar\w+",
    "System.Collections.Generic": r"List|KeyValuePair",
    "System.Globalization": r"CultureInfo|DateTimeStyles|NumberStyles",
    "System.Linq": r"Any|Distinct|ElementAtOrDefault|Enumerable|OrderBy|Select|Sum|Where",
    "System.Net": r"WebUtility",
    "System.Numerics": r"BigInteger",
    "System.Security.Cryptography": r"CryptographicOperations|ECDsa|HMAC\w+|MD5|RSA|SHA\d+",
    "System.Security.Cryptography.X509Certificates": r"X509Certificate2",
    "System.Text": r"Encoding|NormalizationForm|StringBuilder",
    "System.Text.Json": r"JsonElement",
    "System.Text.RegularExpressions": r"Match|Regex",
    "Org.BouncyCastle.Crypto.Parameters": r"Ed25519PublicKeyParameters",
    "Org.BouncyCastle.Crypto.Signers": r"Ed25519Signer",
}
_ENCODINGS = {
    "hex": "Convert.ToHexString({}).ToLowerInvariant()",
    "base64": "Convert.ToBase64String({})",
    "base64url": "Convert.ToBase64String({}).TrimEnd('=').Replace('+', '-').Replace('/', '_')",
    "decimal": "new BigInteger({}, isUnsigned: true, isBigEndian: true).ToString()",
    "text": "Encoding.UTF8.GetString({})",
}
_DECODINGS = {
    "hex": "Convert.FromHexString({})",
    "base64": "Convert.FromBase64String({})",
    "base64url": "FromBase64Url({})",
}


def literal(value: str | int) -> str:
    """Return a C# literal of a text; an index into a list is a text, too."""
    return quoted(str(value)).translate(_LINE_ENDS)


def _name(name: str) -> str:
    name = camel(name)
    return f"@{name}" if name in _KEYWORDS.split() else name


def _concat(parts: TextParts) -> str:
    return " + ".join(
        _name(part.name) if isinstance(part, Variable) else literal(part.text) for part in parts
    )


def _data(join: Join) -> str:
    pieces = ["body" if isinstance(run, Body) else f"Utf8({_concat(run)})" for run in join.runs]
    return pieces[0] if len(pieces) == 1 else f"Concat({', '.join(pieces)})"


def _pattern(shape: Shape) -> str:
    return literal(rf"^{regex(shape, '')}\z")  # not $, which also matches before a line feed at the end


def _numbered(name: str) -> str:
    """Return an expression for the name of a header with the number ``n``."""
    return literal(name).replace("{n}", '" + n + "').removesuffix(' + ""')


def _without_ends(text: str, presented: Presented) -> str:
    """Return an expression for a text without the literal texts before and after a signature."""
    if presented.prefix:
        text = f'Regex.Replace({text}, {literal("^" + regex([Text(presented.prefix)], ""))}, "")'
    if presented.after:
        suffix = literal(rf"{regex([Text(presented.after)], '')}\z")
        text = f'Regex.Replace({text}, {suffix}, "")'
    return text


def _key(key: KeySpec) -> str:
    """Return an expression for the bytes of the key."""
    form = key.normalize.removeprefix("NF")
    text = f"secret.Normalize(NormalizationForm.Form{form})" if form else "secret"
    if key.strip_prefix and key.form is not KeyForm.UTF8:
        text = f'Regex.Replace({text}, {literal("^" + literal_in_regex(key.strip_prefix, ""))}, "")'
    raw = f"Utf8({text})" if key.form is KeyForm.UTF8 else _DECODINGS[key.form.value].format(text)
    return f"{key.digest.upper()}.HashData({raw})" if key.digest else raw


def _signature(program: Program, message: str) -> str:
    """Return an expression for the encoded signature of a message."""
    algorithm, encoding = program.algorithm, program.encoding.value
    if algorithm is Algorithm.TOKEN:
        return "secret" if encoding == "text" else _ENCODINGS[encoding].format("Utf8(secret)")
    if algorithm.digest is not None:
        return _ENCODINGS[encoding].format(f"HMAC{algorithm.digest.upper()}.HashData(key, {message})")
    name, _, place = algorithm.value.partition("-")
    pieces = f"key, {message}" if place == "prefix" else f"{message}, key"
    return _ENCODINGS[encoding].format(f"{name.upper()}.HashData(Concat({pieces}))")


def _imports(code: str) -> list[str]:
    names = without_strings(code)
    return [namespace for namespace, types in _USINGS.items() if re.search(rf"\b(?:{types})\b", names)]


BACKEND = Backend(
    title="C#",
    folder="csharp",
    raw_body="after await Request.Body.CopyToAsync(stream) in ASP.NET Core, stream.ToArray()",
    all_headers="reads names in any case: name => Request.Headers[name].ToString() in ASP.NET Core",
    from_env='Environment.GetEnvironmentVariable("%s")',
    name=_name,
    literal=literal,
    concat=_concat,
    data=_data,
    arguments={"headers": "Func<string, string> {}", "body": "byte[] {}", "text": "string {}"},
    encodings=_ENCODINGS,
    decodings=_DECODINGS,
    imports=_imports,
    helpers=(
        "Value",
        "Form",
        "Parameter",
        "SortedForm",
        "Escape",
        "Crc32",
        "FromBase64Url",
        "Concat",
        "Equal",
        "Utf8",
    ),
    filters=(_pattern, _numbered, _without_ends, _key, _signature),
)
