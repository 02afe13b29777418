"""Read recorded requests of other tools, compare them, and export them."""
