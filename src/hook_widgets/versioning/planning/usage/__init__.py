"""Count the calls of each version from an access log: who still calls v1?"""
