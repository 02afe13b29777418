"""Generate receiver code: a function for a scheme, in one of several languages, that verifies a request."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from hook_widgets.errors import UnknownName, nearest
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.codegen.backend import Emitter
from hook_widgets.webhooks.codegen.compiler import compile_scheme
from hook_widgets.webhooks.codegen.go.emitter import Go
from hook_widgets.webhooks.codegen.java.emitter import Java
from hook_widgets.webhooks.codegen.javascript.emitter import JavaScript
from hook_widgets.webhooks.codegen.php.emitter import Php
from hook_widgets.webhooks.codegen.python.emitter import Python
from hook_widgets.webhooks.codegen.ruby.emitter import Ruby

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider

__all__ = ["Language", "languages", "receiver_snippet"]


class Language(StrEnum):
    """Languages of the generated receivers."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    GO = "go"
    RUBY = "ruby"
    PHP = "php"
    JAVA = "java"


_EMITTERS: dict[Language, type[Emitter]] = {
    Language.PYTHON: Python,
    Language.JAVASCRIPT: JavaScript,
    Language.GO: Go,
    Language.RUBY: Ruby,
    Language.PHP: Php,
    Language.JAVA: Java,
}


def languages() -> tuple[tuple[str, str], ...]:
    """Return the id and title of each language, in display order."""
    return tuple((language.value, _EMITTERS[language].title) for language in Language)


def receiver_snippet(provider: str | Provider, language: str, *, scheme: str | None = None) -> str:
    """Return the code of a function ``verify`` that tells whether a received request is genuine.

    The function takes the raw body and only the other arguments that the scheme needs. It compares in
    constant time, checks every signature if a provider sends several, and rejects a timestamp outside the
    provider's tolerance. The secret is an argument and never part of the code.

    Args:
        provider: a provider or its id.
        language: ``"python"``, ``"javascript"``, ``"go"``, ``"ruby"``, ``"php"`` or ``"java"``.
        scheme: one of the provider's schemes; by default the first.

    Raises:
        UnknownName: there is no such provider, language or scheme.
        UnsupportedScheme: the scheme cannot be implemented in that language; the message says what to use.
    """
    definition = registry.provider(provider) if isinstance(provider, str) else provider
    try:
        emitter = _EMITTERS[Language(language)]
    except ValueError:
        raise UnknownName(
            f"there are no receivers in {language!r}; "
            f"{nearest(language, [member.value for member in Language])}"
        ) from None
    return emitter.write(compile_scheme(definition, definition.scheme(scheme)))
