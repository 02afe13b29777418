"""An API's versions for people: entered, as a table, a picture, texts to send, and a calendar."""
