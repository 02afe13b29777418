"""Bodies and templates as text: what stands where in one, what is wrong with it, no byte rewritten."""
