"""Changes between two versions of an API: found, and judged breaking or not.

>>> print(compare({"type": "integer"}, {"type": "number"}, direction="response"))
1 difference, 1 breaking: this needs a new major version.
- breaking: the document: The type was integer and is now number. [type-widened]
"""

from hook_widgets.versioning.changes.change import Change, Comparison, Direction, Kind
from hook_widgets.versioning.changes.compare import compare
from hook_widgets.versioning.changes.openapi.rules import OPENAPI_RULES
from hook_widgets.versioning.changes.rules import SCHEMA_RULES, Breaks, Rule, table

RULES = table(SCHEMA_RULES, OPENAPI_RULES)
"""Every rule by its id: the table of the guide."""

__all__ = ["RULES", "Breaks", "Change", "Comparison", "Direction", "Kind", "Rule", "compare"]
