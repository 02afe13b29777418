"""The functions that decide the checks: one for each id, one module for each area or part of one."""

from hook_widgets.receivers.checks.table import CHECKS

__all__ = ["CHECKS"]
