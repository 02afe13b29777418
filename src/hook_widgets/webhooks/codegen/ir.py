"""Intermediate representation: a receiver as a list of language-independent steps.

`hook_widgets.webhooks.codegen.compiler` compiles a provider's scheme to a `Program`, and each emitter writes
a program in its language. A value other than texts and the body occurs only in a `Let`, so that an emitter
has to handle it in one place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Value, Variable
from hook_widgets.webhooks.keys.key_pair import PublicForm
from hook_widgets.webhooks.keys.secret import KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit

# --- steps -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadHeader:
    """Step that reads the value of a header, "" if it is missing.

    If the header may be `repeated`, its values are joined by commas.
    """

    variable: str
    header: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ReadHeaders:
    """Step that reads the values of several headers as a list.

    Either those in `names`, or those in `numbered` with ``{n}`` replaced by 1, 2 and so on.
    """

    variable: str
    names: tuple[str, ...] = ()
    numbered: str = ""


@dataclass(frozen=True, slots=True)
class SplitList:
    """Step that splits a text into trimmed elements."""

    variable: str
    source: str
    separator: str


@dataclass(frozen=True, slots=True)
class FindElement:
    """Step that takes the rest of the element that begins with `prefix`, up to `until`; "" if there is none.

    Several different values are joined by commas, because a receiver must not guess which one counts.
    """

    variable: str
    elements: str
    prefix: str
    until: str = ""


@dataclass(frozen=True, slots=True)
class PickElement:
    """Step that takes the element at this position, counted from 0; "" if there are fewer elements."""

    variable: str
    elements: str
    position: int


@dataclass(frozen=True, slots=True)
class MatchPattern:
    """Step that extracts variables from a text of this shape and rejects a text of another shape.

    `shape` consists of literal texts, variables, and None for a part that is not needed, in order.
    """

    source: str
    shape: tuple[Text | Variable | None, ...]
    match: str = "match"  # the name of a variable


@dataclass(frozen=True, slots=True)
class ParseJson:
    """Step that parses a JSON document and rejects the request if it is not JSON.

    The source is the body or a variable with JSON text. With `claims`, it is a variable with a token whose
    claims are parsed.
    """

    variable: str
    source: Body | Variable
    claims: bool = False


@dataclass(frozen=True, slots=True)
class ParseForm:
    """Step that parses a form or query and rejects the request if it cannot be decoded."""

    variable: str
    source: Body | Variable


@dataclass(frozen=True, slots=True)
class Let:
    """Step that assigns a value to a variable."""

    variable: str
    value: Value


@dataclass(frozen=True, slots=True)
class CheckTime:
    """Step that adds `shift_s` to a time and rejects it if more than `tolerance_s` before or after now."""

    variable: str
    unit: TimestampUnit
    tolerance_s: int
    shift_s: int = 0


@dataclass(frozen=True, slots=True)
class CheckEqual:
    """Step that rejects the request if two texts differ, compared in constant time."""

    left: str
    right: Join


@dataclass(frozen=True, slots=True)
class CheckEmpty:
    """Step that rejects the request if a body or text is not empty."""

    source: Body | Variable


Step = (
    ReadHeader
    | ReadHeaders
    | SplitList
    | FindElement
    | PickElement
    | MatchPattern
    | ParseJson
    | ParseForm
    | Let
    | CheckTime
    | CheckEqual
    | CheckEmpty
)


# --- the program -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Presented:
    """The variable with the received signature or, if `is_list`, with a list of signatures.

    Each consists of the text `before`, the encoded signature, and the text `after`.
    """

    variable: str
    is_list: bool = False
    before: Join = field(default=Join(()))
    after: str = ""

    @property
    def prefix(self) -> str:
        """The literal parts of the text before each signature."""
        return "".join(part.text for part in self.before.parts if isinstance(part, Text))


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of the function besides headers, body and key."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A receiver's check of one scheme.

    Attributes:
        title: the display name of the provider and scheme.
        link: the provider's own documentation.
        headers: True if it reads headers.
        body: True if it reads the raw body.
        parameters: the further arguments.
        steps: the steps before the signature is computed.
        algorithm: the signature algorithm.
        message: the signed message.
        encoding: the encoding of the signature.
        presented: the received signatures to check.
        key_title: the provider's name for the key.
        key: the derivation of the key from the text of the secret.
        public_form: the format of the provider's public key; None for a shared secret.
        notes: notes for the reader of the code.
    """

    title: str
    link: str
    headers: bool
    body: bool
    parameters: tuple[Parameter, ...]
    steps: tuple[Step, ...]
    algorithm: Algorithm
    message: Join
    encoding: Encoding
    presented: Presented
    key_title: str
    key: KeySpec
    public_form: PublicForm | None = None
    notes: tuple[str, ...] = field(default=())
