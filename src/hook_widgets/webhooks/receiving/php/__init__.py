"""Receivers in PHP: hash, openssl and sodium, which come with the language."""
