"""Proxies and web servers that enforce a limit."""
