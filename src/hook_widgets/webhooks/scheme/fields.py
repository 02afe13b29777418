"""The template fields of one request, computed on first access."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, KeysView, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Self
from urllib.parse import SplitResult, quote, urlsplit

from hook_widgets.errors import UnreadableMessage
from hook_widgets.webhooks.body import forms

_NOTHING: Mapping[str, str] = {}


class Fields(dict[str, "bytes | str"]):
    """A mapping of field names to values, some of them computed on first access.

    Args:
        known: the values that are known at the beginning.
        makers: functions that compute the other values from the fields.
        moment: the time that the request claims.
    """

    def __init__(
        self,
        known: Mapping[str, bytes | str],
        makers: Mapping[str, Maker],
        moment: datetime | None = None,
    ) -> None:
        super().__init__(known)
        self._known = dict(known)
        self._makers = makers
        self._moment = moment
        self._original: Fields | None = None
        self._replaced: KeysView[str] = _NOTHING.keys()

    def __missing__(self, name: str) -> bytes | str:
        original = self._original
        inherited = original is not None and self._is_inherited(name)
        self[name] = value = (
            original[name] if original is not None and inherited else self._makers[name](self)
        )
        return value

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._makers

    @property
    def body(self) -> bytes:
        """The body's bytes."""
        return as_bytes(self["body"])

    @property
    def unsigned_body(self) -> bytes:
        """The body from which other values are taken: signatures inside it are left empty."""
        return as_bytes(self["unsigned_body"]) if "unsigned_body" in self._makers else self.body

    @property
    def moment(self) -> datetime:
        """The time that the request claims.

        Raises:
            UnreadableMessage: the request claims no time.
        """
        if self._moment is None:
            raise UnreadableMessage(
                "nothing in the request says its time, which is part of what is signed", field="headers"
            )
        return self._moment

    def claim(self, moment: datetime) -> None:
        """Set the moment at which the request claims to be sent."""
        self._moment = moment

    def text(self, name: str) -> str:
        """Return the field of that name as text."""
        return as_bytes(self[name]).decode()

    def set(self, name: str, value: bytes | str) -> None:
        """Set the field of that name to a known value."""
        self[name] = self._known[name] = value

    def changed(self, **known: bytes | str) -> Self:
        """Return the fields with these values replaced; what is computed from them is computed again.

        Args:
            **known: new values by field.
        """
        fields = type(self)(self._known | known, self._makers, self._moment)
        if known.keys().isdisjoint(BUILT_IN):
            fields._original, fields._replaced = self, known.keys()
        return fields

    def _is_inherited(self, name: str) -> bool:
        """Return True if a computed value is that of the original: parsing a long body again takes long."""
        maker = BUILT_IN.get(name)
        return maker is not None and self._makers[name] is maker and self._replaced.isdisjoint(SOURCES[name])


def as_bytes(value: bytes | str) -> bytes:
    """Encode text as UTF-8; bytes are returned as they are."""
    return value.encode() if isinstance(value, str) else value


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def _url(fields: Fields) -> SplitResult:
    try:
        return urlsplit(fields.text("url"))
    except ValueError:
        raise UnreadableMessage(
            "the URL cannot be taken apart; give the full URL as the sender called it", field="url"
        ) from None


def _path_with_escaped_query(fields: Fields) -> str:
    path, query = fields.text("path"), fields.text("query")
    return quote(f"{path}?{quote(query, safe=URI_COMPONENT)}" if query else path, safe=URI)


def _decoded_query(fields: Fields) -> str:
    """Return the parameters of the query as Plivo signs them: decoded and sorted, each as ``name=value``."""
    try:
        return _sorted_pairs(fields.text("query"))
    except UnreadableMessage:
        raise UnreadableMessage(
            "the query of the URL is not UTF-8; give the full URL as the sender called it", field="url"
        ) from None


@lru_cache(maxsize=8)  # a diagnosis tries many URLs with the same query
def _sorted_pairs(query: str) -> str:
    return "&".join(f"{name}={value}" for name, value in sorted(forms.parse_form(query.encode())))


# Characters that JavaScript's encodeURIComponent and encodeURI do not escape, besides letters and digits.
URI_COMPONENT = "-_.!~*'()"
URI = URI_COMPONENT + ";/?:@&=+$,#"

Maker = Callable[[Fields], bytes | str]

BUILT_IN: Mapping[str, Maker] = {
    "body_sha256": lambda fields: sha256_hex(fields.body),
    "sorted_form": lambda fields: forms.sorted_form(fields.body),
    "path": lambda fields: _url(fields).path or "/",
    "query": lambda fields: _url(fields).query,
    "path_and_query": lambda fields: (
        fields.text("path") + (f"?{fields.text('query')}" if fields.text("query") else "")
    ),
    "sorted_query": lambda fields: "&".join(sorted(filter(None, fields.text("query").split("&")))),
    "decoded_query": _decoded_query,
    "url_base": lambda fields: fields.text("url").partition("?")[0],
    "host": lambda fields: _url(fields).netloc,
    "path_with_escaped_query": _path_with_escaped_query,
}
"""The fields that every scheme may use, computed from ``body`` and ``url``."""

SOURCES: Mapping[str, tuple[str, ...]] = {
    "body": ("unsigned_body",),
    "body_sha256": ("body",),
    "sorted_form": ("body",),
    **{name: ("url",) for name in BUILT_IN if name not in ("body_sha256", "sorted_form")},
}
"""The fields from which each of these is computed."""
