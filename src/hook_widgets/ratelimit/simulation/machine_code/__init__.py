"""Long traces decided by machine code, and layers and clients as arrays of whole numbers for it."""
