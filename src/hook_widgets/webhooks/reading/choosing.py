"""Which of a provider's schemes a received request follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.reading.carried import Carried, value_of
from hook_widgets.webhooks.reading.misread import Misread
from hook_widgets.webhooks.scheme import Scheme
from hook_widgets.webhooks.text.template import Template

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider
    from hook_widgets.webhooks.verifying import Receivable


def choose_scheme(provider: Provider, request: Receivable) -> Scheme:
    """The scheme that fits best: by signature header, body, method, media type, constants and length.

    A request with a body is never read by a scheme that leaves the body unsigned while another of the same
    signature header covers it: else whoever takes a signature from a request without a body could add one.

    Each test is asked in turn of the schemes that are left, and one that none of them passes is passed over;
    the first of those left at the end is taken.
    """
    if len(provider.schemes) == 1:
        return provider.schemes[0]
    headers = Headers(request.headers)
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    left = list(provider.schemes)
    tests: Iterable[Callable[[Scheme], bool]] = (
        lambda scheme: _has_header(scheme, headers),
        lambda scheme: bool(request.body) == _covers_body(scheme),
        lambda scheme: scheme.method == request.method,
        lambda scheme: scheme.content_type in (None, media),
        lambda scheme: _has_constants(scheme, request.body),
        lambda scheme: _has_length(scheme, headers, request.body),
    )
    for test in tests:
        left = [scheme for scheme in left if test(scheme)] or left
    return left[0]


def _has_header(scheme: Scheme, headers: Headers) -> bool:
    signature = scheme.signatures[0].name
    return any(
        name in headers
        for name, shapes in scheme.header_shapes.items()
        if any(signature in shape.names for shape in shapes)
    )


def _covers_body(scheme: Scheme) -> bool:
    """Whether the body is signed, itself or by what the scheme puts into a signed URL."""
    signed = scheme.closure(scheme.signatures[0].template.names)
    if "url" in signed:
        signed |= scheme.closure(name for text in scheme.query.values() for name in Template(text).names)
    return "unsigned_body" in signed


def _has_constants(scheme: Scheme, body: bytes) -> bool:
    """Whether the values that always stand in this scheme's bodies stand there."""
    constants = {path: t for path, t in scheme.body_templates.items() if not t.names}
    if not constants:
        return True
    try:
        return all(value_of(body, path, scheme.json_in) == t.text for path, t in constants.items())
    except Misread:
        return False


def _has_length(scheme: Scheme, headers: Headers, body: bytes) -> bool:
    """Whether a signature of the length that the algorithm makes is there."""
    first = scheme.signatures[0]
    try:
        texts = Carried(scheme, headers, body).all(first.name)
    except Misread:
        return False
    found = (first.encoding.read(text) for text in texts)
    return any(raw is not None and first.algorithm.size in (None, len(raw)) for raw in found)
