"""Parameters, headers and media types of an operation."""
