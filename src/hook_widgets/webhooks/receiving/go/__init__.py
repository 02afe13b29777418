"""Receivers in Go: crypto and what else the standard library has."""
