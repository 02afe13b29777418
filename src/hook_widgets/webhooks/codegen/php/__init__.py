"""Receivers in PHP, with the bundled extensions hash, openssl and sodium."""
