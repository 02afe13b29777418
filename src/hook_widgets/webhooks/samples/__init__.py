"""Sample bodies of events, varied by values that are made up of a seed or given."""
