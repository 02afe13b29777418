"""Read access logs of any common form, for the rate limits and the versions of an API."""
