r"""API versioning: negotiate versions, find breaking changes, and plan deprecations and removals.

Import every name from this package: the modules inside are internal and may change. A name is loaded on first
access, so that importing the package loads neither matplotlib, jsonschema, icalendar nor YAML.

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

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hook_widgets.versioning.api import Api as Api
    from hook_widgets.versioning.brownouts import Brownout as Brownout
    from hook_widgets.versioning.brownouts import BrownoutResponse as BrownoutResponse
    from hook_widgets.versioning.compat import RULES as RULES
    from hook_widgets.versioning.compat.change import CHANGE_COLUMNS as CHANGE_COLUMNS
    from hook_widgets.versioning.compat.change import Change as Change
    from hook_widgets.versioning.compat.change import Comparison as Comparison
    from hook_widgets.versioning.compat.change import Direction as Direction
    from hook_widgets.versioning.compat.change import Kind as Kind
    from hook_widgets.versioning.compat.change import NotCompared as NotCompared
    from hook_widgets.versioning.compat.comparison import compare as compare
    from hook_widgets.versioning.compat.rules import Breaks as Breaks
    from hook_widgets.versioning.compat.rules import Effect as Effect
    from hook_widgets.versioning.compat.rules import Rule as Rule
    from hook_widgets.versioning.dates.business_days import is_business_day as is_business_day
    from hook_widgets.versioning.dates.business_days import next_business_day as next_business_day
    from hook_widgets.versioning.deprecation_schedule import Advisory as Advisory
    from hook_widgets.versioning.deprecation_schedule import Lifecycle as Lifecycle
    from hook_widgets.versioning.deprecation_schedule import lifecycle as lifecycle
    from hook_widgets.versioning.negotiation.accept import AcceptedVersions as AcceptedVersions
    from hook_widgets.versioning.negotiation.accept import MediaRange as MediaRange
    from hook_widgets.versioning.negotiation.accept import accepted_versions as accepted_versions
    from hook_widgets.versioning.negotiation.accept import parse_accept as parse_accept
    from hook_widgets.versioning.negotiation.negotiate import Decision as Decision
    from hook_widgets.versioning.negotiation.negotiate import Routed as Routed
    from hook_widgets.versioning.negotiation.responses import Headers as Headers
    from hook_widgets.versioning.negotiation.responses import ResponseCode as ResponseCode
    from hook_widgets.versioning.negotiation.responses import VersioningResponse as VersioningResponse
    from hook_widgets.versioning.negotiation.version_location import LocatedVersion as LocatedVersion
    from hook_widgets.versioning.negotiation.version_location import VersionLocation as VersionLocation
    from hook_widgets.versioning.negotiation.version_location import locate_version as locate_version
    from hook_widgets.versioning.notices.brownout import build_brownouts as build_brownouts
    from hook_widgets.versioning.notices.brownout import parse_brownouts as parse_brownouts
    from hook_widgets.versioning.notices.deprecation import build_deprecation as build_deprecation
    from hook_widgets.versioning.notices.deprecation import parse_deprecation as parse_deprecation
    from hook_widgets.versioning.notices.httpdate import build_http_date as build_http_date
    from hook_widgets.versioning.notices.httpdate import parse_http_date as parse_http_date
    from hook_widgets.versioning.notices.httpdate import read_http_date as read_http_date
    from hook_widgets.versioning.notices.links import Link as Link
    from hook_widgets.versioning.notices.links import LinkAttributes as LinkAttributes
    from hook_widgets.versioning.notices.links import build_links as build_links
    from hook_widgets.versioning.notices.links import parse_links as parse_links
    from hook_widgets.versioning.notices.links import read_links as read_links
    from hook_widgets.versioning.notices.reading import Notices as Notices
    from hook_widgets.versioning.notices.reading import read_notices as read_notices
    from hook_widgets.versioning.notices.sunset import build_sunset as build_sunset
    from hook_widgets.versioning.notices.sunset import parse_sunset as parse_sunset
    from hook_widgets.versioning.notices.sunset import read_sunset as read_sunset
    from hook_widgets.versioning.notices.warning_header import HttpWarning as HttpWarning
    from hook_widgets.versioning.notices.warning_header import build_warning as build_warning
    from hook_widgets.versioning.notices.warning_header import parse_warnings as parse_warnings
    from hook_widgets.versioning.notices.warning_header import read_warnings as read_warnings
    from hook_widgets.versioning.planning.announcement import Announcement as Announcement
    from hook_widgets.versioning.planning.announcement import announcements as announcements
    from hook_widgets.versioning.planning.calendar import calendar as calendar
    from hook_widgets.versioning.planning.form_input import FormInput as FormInput
    from hook_widgets.versioning.planning.form_input import form_texts as form_texts
    from hook_widgets.versioning.planning.form_input import read_form as read_form
    from hook_widgets.versioning.planning.form_input.fields import FORM_COLUMNS as FORM_COLUMNS
    from hook_widgets.versioning.planning.form_input.fields import FORM_FIELDS as FORM_FIELDS
    from hook_widgets.versioning.planning.form_input.fields import FormField as FormField
    from hook_widgets.versioning.planning.form_input.fields import example_form as example_form
    from hook_widgets.versioning.planning.form_input.zones import zone_names as zone_names
    from hook_widgets.versioning.planning.plotting.mpl import TimelineFigure as TimelineFigure
    from hook_widgets.versioning.planning.plotting.mpl import plot_timeline as plot_timeline
    from hook_widgets.versioning.planning.plotting.mpl import render_timeline as render_timeline
    from hook_widgets.versioning.planning.plotting.svg import draw_light_svg as draw_light_svg
    from hook_widgets.versioning.planning.plotting.view_model.words import (
        describe_timeline as describe_timeline,
    )
    from hook_widgets.versioning.planning.timeline import TIMELINE_COLUMNS as TIMELINE_COLUMNS
    from hook_widgets.versioning.planning.timeline import LifecycleStep as LifecycleStep
    from hook_widgets.versioning.planning.timeline import TimelineRow as TimelineRow
    from hook_widgets.versioning.planning.timeline import TimelineTable as TimelineTable
    from hook_widgets.versioning.planning.timeline import lifecycle_steps as lifecycle_steps
    from hook_widgets.versioning.planning.timeline import timeline as timeline
    from hook_widgets.versioning.planning.timeline import timeline_csv as timeline_csv
    from hook_widgets.versioning.planning.timeline import timeline_table as timeline_table
    from hook_widgets.versioning.planning.usage.counting import CallCount as CallCount
    from hook_widgets.versioning.planning.usage.counting import SkippedLine as SkippedLine
    from hook_widgets.versioning.planning.usage.counting import Usage as Usage
    from hook_widgets.versioning.planning.usage.counting import count_calls as count_calls
    from hook_widgets.versioning.planning.usage.tables import USAGE_COLUMNS as USAGE_COLUMNS
    from hook_widgets.versioning.planning.usage.tables import usage_csv as usage_csv
    from hook_widgets.versioning.planning.usage.tables import usage_markdown as usage_markdown
    from hook_widgets.versioning.release import HeadersBegin as HeadersBegin
    from hook_widgets.versioning.release import Release as Release
    from hook_widgets.versioning.release import Status as Status
    from hook_widgets.versioning.routes import Route as Route
    from hook_widgets.versioning.routes import RouteFault as RouteFault
    from hook_widgets.versioning.routes import RouteFaultKind as RouteFaultKind
    from hook_widgets.versioning.routes import check_routes as check_routes

_MODULES = {
    "api": "Api",
    "brownouts": "Brownout BrownoutResponse",
    "compat": "RULES",
    "compat.change": "CHANGE_COLUMNS Change Comparison Direction Kind NotCompared",
    "compat.comparison": "compare",
    "compat.rules": "Breaks Effect Rule",
    "dates.business_days": "is_business_day next_business_day",
    "deprecation_schedule": "Advisory Lifecycle lifecycle",
    "negotiation.accept": "AcceptedVersions MediaRange accepted_versions parse_accept",
    "negotiation.negotiate": "Decision Routed",
    "negotiation.responses": "Headers ResponseCode VersioningResponse",
    "negotiation.version_location": "LocatedVersion VersionLocation locate_version",
    "notices.brownout": "build_brownouts parse_brownouts",
    "notices.deprecation": "build_deprecation parse_deprecation",
    "notices.httpdate": "build_http_date parse_http_date read_http_date",
    "notices.links": "Link LinkAttributes build_links parse_links read_links",
    "notices.reading": "Notices read_notices",
    "notices.sunset": "build_sunset parse_sunset read_sunset",
    "notices.warning_header": "HttpWarning build_warning parse_warnings read_warnings",
    "planning.announcement": "Announcement announcements",
    "planning.calendar": "calendar",
    "planning.form_input": "FormInput form_texts read_form",
    "planning.form_input.fields": "FORM_COLUMNS FORM_FIELDS FormField example_form",
    "planning.form_input.zones": "zone_names",
    "planning.plotting.mpl": "TimelineFigure plot_timeline render_timeline",
    "planning.plotting.svg": "draw_light_svg",
    "planning.plotting.view_model.words": "describe_timeline",
    "planning.timeline": (
        "TIMELINE_COLUMNS LifecycleStep TimelineRow TimelineTable lifecycle_steps timeline timeline_csv "
        "timeline_table"
    ),
    "planning.usage.counting": "CallCount SkippedLine Usage count_calls",
    "planning.usage.tables": "USAGE_COLUMNS usage_csv usage_markdown",
    "release": "HeadersBegin Release Status",
    "routes": "Route RouteFault RouteFaultKind check_routes",
}
_HOMES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "CHANGE_COLUMNS",
    "FORM_COLUMNS",
    "FORM_FIELDS",
    "RULES",
    "TIMELINE_COLUMNS",
    "USAGE_COLUMNS",
    "AcceptedVersions",
    "Advisory",
    "Announcement",
    "Api",
    "Breaks",
    "Brownout",
    "BrownoutResponse",
    "CallCount",
    "Change",
    "Comparison",
    "Decision",
    "Direction",
    "Effect",
    "FormField",
    "FormInput",
    "Headers",
    "HeadersBegin",
    "HttpWarning",
    "Kind",
    "Lifecycle",
    "LifecycleStep",
    "Link",
    "LinkAttributes",
    "LocatedVersion",
    "MediaRange",
    "NotCompared",
    "Notices",
    "Release",
    "ResponseCode",
    "Route",
    "RouteFault",
    "RouteFaultKind",
    "Routed",
    "Rule",
    "SkippedLine",
    "Status",
    "TimelineFigure",
    "TimelineRow",
    "TimelineTable",
    "Usage",
    "VersionLocation",
    "VersioningResponse",
    "accepted_versions",
    "announcements",
    "build_brownouts",
    "build_deprecation",
    "build_http_date",
    "build_links",
    "build_sunset",
    "build_warning",
    "calendar",
    "check_routes",
    "compare",
    "count_calls",
    "describe_timeline",
    "draw_light_svg",
    "example_form",
    "form_texts",
    "is_business_day",
    "lifecycle",
    "lifecycle_steps",
    "locate_version",
    "next_business_day",
    "parse_accept",
    "parse_brownouts",
    "parse_deprecation",
    "parse_http_date",
    "parse_links",
    "parse_sunset",
    "parse_warnings",
    "plot_timeline",
    "read_form",
    "read_http_date",
    "read_links",
    "read_notices",
    "read_sunset",
    "read_warnings",
    "render_timeline",
    "timeline",
    "timeline_csv",
    "timeline_table",
    "usage_csv",
    "usage_markdown",
    "zone_names",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    if ".plotting.mpl" in home:
        from hook_widgets._optional import matplotlib_renderer
        from hook_widgets.errors import VersioningError

        matplotlib_renderer("hook_widgets.versioning.planning.plotting.mpl", VersioningError)
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
