"""The version planner: widget and frames."""
