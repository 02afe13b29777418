"""The steps of a receiver as they come together, and names for what they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hook_widgets.webhooks.receiving import steps, values
from hook_widgets.webhooks.receiving.steps import Let
from hook_widgets.webhooks.receiving.values import Body, Variable

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider
    from hook_widgets.webhooks.scheme import Scheme

# Names that one of the languages reserves, and those that the emitters give to their own variables.
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
find form form_pairs format found hashes hashlib header headers hex_bytes host_of http json_value key
key_sum line mac md5 message method_of n name names next ok padding pair pairs parameter parameters parse
parsed part parts path_of pem presented public_key quote rsa secret sent serialization sha1 sha256 sha512
signatures signed_headers sort_and_join sorted sorted_parts str strconv sum text unicodedata utf8 utils
value verify when x prefix zlib
"""
_TAKEN = frozenset(_RESERVED.split()) | frozenset(_OWN.split())


class Building:
    """What all parts of the compiler share."""

    def __init__(self, provider: Provider, scheme: Scheme) -> None:
        self._provider = provider
        self._scheme = scheme
        self._signature = scheme.signatures[0]
        self._steps: list[steps.Step] = []
        self._parameters: dict[str, steps.Parameter] = {}
        self._known: dict[str, tuple[values.Atom, ...]] = {}
        self._made: set[str] = set()

    def _document(self) -> str:
        """The variable with the parsed JSON of the body."""
        if "document" not in self._made:
            self._made.add("document")
            source: Body | Variable = Body()
            if self._scheme.json_in:
                name = f"{self._scheme.json_in}_field"
                self._parameter(name, f"the text of the form field {self._scheme.json_in!r}, decoded")
                source = Variable(name)
            self._steps.append(steps.ParseJson("document", source))
        return "document"

    def _form(self) -> str:
        """The variable with the parsed form of the body."""
        if "form" not in self._made:
            self._made.add("form")
            self._steps.append(steps.ParseForm("form", Body()))
        return "form"

    def _parameter(self, name: str, meaning: str) -> None:
        self._made.add(name)
        self._parameters[name] = steps.Parameter(name, meaning)
        self._known[name] = (Variable(name),)

    def _name(self, name: str, value: values.Value) -> None:
        """Let a field's variable be this."""
        variable = self._new(name)
        self._let(variable, value)
        self._know(name, variable)

    def _let(self, variable: str, value: values.Value) -> None:
        self._steps.append(Let(variable, value))

    def _know(self, field: str, variable: str) -> None:
        self._known[field] = (Variable(variable),)

    def _variable(self, field: str) -> str:
        (atom,) = self._known[field]
        assert isinstance(atom, Variable)
        return atom.name

    def _new(self, name: str, *, own: bool = False) -> str:
        """A variable's name that nothing else has; `own` ones may be among the taken."""
        if name in _TAKEN and not own:
            name += "_field"
        while name in self._made:
            name += "_2"
        self._made.add(name)
        return name
