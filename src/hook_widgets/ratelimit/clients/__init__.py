"""Clients that retry: policies, and closed-loop simulations of them against a limiter."""
