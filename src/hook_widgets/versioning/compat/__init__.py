"""Compare two versions of an API document and classify each change as breaking or not.

>>> print(compare({"type": "integer"}, {"type": "number"}, direction="response"))
1 difference, 1 breaking: this needs a new major version.
- breaking: the document: The type was integer and is now number. [type-widened]
"""

from hook_widgets.versioning.compat.change import Change, Comparison, Direction, Kind
from hook_widgets.versioning.compat.comparison import compare
from hook_widgets.versioning.compat.openapi.rules import OPENAPI_RULES
from hook_widgets.versioning.compat.rules import SCHEMA_RULES, Breaks, Rule, table

RULES = table(SCHEMA_RULES, OPENAPI_RULES)
"""Every rule by its id, as in the table of the guide."""

__all__ = ["RULES", "Breaks", "Change", "Comparison", "Direction", "Kind", "Rule", "compare"]
