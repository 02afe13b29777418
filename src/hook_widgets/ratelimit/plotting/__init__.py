"""Plots of runs: a view model and its matplotlib and SVG renderers."""
