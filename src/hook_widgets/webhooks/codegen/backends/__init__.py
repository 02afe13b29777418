"""The languages of the generated receivers: one module each, with its `Backend` as ``BACKEND``."""
