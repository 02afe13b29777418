"""Keys: shared secrets, key pairs, certificates, and signing jobs."""
