"""Sending to a receiver, and a local receiver: the only package here that opens connections."""
