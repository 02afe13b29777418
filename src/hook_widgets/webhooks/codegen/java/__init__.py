"""Receivers in Java, with javax.crypto and java.security, and Jackson if JSON must be read."""
