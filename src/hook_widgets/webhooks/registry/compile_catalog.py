"""Compile the ``provider.toml`` files of this package into the file that `compiled_catalog` reads.

The build runs `main`, which does nothing if the file is current. The TOML files stay the source: a test
compares both.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

from hook_widgets.webhooks.registry import built_in
from hook_widgets.webhooks.registry.compiled_catalog import FILE, TYPE, digest_of, is_current, layout
from hook_widgets.webhooks.registry.sources import Source


def catalog(sources: Mapping[str, Source]) -> str:
    """Return the text of the compiled file.

    Raises:
        CatalogError: the data of one of them is wrong.
    """
    from hook_widgets.webhooks.registry.loading import load  # imports pydantic

    lines = [layout()]
    for name, source in sorted(sources.items()):
        provider = load(source, sources.__getitem__)
        chain = [sources[folder.name] for folder in provider._folders]  # its own, then its ancestors'
        record = json.dumps(_plain(provider), ensure_ascii=False, separators=(",", ":"))
        lines.append("\t".join((name, digest_of(chain), " ".join(s.name for s in chain), record)))
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    """Return a record as a JSON value, without the fields that have their default."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {TYPE: type(value).__name__} | {
            field.name: _plain(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if not field.name.startswith("_") and getattr(value, field.name) != _default(field)
        }
    if isinstance(value, Enum):
        return {TYPE: type(value).__name__, "value": value.value}
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, tuple) else value


def _default(field: dataclasses.Field[Any]) -> object:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def main() -> None:
    """Write the compiled file if it is not current."""
    if not is_current(built_in()):
        part = FILE.with_suffix(".part")
        part.write_text(catalog(built_in()), "utf-8")
        part.replace(FILE)  # a build that is interrupted leaves the old file, not half of one


if __name__ == "__main__":
    main()
