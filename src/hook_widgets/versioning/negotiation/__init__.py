"""Version negotiation: locate the requested version, parse ``Accept``, and build error responses."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
