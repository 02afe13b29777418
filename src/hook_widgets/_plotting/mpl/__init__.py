"""Parts of matplotlib figures that both cores use. Importing a module of this package loads matplotlib."""
