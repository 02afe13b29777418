"""Plan the versions of an API: form input, timeline, pictures, notices to users, and a calendar."""
