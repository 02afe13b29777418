"""Plan for a published limit: client budgets, queue sizes, bucket capacities, alerts and advice."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
