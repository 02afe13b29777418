"""Compare OpenAPI documents: endpoints, parameters, bodies, responses and authentication."""

from hook_widgets.versioning.compat.openapi.comparison import compare_openapi as compare_openapi
