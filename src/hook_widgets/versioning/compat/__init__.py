"""Compare two versions of an API document and classify each change as breaking or not.

Everything that reads a document raises `InvalidDocument` where it is invalid, with the place.

>>> from hook_widgets.versioning.compat import compare
>>> print(compare({"type": "integer"}, {"type": "number"}, direction="response"))
1 difference, 1 breaking: this needs a new major version.
- breaking: the document: The type was integer and is now number. [type-widened]
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
