"""Drafts, signed requests, received requests and handshakes of a provider."""
