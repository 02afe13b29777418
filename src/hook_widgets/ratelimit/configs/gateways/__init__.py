"""API gateways that enforce a limit."""
