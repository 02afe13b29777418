"""Simulate a limiter on a trace of requests and record the exact result."""
