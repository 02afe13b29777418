"""Read requests that are written as values: JSON, printed mappings, and environments."""
