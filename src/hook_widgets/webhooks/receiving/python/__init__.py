"""Receivers in Python: hmac and hashlib, and `cryptography` for key pairs."""
