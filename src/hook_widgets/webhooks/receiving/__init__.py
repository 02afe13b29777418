"""Receivers as text: a function for each scheme and language that says whether a request is genuine."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from hook_widgets.errors import UnknownName, nearest
from hook_widgets.webhooks import catalog
from hook_widgets.webhooks.receiving.compiling import compile_scheme
from hook_widgets.webhooks.receiving.emitter import Emitter
from hook_widgets.webhooks.receiving.go.emitter import Go
from hook_widgets.webhooks.receiving.java.emitter import Java
from hook_widgets.webhooks.receiving.javascript.emitter import JavaScript
from hook_widgets.webhooks.receiving.php.emitter import Php
from hook_widgets.webhooks.receiving.python.emitter import Python
from hook_widgets.webhooks.receiving.ruby.emitter import Ruby

if TYPE_CHECKING:
    from hook_widgets.webhooks.provider import Provider

__all__ = ["Language", "languages", "receiver_snippet"]


class Language(StrEnum):
    """The languages a receiver can be written in."""

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
    """Id and title of each language, in the order in which they are offered."""
    return tuple((language.value, _EMITTERS[language].title) for language in Language)


def receiver_snippet(provider: str | Provider, language: str, *, scheme: str | None = None) -> str:
    """A function ``verify`` that says whether a received request is genuine, ready to paste.

    It takes the raw body and only what else the scheme needs, compares in constant time, checks every
    signature where a provider sends several, and refuses a time outside the provider's tolerance. The secret
    is an argument and never in the text.

    Args:
        provider: a provider or its id.
        language: ``"python"``, ``"javascript"``, ``"go"``, ``"ruby"``, ``"php"`` or ``"java"``.
        scheme: one of the provider's schemes; the first when not given.

    Raises:
        UnknownName: there is no such provider, language or scheme.
        InvalidRequest: the scheme cannot be written in that language; the text says what to use.
    """
    known = catalog.provider(provider) if isinstance(provider, str) else provider
    try:
        emitter = _EMITTERS[Language(language)]
    except ValueError:
        raise UnknownName(
            f"no receivers in {language!r}. {nearest(language, [known.value for known in Language])}"
        ) from None
    return emitter.write(compile_scheme(known, known.scheme(scheme)))
