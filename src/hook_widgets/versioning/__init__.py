r"""API versioning: negotiate versions, find breaking changes, and plan deprecations and removals.

>>> from datetime import UTC, datetime
>>> from hook_widgets.versioning import Api, Release, lifecycle
>>> old = Release(1, lifecycle=lifecycle(datetime(2026, 3, 2, 10, tzinfo=UTC)))
>>> api = Api(name="Orders API", releases=(old, Release(2)))
>>> served = api.negotiate("/api/v1/orders", at=datetime(2026, 11, 21, tzinfo=UTC))
>>> served.major, served.target
(1, '/orders')
>>> print(*served.headers, sep="\n")
('Api-Version', '1')
('Deprecation', '@1772445600')
('Sunset', 'Thu, 02 Sep 2027 10:00:00 GMT')
('Link', '</api/v2/orders>; rel="successor-version"')
"""

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.compat import RULES, Change, Comparison, Direction, Kind, Rule, compare
from hook_widgets.versioning.deprecation_schedule import Lifecycle, lifecycle
from hook_widgets.versioning.negotiation.negotiate import Served
from hook_widgets.versioning.negotiation.responses import Answer, Code
from hook_widgets.versioning.negotiation.version_location import Place
from hook_widgets.versioning.notices.deprecation import build_deprecation, parse_deprecation
from hook_widgets.versioning.notices.links import Link, build_links, parse_links
from hook_widgets.versioning.notices.reading import Notices, read_notices
from hook_widgets.versioning.notices.sunset import build_sunset, parse_sunset
from hook_widgets.versioning.notices.warning_header import HttpWarning, build_warning, parse_warnings
from hook_widgets.versioning.planning.announcement import Announcement, announcements
from hook_widgets.versioning.planning.calendar import calendar
from hook_widgets.versioning.planning.timeline import Row, timeline
from hook_widgets.versioning.release import Release, Status
from hook_widgets.versioning.routes import Route, RouteFault, check_routes

__all__ = [
    "RULES",
    "Announcement",
    "Answer",
    "Api",
    "Change",
    "Code",
    "Comparison",
    "Direction",
    "HttpWarning",
    "Kind",
    "Lifecycle",
    "Link",
    "Notices",
    "Place",
    "Release",
    "Route",
    "RouteFault",
    "Row",
    "Rule",
    "Served",
    "Status",
    "announcements",
    "build_deprecation",
    "build_links",
    "build_sunset",
    "build_warning",
    "calendar",
    "check_routes",
    "compare",
    "lifecycle",
    "parse_deprecation",
    "parse_links",
    "parse_sunset",
    "parse_warnings",
    "read_notices",
    "timeline",
]
