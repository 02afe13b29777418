"""The webhook generator: widget, inputs, deliveries, signing and diagnosis."""
