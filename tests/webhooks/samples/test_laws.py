"""Random variants of the sample bodies keep the laws of the originals (tests/webhooks/data)."""

from __future__ import annotations

import re
from decimal import Decimal
from urllib.parse import unquote

import pytest

from hook_widgets.webhooks import provider, registry
from hook_widgets.webhooks.samples.generators import ParamKind
from tests.support.extent import extent, some
from tests.webhooks.data import test_identifiers as identifiers
from tests.webhooks.data import test_numbers as numbers
from tests.webhooks.data import test_outcomes as outcomes
from tests.webhooks.data import test_same_objects as same_objects
from tests.webhooks.data import test_times as times

READERS = {
    times: "bodies",
    same_objects: "bodies",
    numbers: "bodies",
    outcomes: "bodies",
    identifiers: "documents",
}
"""The modules of the laws, each with its function that reads the parsed bodies of a provider."""

LAWS = [
    value
    for module, reader in READERS.items()
    for name, value in vars(module).items()
    if name.startswith("test_") and reader in value.__code__.co_names and value.__code__.co_argcount
]
WRITTEN = re.compile(r"(?<![0-9.])(?<![A-Za-z0-9]-)(?<![0-9]:)[0-9][0-9.,]*(?![A-Za-z0-9:-])")
"""A number in any text, but not a part of a time, a name or an id."""
NUMBER = re.compile(r'(?<=[:"])-?([0-9]+(?:\.[0-9]+)?)(?=[",}])')
SUM = re.compile(r"[0-9]+[.][0-9]+|[0-9]{3,9}")
"""A smaller number is easily the sum of two others, and a larger one is an id."""
SIGN = re.compile(r'[£¥€₦₱₹]|\$(?=[0-9"{])')
VARIED = [known.id for known in registry.providers() if known.params]


def test_there_are_laws_of_each_module() -> None:
    assert {module.__name__ for module in READERS} == {law.__module__ for law in LAWS}


@pytest.mark.parametrize("index", range(len(VARIED)), ids=VARIED)
def test_a_variant_keeps_the_laws(index: int, monkeypatch: pytest.MonkeyPatch) -> None:
    known = provider(VARIED[index])
    events = extent(some(known.events, 2), known.events)
    for seed in extent([index], range(10)):
        bodies = times.parsed({event.name: known.sample(event.name, seed=seed).body for event in events})
        for module, reader in READERS.items():
            monkeypatch.setattr(module, reader, {known.id: bodies}.__getitem__)

        for law in LAWS:
            law(known.id)


@pytest.mark.parametrize("name", VARIED)
def test_of_a_value_that_a_seed_changes_nothing_is_left(name: str) -> None:
    """Nor inside a URL, another member, a form field or a header."""
    known = provider(name)
    left = []
    for event in known.events:
        sample, scheme = known.sample(event.name, seed=7), known.scheme(event.scheme)
        headers = {header: scheme.header_template(header).text for header in scheme.headers}
        headers |= event.headers | sample.headers
        text = unquote("\n".join([sample.body.decode(), *headers.values()]))
        left += [
            (event.name, variable.name, variable.value)
            for variable in known.variation(event.name).variables
            if len(variable.value) >= 6
            and variable.value != sample.values[variable.name]
            and variable.value in text
        ]

    assert [] == left


@pytest.mark.parametrize("name", VARIED)
def test_no_body_has_a_sign_of_a_currency_that_a_seed_changes(name: str) -> None:
    """The data say `random = false` of a currency to which a sign, a country or a bank belongs."""
    known = provider(name)
    names = {key for key, p in known.params.items() if p.random and p.kind is ParamKind.CURRENCY}
    signed = [
        event.name
        for event in (known.events if names else ())
        if names & {variable.name for variable in known.variation(event.name).variables}
        and SIGN.search(re.sub(r"\\u([0-9a-fA-F]{4})", _char, known.template(event.name).decode()))
    ]

    assert [] == signed


def _char(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16))


@pytest.mark.parametrize("name", VARIED)
def test_a_number_that_a_seed_changes_stands_nowhere_else(name: str) -> None:
    """Nor in another form, nor as a sum: the data say `random = false` of one that does."""
    known = provider(name)
    numeric = {ParamKind.INTEGER, ParamKind.DECIMAL}
    names = {key for key, param in known.params.items() if param.random and param.kind in numeric}
    again = []
    for event in extent(some(known.events, 2), known.events) if names else ():
        variation = known.variation(event.name)
        for variable in variation.variables:
            if variable.name in names and variable.value != "0":
                rest = unquote(variation.vary({variable.name: "0"}).decode())
                digits = variable.value.replace(".", "")
                others = {written.replace(",", "").replace(".", "") for written in WRITTEN.findall(rest)}
                numbers = {Decimal(text) for text in NUMBER.findall(rest)} - {0}
                own = Decimal(variable.value)
                if digits in others or (
                    SUM.fullmatch(variable.value)
                    and any(own - n in numbers or own + n in numbers for n in numbers)
                ):
                    again.append((event.name, variable.name, variable.value))

    assert [] == again
