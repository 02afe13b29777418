"""Generate receiver code: a function for a scheme, in one of several languages, that verifies a request."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from hook_widgets.errors import UnknownName, nearest
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.codegen.backend import Backend, render
from hook_widgets.webhooks.codegen.compiler import compile_scheme

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider


class Language(StrEnum):
    """Languages of the generated receivers, in display order; each is a module of `codegen.backends`."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    GO = "go"
    RUBY = "ruby"
    PHP = "php"
    JAVA = "java"
    CSHARP = "csharp"


@cache
def _backend(language: Language) -> Backend:
    backend: Backend = import_module(f"hook_widgets.webhooks.codegen.backends.{language}").BACKEND
    return backend


def languages() -> tuple[tuple[str, str], ...]:
    """Return the id and title of each language, in display order."""
    return tuple((language.value, _backend(language).title) for language in Language)


def receiver_snippet(provider: str | Provider, language: str, *, scheme: str | None = None) -> str:
    """Return the code of a function ``verify`` that tells whether a received request is genuine.

    The function takes the raw body and only the other arguments that the scheme needs. It compares in
    constant time, checks every signature if a provider sends several, and rejects a timestamp outside the
    provider's tolerance. The secret is an argument and never part of the code.

    Args:
        provider: a provider or its id.
        language: ``"python"``, ``"javascript"``, ``"go"``, ``"ruby"``, ``"php"``, ``"java"`` or ``"csharp"``.
        scheme: one of the provider's schemes; by default the first.

    Raises:
        UnknownName: there is no such provider, language or scheme.
        UnsupportedScheme: the scheme cannot be implemented in that language; the message says what to use.
    """
    definition = registry.provider(provider) if isinstance(provider, str) else provider
    try:
        backend = _backend(Language(language))
    except ValueError:
        raise UnknownName(
            f"there are no receivers in {language!r}; "
            f"{nearest(language, [member.value for member in Language])}"
        ) from None
    return render(backend, compile_scheme(definition, definition.scheme(scheme)))
