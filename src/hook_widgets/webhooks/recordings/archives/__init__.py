"""Read HTTP archives, and write exchanges as archives and JSON without credentials."""
