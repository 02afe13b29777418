"""Facts of a preset: what its API publishes and where, what a scenario assumes, and what is changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hook_widgets.ratelimit.formatting import short
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.limiters.presets import Preset
from hook_widgets.ratelimit.planning.inputs import inputs_of
from hook_widgets.ratelimit.planning.scenario import Scenario


@dataclass(frozen=True, slots=True)
class PresetFact:
    """A sentence on a preset.

    Attributes:
        text: the sentence.
        source: URL of the page that publishes it; may be empty.
        changed: True if the scenario differs from what is published.
    """

    text: str
    source: str = ""
    changed: bool = False


def preset_facts(preset: Preset, scenario: Scenario) -> Iterator[PresetFact]:
    """Yield what of a preset is published, with its source, what is assumed, and what is changed."""
    if preset.note:
        yield PresetFact(preset.note)
    if preset.source:
        published, elsewhere = ["limits"], bool(preset.algorithm_source)
        algorithm = f"algorithm ({_label(preset.algorithm)})" if preset.algorithm else ""
        if algorithm and not elsewhere:
            published.append(algorithm)
        if preset.burst_allowance is not None:
            published.append(f"burst allowance ({short(preset.burst_allowance)})")
        if preset.concurrency is not None:
            published.append(f"requests in flight ({short(preset.concurrency)})")
        read = f", read {preset.read}" if preset.read else ""
        yield PresetFact(f"Published{read}: {', '.join(published)}.", preset.source)
        if algorithm and elsewhere:
            yield PresetFact(f"Published: {algorithm}.", preset.algorithm_source)
        assumed = ", ".join(_assumed(preset, scenario))
        if assumed:
            yield PresetFact(f"Not published, so assumed: {assumed}.")
    changes = ", ".join(_changes(preset, scenario))
    if changes:
        yield PresetFact(f"Changed: {changes}.", changed=True)


def _assumed(preset: Preset, scenario: Scenario) -> Iterator[str]:
    if not preset.algorithm:
        algorithm = scenario.algorithm
        yield f"algorithm ({'any of the five' if algorithm is None else algorithm.label.lower()})"
    if preset.burst_allowance is None:
        entered = scenario.inputs.burst_allowance
        whole = ", the whole quota" if entered is None else ""
        yield f"burst allowance ({short(scenario.planned['burst_allowance'])}{whole})"


def _changes(preset: Preset, scenario: Scenario) -> Iterator[str]:
    if preset.algorithm and preset.algorithm != scenario.algorithm:
        yield f"Algorithm (published: {LimitAlgorithm(preset.algorithm).label})"
    inputs, entries = scenario.inputs, inputs_of(type(scenario.inputs))
    published = {
        "burst_allowance": (preset.burst_allowance, inputs.burst_allowance),
        "in_flight": (preset.concurrency, inputs.in_flight or inputs.uncounted_in_flight),
    }
    if inputs.queued != (preset.enforcement == "queue"):
        waits, rejects = "requests wait instead of being rejected", "simulated as rejecting requests"
        yield waits if inputs.queued else f"{rejects} (published: they wait)"
    for name, (value, entered) in published.items():
        if value not in (None, entered):
            yield f"{entries[name].label} (published: {short(value)})"


def _label(algorithm: str) -> str:
    return LimitAlgorithm(algorithm).label.lower()
