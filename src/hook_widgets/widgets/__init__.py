"""The Jupyter widgets: thin adapters over the core."""
