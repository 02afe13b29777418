"""Version negotiation: locate the requested version, parse ``Accept``, and build error responses."""
