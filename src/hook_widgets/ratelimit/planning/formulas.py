"""Title, unit, formula and source of every figure of a plan.

They are data, in ``formulas.json`` in this package. A formula is an expression in the names of its inputs;
the tests evaluate each formula and compare the result.
"""

from __future__ import annotations

import json
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from hook_widgets.ratelimit.planning.metrics import Metric, Value

FORMULAS: Final[dict[str, dict[str, str]]] = json.loads(
    (files(__package__) / "formulas.json").read_text(encoding="utf-8")
)
"""Title, unit, formula and source of each figure, by its name."""


def metric(name: str, value: Value, **inputs: Value) -> Metric:
    """Return the figure of this name with its value and the inputs of its formula."""
    return Metric(name=name, value=value, inputs=MappingProxyType(inputs), **FORMULAS[name])
