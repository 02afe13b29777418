"""Sample bodies of events, varied by random or given values."""
