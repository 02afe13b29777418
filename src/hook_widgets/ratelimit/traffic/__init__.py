"""Arrival times: patterns, access logs, and workloads of steady requests with bursts."""
