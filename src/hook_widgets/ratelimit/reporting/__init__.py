"""Reports on a scenario, and the scales of input sliders."""
