"""Receivers in Ruby, with openssl and the rest of the standard library."""
