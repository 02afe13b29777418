"""Limiters: the algorithms, their parameters, layers and per-client limits, and published presets."""
