"""Configurations of servers and libraries that enforce a limit, written from a limiter and read back."""
