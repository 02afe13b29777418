"""What opens connections: sending to a receiver, and a receiver on this machine. Nothing else here does."""
