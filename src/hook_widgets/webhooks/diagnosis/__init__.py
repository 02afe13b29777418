"""Find out why a request does not verify, and what to change."""

from hook_widgets.webhooks.diagnosis.api import diagnose, investigate
from hook_widgets.webhooks.diagnosis.causes import Finding, causes
from hook_widgets.webhooks.diagnosis.detection import detect
from hook_widgets.webhooks.diagnosis.hypotheses import Limits
from hook_widgets.webhooks.diagnosis.report import BaseString, Diagnosis
from hook_widgets.webhooks.diagnosis.session import Investigation

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
