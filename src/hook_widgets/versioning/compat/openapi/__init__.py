"""Compare OpenAPI documents: endpoints, parameters, bodies, responses and authentication."""

from hook_widgets.versioning.compat.openapi.comparison import compare_openapi
from hook_widgets.versioning.compat.openapi.rules import OPENAPI_RULES

__all__ = ["OPENAPI_RULES", "compare_openapi"]
