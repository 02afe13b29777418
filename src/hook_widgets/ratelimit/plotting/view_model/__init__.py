"""Data, texts, scales and colours of a plot of runs, independent of the renderer."""
