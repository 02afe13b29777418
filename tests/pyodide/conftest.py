"""For everything that runs inside Pyodide."""

from __future__ import annotations

from hypothesis import settings

# What is tested is the platform. The laws themselves are tested where a thousand examples take a second.
settings.register_profile("pyodide", max_examples=5, deadline=None, derandomize=True)
settings.load_profile("pyodide")
