"""The shapes of the signature schemes: the schemes without their names and constants.

Two hundred providers sign in about half as many ways. A property that depends on the way only is tested with
many examples for one provider of each shape and with one example for the others, and by `make test-long` with
many for all.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable
from typing import Any, Final
from zlib import crc32

import pytest
from hypothesis import given, seed, settings
from hypothesis.strategies import SearchStrategy
from pydantic import TypeAdapter

from hook_widgets.webhooks import Provider, providers
from hook_widgets.webhooks.body.template import Field, Template
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Scheme, SharedSecretSpec
from hook_widgets.webhooks.scheme.fields import BUILT_IN, SOURCES
from tests.support.extent import extent

_SCHEME: Final = TypeAdapter(Scheme)
_KEY: Final = TypeAdapter[Any](SharedSecretSpec | AsymmetricKeySpec)
_CHOICES = {"algorithm", "encoding", "write", "hash", "time", "timestamp", "type"}
"""Keys whose values are one of a few, so part of the shape."""
_KEY_CHOICES = _CHOICES | {"form", "public_form", "digest", "normalize"}

_SHARED = {"body", "unsigned_body", "timestamp", "url", "method", *BUILT_IN, *SOURCES}
"""Template fields that mean the same for every provider; the others are names of its own."""


class _Shape:
    """Replaces the names of one provider by numbers, in the order in which they occur."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, value: Any, choices: set[str], key: str = "") -> Any:
        """Return the value without the provider's own names and constants."""
        if isinstance(value, dict):
            return {name: self.of(inner, choices, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.of(inner, choices, key) for inner in value]
        if key in choices:
            return value
        return self._template(value) if isinstance(value, str) and "{" in value else type(value).__name__

    def _template(self, text: str) -> str:
        segments = Template(text).segments
        return "".join(self._field(s.name) if isinstance(s, Field) else "~" for s in segments)

    def _field(self, name: str) -> str:
        return f"{{{name if name in _SHARED else self._numbers.setdefault(name, len(self._numbers))}}}"


def shape(provider: Provider, scheme: Scheme) -> str:
    """Return the shape of a scheme and of the key that it is used with."""
    spec = _SCHEME.dump_python(scheme, mode="json", exclude_defaults=True)
    carried = scheme.closure(scheme.signed | scheme.signature_names)
    parts = [
        spec["signatures"],
        [value for name, value in spec["headers"].items() if scheme.header_template(name).names & carried],
        *(list(spec.get(place, {}).values()) for place in ("query", "body", "form")),
        [value for name, value in spec.get("fields", {}).items() if name in carried],
        {name: spec.get(name) for name in ("timestamp", "tolerance_s", "rotation", "absent", "json_in")},
    ]
    described = _KEY.dump_python(provider.key, mode="json", exclude_defaults=True)
    key = {name: value for name, value in described.items() if name not in {"title", "note", "example"}}
    numbered = _Shape()
    return json.dumps([numbered.of(parts, _CHOICES), numbered.of(key, _KEY_CHOICES)], sort_keys=True)


def _one_of_each_shape() -> list[str]:
    shapes: set[str] = set()
    names = []
    for provider in providers():
        own = {shape(provider, scheme) for scheme in provider.schemes}
        if own - shapes:
            names.append(provider.id)
        shapes |= own
    return names


ALL: Final = [provider.id for provider in providers()]
ONE_OF_EACH_SHAPE: Final = _one_of_each_shape()
"""The first provider of each shape."""

SHAPES: Final = extent(ONE_OF_EACH_SHAPE, ALL)
"""The providers of a test whose cost is worth a provider of each shape; all of them by `make test-long`."""

FEW_SHAPES: Final = extent(ONE_OF_EACH_SHAPE[::8], ALL)
"""The providers of a test that starts a server or a process for each, or diagnoses a whole request."""


def for_every_provider(
    names: Iterable[str] = ALL, **strategies: SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[[str], None]]:
    """Test a property with many examples for a provider of each shape, and with one for each of the others.

    Args:
        names: the providers that have the property.
        **strategies: the examples, by the argument of the test, as of `hypothesis.given`.
    """

    def decorate(test: Callable[..., None]) -> Callable[[str], None]:
        many = settings(max_examples=extent(5, 100))(given(**strategies)(test))
        one = settings(max_examples=1)(given(**strategies)(test))

        @pytest.mark.parametrize("name", list(names))
        def run(name: str) -> None:
            examples = many if name in SHAPES else one
            if settings.default is not None and settings.default.derandomize:
                examples = seed(crc32(name.encode()))(examples)  # not the same ones for each provider
            examples(name=name)

        functools.update_wrapper(run, test, assigned=("__name__", "__doc__", "__module__", "__qualname__"))
        del run.__wrapped__  # type: ignore[attr-defined] # pytest would ask it for its arguments
        return run

    return decorate
