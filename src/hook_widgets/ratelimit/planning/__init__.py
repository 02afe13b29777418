"""Plan for a published limit: client budgets, queue sizes, bucket capacities, alerts and advice."""
