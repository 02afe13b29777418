"""Webhooks and rate limits together: local endpoints with a limit, and deliveries through a limit.

>>> import urllib.request
>>> from hook_widgets.endpoints import LimitedServer
>>> from hook_widgets.ratelimit import Limiter
>>> with LimitedServer(Limiter.of("100/min")) as server:
...     response = urllib.request.urlopen(server.url)
>>> response.status, response.headers["RateLimit"]
(200, '"TokenBucket";r=99')

The public interface is the names of this module. The modules below are internal: import nothing from them. A
name's module is loaded on first access.
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
