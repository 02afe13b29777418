"""JSON Schema: normalize schemas, and compare them keyword by keyword."""
