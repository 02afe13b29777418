"""Read pasted text: raw HTTP, lines of headers, maps without quotes, invisible characters."""
