"""What a picture of runs says and how it looks, before anything is drawn: for every way to draw it."""
