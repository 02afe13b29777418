"""Inference of the limiter behind an API from the statuses of requests, as regions that never exclude it."""
