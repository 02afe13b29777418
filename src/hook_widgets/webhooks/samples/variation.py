"""Vary a sample body by a few meaningful values, and keep its shape."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from random import Random

from hook_widgets.errors import InvalidArgument, UnknownName, nearest
from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.body.locators import is_text
from hook_widgets.webhooks.samples.generators import (
    FORMS,
    ParamKind,
    format_like,
    normalize,
    parse_time,
    random_value,
)
from hook_widgets.webhooks.samples.substitution import Document, Place, documents, replaced
from hook_widgets.webhooks.scheme.record import Record


@dataclass(frozen=True, kw_only=True)
class Param(Record):
    """A value that can be varied in a provider's bodies.

    Attributes:
        kind: the kind of the value. The owner and the name of a repository are also replaced separately, and
            the MD5 and SHA-256 of an e-mail address, as in the URL of a Gravatar.
        title: its name for people.
        sample: the text that is replaced wherever a body has it as a whole word: in strings and numbers of
            JSON (not in its keys), in URLs, form fields, and JSON inside those; not inside base64.
        paths: alternatively, the JSON paths whose values are replaced. Paths that a body lacks are skipped;
            of the others, only those with the same value as the first are replaced. So amounts that are equal
            stay equal, and an unpaid payment (received: 0) does not claim to have received money. An id of at
            least six characters is replaced also elsewhere, as a `sample` is.
        random: False if a seed keeps the value, because others in a body repeat it, add up to it, or belong
            to it, as the sign "€" and a bank do to a currency.
    """

    kind: ParamKind
    title: str = ""
    sample: str = ""
    paths: tuple[str, ...] = ()
    random: bool = True

    def __post_init__(self) -> None:
        if bool(self.sample) == bool(self.paths):
            raise ValueError("give either sample or paths, to say where it stands in the bodies")


@dataclass(frozen=True, kw_only=True)
class Variable:
    """A parameter of one body.

    Attributes:
        name: its name in code.
        kind: the kind of its value.
        title: its name for people.
        value: its value in the body.
        form: the required form of a new value, in words.
    """

    name: str
    kind: ParamKind
    title: str
    value: str
    form: str


@dataclass(frozen=True)
class Sample:
    """A sample body with other values.

    Attributes:
        body: the new body.
        headers: the event's headers that contain a value, with the new value; to be passed to `draft`.
        values: parameter to its value in the new body.
    """

    body: bytes
    headers: dict[str, str]
    values: dict[str, str]


class Variation:
    """A body with the values that can be varied in it.

    Args:
        body: the sample body.
        params: a provider's parameters.
        style: the serializer that wrote the body; None to encode new values with the escapes of the body.

    >>> param = Param(kind=ParamKind.INTEGER, paths=("total",))
    >>> Variation(b'{"id":"or_1815","total":4200}', {"total": param}).vary({"total": "99"})
    b'{"id":"or_1815","total":99}'
    """

    def __init__(self, body: bytes, params: Mapping[str, Param], *, style: JsonStyle | None = None) -> None:
        self._body = body.decode("utf-8", "surrogateescape")
        self._params = params
        self._style = style

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The parameters in the body."""
        return tuple(
            Variable(
                name=name,
                kind=param.kind,
                title=param.title or name,
                value=self._values[name],
                form=FORMS[param.kind],
            )
            for name, param in self._params.items()
            if name in self._values
        )

    def drawn(self, seed: int, salt: str = "") -> dict[str, str]:
        """Return a random value for each parameter in the body, the same for the same seed and salt.

        An id is drawn also by the one in the body: two events of one seed share a customer, and no event id.
        All telephone numbers are drawn alike: two of them stay two.
        """
        drawn = dict(self._values)
        for name, value in self._values.items():
            kind = self._params[name].kind
            own = {ParamKind.ID: f"{name}{value}", ParamKind.TEXT: ""}.get(kind, name)
            if self._params[name].random:
                drawn[name] = random_value(kind, value, Random(f"{seed}:{salt}:{own}"))
        return drawn

    def at(self, moment: datetime) -> dict[str, str]:
        """Return the moment for each parameter that is a time, in its format."""
        return {
            name: format_like(value, moment)
            for name, value in self._values.items()
            if self._params[name].kind is ParamKind.TIME and parse_time(value) is not None
        }

    def checked(self, values: Mapping[str, str]) -> dict[str, str]:
        """Check the user's values, and return them in the form of the body.

        Raises:
            UnknownName: the body has no such parameter.
            InvalidArgument: a value does not have its parameter's form.
        """
        if not isinstance(values, Mapping):
            raise InvalidArgument(f"values= must be texts by name, not {type(values).__name__}")
        return {name: self._checked(name, value) for name, value in values.items()}

    def vary(self, values: Mapping[str, str]) -> bytes:
        """Return the body with these values; everything else stays byte for byte."""
        body = replaced(self._body, self._places, lambda place: values.get(place.name))
        return body.encode("utf-8", "surrogateescape")

    def headers(self, headers: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
        """Return the headers that contain a sample, with the new one of `values`; templates are skipped."""
        plain = {name: text for name, text in headers.items() if "{" not in text}
        new = {name: replaced(t, self._finder(t), lambda p: values.get(p.name)) for name, t in plain.items()}
        return {name: text for name, text in new.items() if text != plain[name]}

    def _checked(self, name: str, value: object) -> str:
        if name not in self._values:
            raise UnknownName(f"this body has no parameter {name!r}; {nearest(str(name), self._values)}")
        param, sample = self._params[name], self._values[name]
        form = FORMS[param.kind]
        normalized = normalize(param.kind, sample, value) if isinstance(value, str) else None
        if normalized is None or not is_text(normalized):
            shown = repr(value) if isinstance(value, str) else f"a {type(value).__name__}"
            raise InvalidArgument(
                f"{name} cannot be {shown}; give {form}, as text (the sample is {sample!r})",
                field=f"params.{name}",
            )
        numeric = any(place.number for place in self._places if place.name == name)
        if numeric and not _NUMBER.fullmatch(normalized):
            raise InvalidArgument(
                f"{name} cannot be {value!r}; give a JSON number, such as {sample}",
                field=f"params.{name}",
            )
        return normalized

    @cached_property
    def _finder(self) -> Finder:
        at_paths = {
            name: replace(self._params[name], sample=value, paths=())
            for name, value, _ in self._at_paths
            if self._params[name].kind is ParamKind.ID and len(value) >= _UNMISTAKABLE
        }
        return Finder(at_paths | {name: param for name, param in self._params.items() if param.sample})

    @cached_property
    def _documents(self) -> list[Document]:
        return documents(self._body, self._style)

    @cached_property
    def _places(self) -> list[Place]:
        """The places of the parameters; those at paths first, because they are more certain."""
        at_paths = [place for _, _, place in self._at_paths]
        samples = (place for document in self._documents for place in document.places(self._finder))
        return [*at_paths, *samples]

    @cached_property
    def _values(self) -> dict[str, str]:
        """The values of the parameters in the body."""
        first = {name: value for name, value, _ in reversed(self._at_paths)}
        present = {place.name for place in self._places}
        return {name: first.get(name, p.sample) for name, p in self._params.items() if name in present}

    @cached_property
    def _at_paths(self) -> list[tuple[str, str, Place]]:
        return [
            (name, *document.place(path, name))
            for name, param in self._params.items()
            for document, path in _equal_values(self._documents, param.paths)
        ]


_UNMISTAKABLE = 6  # characters of an id that no other value has by chance
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def _equal_values(documents: Iterable[Document], paths: Iterable[str]) -> Iterator[tuple[Document, str]]:
    """Yield the paths of each document whose value equals that at its first path."""
    for document in documents:
        values = [(path, value) for path in paths if (value := document.value(path)) is not None]
        for path, value in values:
            if value == values[0][1] and type(value) is type(values[0][1]):
                yield document, path


def _place(span: tuple[int, int], writer: tuple[str, Callable[[str], str]], *, number: bool = False) -> Place:
    (start, end), (name, write) = span, writer
    return Place(start=start, end=end, name=name, write=write, number=number)


class Finder:
    """A search for the samples of parameters in plain text, as whole words."""

    def __init__(self, params: Mapping[str, Param]) -> None:
        self._writers: dict[str, tuple[str, Callable[[str], str]]] = {}
        self._alone: dict[str, tuple[str, Callable[[str], str]]] = {}
        self._owners: dict[str, str] = {}
        for name, param in params.items():
            self._writers[param.sample] = (name, str)
            if param.kind is ParamKind.EMAIL:
                hashes = [partial(_hash_of, algorithm) for algorithm in ("md5", "sha256")]  # Gravatar's
                self._writers |= {write(param.sample): (name, write) for write in hashes}
            if param.kind is ParamKind.REPOSITORY:
                owner, _, repository = param.sample.rpartition("/")
                self._owners[owner] = name
                self._alone |= {owner: (name, _owner_of), repository: (name, _repository_of)}
        longest_first = sorted(self._writers, key=len, reverse=True)
        self._words = re.compile("|".join(map(_word, longest_first)) or r"(?!)")
        self._owner = re.compile(  # an entire step of a URL's path, or before a branch: owner:main
            "|".join(
                rf"(?:(?<=://)|(?<=/)){re.escape(o)}(?![^/?#])|^{re.escape(o)}(?=:\S)" for o in self._owners
            )
            or r"(?!)"
        )

    def __call__(self, text: str, *, number: bool = False) -> list[Place]:
        """Return the places in that text."""
        if number:
            writer = self._writers.get(text)
            return [_place((0, len(text)), writer, number=True)] if writer else []
        if text in self._alone and text not in self._writers:
            return [_place((0, len(text)), self._alone[text])]
        places = [_place(m.span(), self._writers[m[0]]) for m in self._words.finditer(text)]
        covered = {index for place in places for index in range(place.start, place.end)}
        if self._owners and (":" in text):
            places += [
                _place(m.span(), (self._owners[m[0]], _owner_of))
                for m in self._owner.finditer(text)
                if m.start() not in covered
            ]
        return places


def _word(sample: str) -> str:
    """Return a pattern for a text that is not part of a longer word or number."""
    before = r"(?<![^\W_])" if sample[0].isalnum() else ""
    after = r"(?![^\W_])" if sample[-1].isalnum() else ""
    if not re.search("[A-Za-z]", sample):  # not the decimals of a number, nor a number with decimals
        before += r"(?<![0-9][.,])" if sample[0].isdigit() else ""
        after += r"(?![.,][0-9])" if sample[-1].isdigit() else ""
    return before + re.escape(sample) + after


def _hash_of(algorithm: str, address: str) -> str:
    return hashlib.new(algorithm, address.lower().encode(), usedforsecurity=False).hexdigest()


def _owner_of(value: str) -> str:
    return value.rpartition("/")[0]


def _repository_of(value: str) -> str:
    return value.rpartition("/")[2]
