"""The rate limit calculator: widget, fields, inputs and frames."""
