"""Instants with time zones, and business days."""
