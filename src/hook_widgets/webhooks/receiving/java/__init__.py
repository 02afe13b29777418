"""Receivers in Java: javax.crypto and java.security, and Jackson where JSON has to be read."""
