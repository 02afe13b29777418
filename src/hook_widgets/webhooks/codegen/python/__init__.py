"""Receivers in Python, with hmac and hashlib, and `cryptography` for public keys."""
