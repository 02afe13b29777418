"""The report of a run: results without secrets, as JSON, JUnit XML, Markdown, HTML and a pytest file."""
