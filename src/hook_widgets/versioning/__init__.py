r"""API versioning: negotiate versions, find breaking changes, and plan deprecations and removals.

Import names from this package, or from `compat`, `negotiation` and `notices` inside it: their modules are
internal and may change. A name is loaded on first access, so that importing the package loads neither
matplotlib, jsonschema, icalendar nor YAML.

>>> from datetime import UTC, datetime
>>> from hook_widgets.versioning import Api, Release, lifecycle
>>> old = Release(1, lifecycle=lifecycle(datetime(2026, 3, 2, 10, tzinfo=UTC)))
>>> api = Api(name="Orders API", releases=(old, Release(2)))
>>> route = api.negotiate("/api/v1/orders", at=datetime(2026, 11, 21, tzinfo=UTC)).route
>>> route.major, route.target
(1, '/orders')
>>> print(*route.headers, sep="\n")
('Api-Version', '1')
('Deprecation', '@1772445600')
('Sunset', 'Thu, 02 Sep 2027 10:00:00 GMT')
('Link', '</api/v2/orders>; rel="successor-version"')
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__, figure_error="VersioningError")
