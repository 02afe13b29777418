"""Helpers shared by the plots of both cores: SVG output and truncation of texts."""
