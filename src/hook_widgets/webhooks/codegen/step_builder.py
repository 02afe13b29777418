"""Collect the steps of a receiver and allocate the names of its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hook_widgets.webhooks.codegen import ir, ir_values
from hook_widgets.webhooks.codegen.ir import Let
from hook_widgets.webhooks.codegen.ir_values import Body, Variable

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider
    from hook_widgets.webhooks.scheme import Scheme

# Names reserved in one of the languages, and names of the variables that the emitters themselves use.
_RESERVED = """
abstract and any arguments as assert async await base begin bool boolean break byte bytes case catch chan
char class clone const continue crypto debugger declare def default defer del delete do document double echo
elif else elsif empty end ensure enum eval except exit export extends fallthrough false final finally float
fmt fn for foreach from func function global go goto hash hex hmac if implements import in include
instanceof int interface internal is isset json lambda len let list long loop map match math module native
new next nil none nonlocal not null object open or order package pass print private protected public puts
raise range raw redo regexp require rescue retry return self set short sort static str strictfp string
strings struct super switch synchronized system then this throw throws time transient true try type typeof
undef unless until use var void volatile when while with x509 xor yield
"""
_OWN = """
abs age any base64 belongs big block body certificate claims claims_text compare concat crc32 datetime
decoded der der_signature digest document ec ecdsa ed25519 element elements equal err error escape expected
find form form_pairs format hashes hashlib header headers hex_bytes host_of http json_value key
key_sum line mac md5 message method_of n name names next ok padding pair pairs parameter parameters parse
parsed part parts path_of pem presented public_key quote rsa secret sent serialization sha1 sha256 sha512
signatures signed_headers sort_and_join sorted sorted_parts str strconv sum text unicodedata utf8 utils
value values verify when x prefix zlib
"""
_TAKEN = frozenset(_RESERVED.split()) | frozenset(_OWN.split())


class StepBuilder:
    """Base class of the compiler, with the steps and variables built so far."""

    def __init__(self, provider: Provider, scheme: Scheme) -> None:
        self._provider = provider
        self._scheme = scheme
        self._signature = scheme.signatures[0]
        self._steps: list[ir.Step] = []
        self._parameters: dict[str, ir.Parameter] = {}
        self._fields: dict[str, tuple[ir_values.Atom, ...]] = {}
        self._used_names: set[str] = set()

    def _document(self) -> str:
        """Return the variable with the parsed JSON of the body."""
        if "document" not in self._used_names:
            self._used_names.add("document")
            source: Body | Variable = Body()
            if self._scheme.json_in:
                name = f"{self._scheme.json_in}_field"
                self._parameter(name, f"the text of the form field {self._scheme.json_in!r}, decoded")
                source = Variable(name)
            self._steps.append(ir.ParseJson("document", source))
        return "document"

    def _form(self) -> str:
        """Return the variable with the parsed form of the body."""
        if "form" not in self._used_names:
            self._used_names.add("form")
            self._steps.append(ir.ParseForm("form", Body()))
        return "form"

    def _parameter(self, name: str, meaning: str) -> None:
        self._used_names.add(name)
        self._parameters[name] = ir.Parameter(name, meaning)
        self._fields[name] = (Variable(name),)

    def _define(self, name: str, value: ir_values.Value) -> None:
        """Assign a value to a new variable and bind the field to it."""
        variable = self._new_variable(name)
        self._let(variable, value)
        self._bind(name, variable)

    def _let(self, variable: str, value: ir_values.Value) -> None:
        self._steps.append(Let(variable, value))

    def _bind(self, field: str, variable: str) -> None:
        self._fields[field] = (Variable(variable),)

    def _variable_of(self, field: str) -> str:
        (atom,) = self._fields[field]
        assert isinstance(atom, Variable)
        return atom.name

    def _new_variable(self, name: str, *, own: bool = False) -> str:
        """Return an unused variable name; if `own` is true, it may be reserved for the emitters."""
        if name in _TAKEN and not own:
            name += "_field"
        while name in self._used_names:
            name += "_2"
        self._used_names.add(name)
        return name
