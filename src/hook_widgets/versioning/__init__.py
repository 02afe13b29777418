"""API versions: negotiate, classify a change, deprecate, remove."""
