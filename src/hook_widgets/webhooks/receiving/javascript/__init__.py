"""Receivers in JavaScript: node:crypto, as an ES module."""
