"""Build and parse the headers that announce deprecations and removals: Deprecation, Sunset, Link, Warning."""
