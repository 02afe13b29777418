"""What headers tell about the end of a version: each of them written and read, and all of them at once."""
