"""What a receiver does, as a short list of steps that no language has a say in.

`hook_widgets.webhooks.receiving.compiling` makes a `Program` of a provider's scheme; each emitter writes a
program in its language. An expression that is not an atom (a literal, a variable, the body) or a join of
atoms stands in a `Let` only, so that every emitter has to write one kind of line for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOf

from hook_widgets.webhooks.derived import Write
from hook_widgets.webhooks.keypair import PublicForm
from hook_widgets.webhooks.moments import TimestampUnit
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeySpec
from hook_widgets.webhooks.signing import Algorithm

# --- values ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is known now."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A text that a step or the caller has put into a variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Body:
    """The raw body, bytes."""


Atom = Text | Variable | Body


@dataclass(frozen=True, slots=True)
class Join:
    """Texts and the body, one after the other; bytes when the body is among them."""

    parts: tuple[Atom, ...]

    @property
    def is_bytes(self) -> bool:
        """Whether the body is a part of it."""
        return Body() in self.parts

    @property
    def runs(self) -> tuple[tuple[Text | Variable, ...] | Body, ...]:
        """The same with neighbouring texts put together."""
        found: list[list[Text | Variable] | Body] = []
        for part in self.parts:
            if isinstance(part, Body):
                found.append(part)
            elif found and isinstance(found[-1], list):
                found[-1].append(part)
            else:
                found.append([part])
        return tuple(run if isinstance(run, Body) else tuple(run) for run in found)


@dataclass(frozen=True, slots=True)
class Digest:
    """A hash (``sha256``, ``sha1``, ``sha512``, ``md5``, ``crc32``), written as text."""

    algorithm: str
    of: Join
    write: Write


@dataclass(frozen=True, slots=True)
class JsonValue:
    """The text of one value of a parsed document; `missing` when it is null or not there."""

    document: str
    path: tuple[str | int, ...]
    missing: str = ""


@dataclass(frozen=True, slots=True)
class JsonLines:
    r"""``Name\nValue\n`` for each of these members of a parsed document that is there."""

    document: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormValue:
    """The first value of this name in a parsed form; "" when it is not there."""

    form: str
    name: str


@dataclass(frozen=True, slots=True)
class SortedForm:
    """All distinct names and values of a parsed form, sorted and joined."""

    form: str


@dataclass(frozen=True, slots=True)
class UrlPart:
    """A part of the URL: ``base`` (before "?"), ``query``, ``path`` (at least "/"), ``host`` with its port."""

    part: OneOf["base", "query", "path", "host"]


@dataclass(frozen=True, slots=True)
class SortedQuery:
    """The parts of a query, sorted."""

    query: str


@dataclass(frozen=True, slots=True)
class WhenFilled:
    """A text when that variable is not empty, else nothing."""

    condition: str
    text: str


@dataclass(frozen=True, slots=True)
class Escaped:
    """Percent-encoded, except letters, digits and the characters of `keep`."""

    of: Join
    keep: str


@dataclass(frozen=True, slots=True)
class SignedHeaders:
    """``name:value`` of the headers that this header lists, in lower case and sorted, joined by ``;``."""

    listing: str


Value = (
    Join
    | Digest
    | JsonValue
    | JsonLines
    | FormValue
    | SortedForm
    | UrlPart
    | SortedQuery
    | WhenFilled
    | Escaped
    | SignedHeaders
)


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
