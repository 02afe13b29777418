"""Pictures of an API's versions: a view model, and renderers for matplotlib and SVG."""
