"""Receivers in Ruby: openssl and what else comes with the language."""
