"""Content and layout of a picture of versions, shared by all renderers."""
