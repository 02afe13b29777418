"""Bring pasted text into a form that can be parsed: lines, maps without quotes, invisible characters."""
