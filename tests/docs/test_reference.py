"""The reference: every public name stands in it, and every docstring fits its signature."""

from __future__ import annotations

import builtins
import enum
import inspect
import re

import pytest
from matplotlib.figure import Figure
from sphinx.util.inventory import InventoryFile

from hook_widgets import VersionPlanner, errors
from hook_widgets.ratelimit.planning import PlanInputs
from hook_widgets.ratelimit.planning.inputs import inputs_of
from tests.docs.public import MODULES, callables, names

CALLABLES = list(callables())
# What a widget takes by name only, and explains one by one.
INPUTS = set(VersionPlanner.lockable)
SECTION = r"^{}:\n((?:    .*\n|\n)+)"


@pytest.fixture(scope="session")
def documented(site):
    """The names in the inventory that Sphinx writes for other projects."""
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    return {name for kind, objects in inventory.items() if kind.startswith("py:") for name in objects}


def entries(doc, title):
    """The names that a section of a docstring explains; None without one."""
    section = re.search(SECTION.format(title), f"{doc}\n", re.MULTILINE)
    return None if section is None else re.findall(r"^    \**(\w+)(?: \(.*?\))?:", section[1], re.MULTILINE)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_stands_in_the_reference(module, documented):
    def places(public):
        home = getattr(public.thing, "__module__", None)
        owner = ".".join(module.split(".")[:2])  # a room exports names of its modules
        return {
            public.name,
            f"{home}.{public.name.rpartition('.')[2]}",
            f"{owner}.{public.name.rpartition('.')[2]}",
        }

    assert names(module)
    assert [] == [public.name for public in names(module) if not places(public) & documented]


@pytest.mark.parametrize("public", CALLABLES, ids=[public.name for public in CALLABLES])
def test_a_docstring_explains_what_the_signature_takes(public):
    doc, *others = public.docs()
    assert doc, f"{public.name} has no docstring"
    if inspect.isclass(public.thing) and issubclass(public.thing, enum.Enum | BaseException | Figure):
        return  # nobody calls them
    taken = set(inspect.signature(public.thing).parameters)
    taken -= {"self", "unknown"}  # what is rejected by its name
    taken = {name for name in taken if not name.startswith("_")}
    if inspect.isclass(public.thing) and issubclass(public.thing, PlanInputs):
        taken -= {name for name, entry in inputs_of(public.thing).items() if entry.help}
    sections = ["Args", "Attributes"] if inspect.isclass(public.thing) else ["Args"]
    explained = [name for text in (doc, *others) for title in sections for name in entries(text, title) or []]

    assert [] == [name for name in entries(doc, "Args") or [] if name not in taken | {"inputs"} | INPUTS]
    assert set() == taken - set(explained) - set(re.findall(r"\w+", doc)), "it says nothing of these"


@pytest.mark.parametrize("public", CALLABLES, ids=[public.name for public in CALLABLES])
def test_what_a_docstring_says_is_raised_is_an_exception(public):
    said = entries(public.docs()[0], "Raises") or []
    known = {**vars(builtins), **vars(errors)}

    assert [] == [name for name in said if not issubclass(known.get(name, object), BaseException)]


def test_the_check_reads_what_a_section_explains():
    doc = """Do it.

    Args:
        one: the first,
            and more: of it.
        *two: the others.

    Raises:
        InvalidLimit: it cannot.
    """

    assert ["one", "two"] == entries(inspect.cleandoc(doc), "Args")
    assert ["InvalidLimit"] == entries(inspect.cleandoc(doc), "Raises")
    assert entries("Do it.", "Args") is None
