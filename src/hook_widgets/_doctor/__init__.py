"""Diagnose why a widget is not displayed: list installed packages, problems and their solutions."""

from hook_widgets._doctor.environment import detect_environment as detect_environment
from hook_widgets._doctor.output import doctor as doctor
from hook_widgets._doctor.output import report as report
