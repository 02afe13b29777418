"""Receivers in Go, with the standard library only."""
