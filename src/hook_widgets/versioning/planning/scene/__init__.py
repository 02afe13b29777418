"""What a picture of versions says and how it looks, before anything is drawn: for every way to draw it."""
