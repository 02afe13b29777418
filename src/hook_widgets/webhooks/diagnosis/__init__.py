"""Why a request does not verify, and what to change: a solver over the usual causes."""

from hook_widgets.webhooks.diagnosis.asking import diagnose, investigate
from hook_widgets.webhooks.diagnosis.causes import Finding, causes
from hook_widgets.webhooks.diagnosis.detecting import detect
from hook_widgets.webhooks.diagnosis.investigation import Investigation
from hook_widgets.webhooks.diagnosis.report import BaseString, Diagnosis
from hook_widgets.webhooks.diagnosis.solver import Limits

__all__ = [
    "BaseString",
    "Diagnosis",
    "Finding",
    "Investigation",
    "Limits",
    "causes",
    "detect",
    "diagnose",
    "investigate",
]
