"""Compare two versions of an API document and classify each change as breaking or not.

>>> print(compare({"type": "integer"}, {"type": "number"}, direction="response"))
1 difference, 1 breaking: this needs a new major version.
- breaking: the document: The type was integer and is now number. [type-widened]
"""

from hook_widgets.versioning.compat.change import Change, Comparison, Direction, Kind
from hook_widgets.versioning.compat.comparison import compare
from hook_widgets.versioning.compat.rule_table import RULES
from hook_widgets.versioning.compat.rules import Breaks, Rule

__all__ = ["RULES", "Breaks", "Change", "Comparison", "Direction", "Kind", "Rule", "compare"]
