"""Bodies and templates as text: locate values and report errors without re-serializing the body."""
