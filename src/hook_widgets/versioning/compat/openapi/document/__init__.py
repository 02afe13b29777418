"""OpenAPI documents: values with their locations, and pairs of documents."""
