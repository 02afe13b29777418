"""Rate limit header fields and responses: build, parse, and observe those of other APIs."""
