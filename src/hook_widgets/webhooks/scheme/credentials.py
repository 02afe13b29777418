"""The places of a request that carry the credential itself, for code that redacts it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.scheme.models import Encoding, HeaderValue, OlderHeader, Scheme, Signature

_Form: TypeAlias = tuple[str, Literal["text", "base64"]]
_ENTIRE_VALUE: _Form = ("{}", "text")
_OLDER = range(2, 10)  # numbers of previous secrets, counted as `OlderHeader` does


class CredentialPlace(NamedTuple):
    """A place of a request that carries a credential.

    Attributes:
        part: the part of the request.
        name: the name of a header, a JSON pointer (RFC 6901), or the name of a form field.
        template: the value at the place, with ``{}`` for the credential.
        encoding: the encoding of the credential.
    """

    part: Literal["header", "json", "form", "multipart"]
    name: str
    template: str
    encoding: Literal["text", "base64"]


def credential_places(scheme: Scheme) -> tuple[CredentialPlace, ...]:
    """Return the places where a request of this scheme carries the credential; none if it only signs."""
    places = (place for s in scheme.signatures if s.algorithm.reveals_secret for place in _places(scheme, s))
    return tuple(dict.fromkeys(places))


def _places(scheme: Scheme, signature: Signature) -> Iterator[CredentialPlace]:
    field = signature.name
    for name, value in scheme.headers.items():
        template = scheme.header_template(name)
        if field in template.names:
            # The elements of a list cannot be distinguished here, so the whole list counts.
            form = _ENTIRE_VALUE if isinstance(value, HeaderValue) else _form(template, signature)
            yield CredentialPlace("header", name, *form)
            if isinstance(scheme.rotation, OlderHeader):
                for n in _OLDER:
                    yield CredentialPlace("header", scheme.rotation.name(n), *form)
    for path, template in scheme.body_templates.items():
        if field not in template.names:
            continue
        if scheme.json_in:  # the JSON is a form field, which counts as a whole
            yield CredentialPlace("form", scheme.json_in, *_ENTIRE_VALUE)
            yield CredentialPlace("multipart", scheme.json_in, *_ENTIRE_VALUE)
        else:
            yield CredentialPlace("json", _pointer(path), *_form(template, signature))
    for name, text in scheme.form.items():
        template = Template(text)
        if field in template.names:
            yield CredentialPlace("form", name, *_form(template, signature))


def _form(template: Template, signature: Signature) -> _Form:
    """Return the value's shape and the credential's encoding; the entire value if it has several fields."""
    if len(template.order) > 1 or signature.encoding not in (Encoding.TEXT, Encoding.BASE64):
        return _ENTIRE_VALUE
    shape = template.text.replace(f"{{{signature.name}}}", "{}")
    return shape, "base64" if signature.encoding is Encoding.BASE64 else "text"


def _pointer(path: str) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path.split("."))
