"""What a receiver does, as a short list of steps that no language has a say in.

`hook_widgets.webhooks.receiving.compiling` makes a `Program` of a provider's scheme; each emitter writes a
program in its language. A value that is more than texts and the body stands in a `Let` only, so that every
emitter has one kind of line to write for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hook_widgets.webhooks.keypair import PublicForm
from hook_widgets.webhooks.receiving.values import Body, Join, Text, Value, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.scheme.moments import TimestampUnit
from hook_widgets.webhooks.secret import KeySpec
from hook_widgets.webhooks.signing import Algorithm

# --- steps -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadHeader:
    """A header's value; "" when it is not there. One that may be `repeated` is joined by commas."""

    variable: str
    header: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ReadHeaders:
    """The values of several headers as a list.

    Either of these `names`, or of the names that `numbered` makes with ``{n}`` from 1 on.
    """

    variable: str
    names: tuple[str, ...] = ()
    numbered: str = ""


@dataclass(frozen=True, slots=True)
class SplitList:
    """The elements of a text, trimmed."""

    variable: str
    of: str
    separator: str


@dataclass(frozen=True, slots=True)
class FindElement:
    """The rest of the first element that begins with `prefix`, up to `until`; "" when there is none."""

    variable: str
    elements: str
    prefix: str
    until: str = ""


@dataclass(frozen=True, slots=True)
class PickElement:
    """The element at this position, counted from 0; "" when there are fewer."""

    variable: str
    elements: str
    position: int


@dataclass(frozen=True, slots=True)
class TakeApart:
    """Takes variables out of a text of this shape; another shape means refusal.

    `shape` is literal text, names of variables, and None for something that is not needed, in order.
    """

    of: str
    shape: tuple[Text | Variable | None, ...]
    match: str = "match"  # the name of a variable


@dataclass(frozen=True, slots=True)
class ParseJson:
    """Reads a JSON document; refusal when it is none.

    The source is the body, a variable with text, or a variable with a token whose claims are meant.
    """

    variable: str
    source: Body | Variable
    claims: bool = False


@dataclass(frozen=True, slots=True)
class ParseForm:
    """Reads names and values of a form or query; refusal when they cannot be decoded."""

    variable: str
    source: Body | Variable


@dataclass(frozen=True, slots=True)
class Let:
    """Gives a name to a value."""

    variable: str
    value: Value


@dataclass(frozen=True, slots=True)
class CheckTime:
    """Refuses a time that is more than `tolerance_s` before or after now; `shift_s` is added to it first."""

    variable: str
    unit: TimestampUnit
    tolerance_s: int
    shift_s: int = 0


@dataclass(frozen=True, slots=True)
class CheckEqual:
    """Refuses when the two texts differ; compared in constant time."""

    left: str
    right: Join


Step = (
    ReadHeader
    | ReadHeaders
    | SplitList
    | FindElement
    | PickElement
    | TakeApart
    | ParseJson
    | ParseForm
    | Let
    | CheckTime
    | CheckEqual
)


# --- the whole -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Presented:
    """Where the signatures of the request are: a variable with one text or with a list of them.

    Each is `before`, the signature's text, `after`.
    """

    variable: str
    several: bool = False
    before: Join = field(default=Join(()))
    after: str = ""

    @property
    def prefix(self) -> str:
        """What stands before each signature, where that is known now."""
        return "".join(part.text for part in self.before.parts if isinstance(part, Text))


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of the function beside headers, body and key."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Program:
    """A receiver's check of one scheme.

    Attributes:
        title: whose webhooks, for people.
        link: the provider's own page on it.
        headers: whether it reads headers.
        body: whether it reads the raw body.
        parameters: what else it has to be given.
        steps: what it does before the signature is computed.
        algorithm: how the signature is made.
        message: what is signed.
        encoding: how the signature is written.
        presented: the signatures to check.
        key_title: what the provider calls the key.
        key: how the secret's text becomes key bytes.
        public_form: how the provider prints its public key; None for a shared secret.
        notes: what a reader of the code should know.
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
