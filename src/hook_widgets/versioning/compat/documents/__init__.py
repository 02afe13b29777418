"""Documents: load JSON or YAML, and resolve references."""
