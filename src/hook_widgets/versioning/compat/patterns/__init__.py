"""Regular expressions of schemas, matched without backtracking."""
