"""Receivers in JavaScript: ES modules that use node:crypto."""
