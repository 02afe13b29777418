"""Find out why a request does not verify, and what to change."""

from hook_widgets.webhooks.diagnosis.api import diagnose as diagnose
from hook_widgets.webhooks.diagnosis.api import investigate as investigate
from hook_widgets.webhooks.diagnosis.causes import Finding as Finding
from hook_widgets.webhooks.diagnosis.causes import causes as causes
from hook_widgets.webhooks.diagnosis.detection import detect as detect
from hook_widgets.webhooks.diagnosis.hypotheses import Limits as Limits
from hook_widgets.webhooks.diagnosis.report import BaseString as BaseString
from hook_widgets.webhooks.diagnosis.report import Diagnosis as Diagnosis
from hook_widgets.webhooks.diagnosis.session import Investigation as Investigation
