"""Diagnose why a widget is not displayed: list installed packages, problems and their solutions."""

from hook_widgets._doctor.environment import detect_environment
from hook_widgets._doctor.output import doctor, report

__all__ = ["detect_environment", "doctor", "report"]
