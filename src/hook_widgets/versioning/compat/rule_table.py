"""The rules of all kinds of documents."""

from hook_widgets.versioning.compat.openapi.rules import OPENAPI_RULES
from hook_widgets.versioning.compat.rules import SCHEMA_RULES, table

RULES = table(SCHEMA_RULES, OPENAPI_RULES)
"""Every rule by its id, as in the table of the guide."""
