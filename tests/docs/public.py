"""Public API of the package: the modules that the reference covers, and their names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from types import GenericAlias
from typing import Any, NamedTuple

MODULES = (
    "hook_widgets",
    "hook_widgets.errors",
    "hook_widgets.webhooks",
    "hook_widgets.webhooks.delivery",
    "hook_widgets.webhooks.models",
    "hook_widgets.webhooks.recordings",
    "hook_widgets.receivers",
    "hook_widgets.testing",
    "hook_widgets.endpoints",
    "hook_widgets.ratelimit",
    "hook_widgets.ratelimit.clients",
    "hook_widgets.ratelimit.configs",
    "hook_widgets.ratelimit.http",
    "hook_widgets.ratelimit.inference",
    "hook_widgets.ratelimit.planning",
    "hook_widgets.versioning",
    "hook_widgets.versioning.compat",
    "hook_widgets.versioning.negotiation",
    "hook_widgets.versioning.notices",
)


class Public(NamedTuple):
    """A public name, what it stands for, and whose method it is."""

    name: str
    thing: Any
    owner: type = object

    def docs(self) -> list[str]:
        """Its docstring first, then those of what it overrides or is derived from."""
        last = self.name.rpartition(".")[2]
        same = [vars(base).get(last) for base in self.owner.__mro__[1:]]
        derived = self.thing.__mro__[1:] if inspect.isclass(self.thing) else []
        return [inspect.getdoc(self.thing) or ""] + [
            inspect.cleandoc(other.__doc__ or "") for other in [*same, *derived] if other is not None
        ]


def names(module: str) -> list[Public]:
    """The public names of a module: those it exports, or all that it defines without an underscore."""
    room = import_module(module)
    exported = getattr(room, "__all__", None) or [
        name
        for name, thing in vars(room).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module
    ]
    return [Public(f"{module}.{name}", getattr(room, name)) for name in exported]


def callables() -> Iterator[Public]:
    """Every public function, class and method that a user calls, once: neither aliases nor protocols."""
    seen: set[int] = set()
    for name, thing, _ in [public for module in MODULES for public in names(module)]:
        alias = isinstance(thing, GenericAlias) or getattr(thing, "_is_protocol", False)
        if not callable(thing) or alias or id(thing) in seen:
            continue
        seen.add(id(thing))
        yield Public(name, thing)
        if inspect.isclass(thing):
            yield from _methods(name, thing)


def _methods(owner: str, thing: type) -> Iterator[Public]:
    for name, member in vars(thing).items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        ours = inspect.isfunction(function) and function.__module__.startswith("hook_widgets")
        if ours and not name.startswith("_"):
            yield Public(f"{owner}.{name}", getattr(thing, name), thing)
