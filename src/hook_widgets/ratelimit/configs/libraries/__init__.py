"""Libraries that enforce a limit."""
