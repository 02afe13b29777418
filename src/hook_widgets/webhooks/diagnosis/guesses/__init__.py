"""Guesses of the body, URL, timestamp, key or base string that the sender used instead."""
