"""The command ``hook-widgets``: the cores without a notebook.

A command prints its result, and nothing else, to standard output. Exit codes: 0 right, 1 findings, 2 wrong
use, 3 could not run. Secrets come from an environment variable, a file descriptor or a prompt, never from an
argument.
"""
