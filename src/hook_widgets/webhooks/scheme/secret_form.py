"""Name the form of a provider's secrets in the error about a malformed one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks.scheme.key_specs import AsymmetricKeySpec, SharedSecretSpec


@contextmanager
def naming_form(key: SharedSecretSpec | AsymmetricKeySpec) -> Iterator[None]:
    """Add the form of a provider's secrets to an `InvalidSecret` that is raised inside.

    Raises:
        InvalidSecret: the error, with the form.
    """
    try:
        yield
    except InvalidSecret as error:
        if isinstance(key, AsymmetricKeySpec):
            raise
        raise InvalidSecret(f"{error}; a {key.title.lower()} of this provider is {key.described}") from None
