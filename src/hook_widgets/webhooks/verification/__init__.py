"""Verification of received requests: parse them by the provider's scheme, and check the signature."""
