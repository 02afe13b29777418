"""Deprecation notices for the users of a version: four Markdown texts (CommonMark), one for each date.

Every date and header in them is computed from the `Api` record; they promise nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.brownouts import Brownout, BrownoutResponse
from hook_widgets.versioning.deprecation_schedule import Lifecycle
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.planning.date_formatting import (
    count_days,
    days_between,
    duration,
    in_full,
    local,
    zone_of,
)
from hook_widgets.versioning.planning.sample_exchange import exchange
from hook_widgets.versioning.planning.timeline import LifecycleStep, lifecycle_steps
from hook_widgets.versioning.release import HeadersBegin, Status

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")  # escaped by a backslash (CommonMark 0.31.2, 2.4)
_PLAIN: Final = re.compile(r"[,'\"/()%;:?]")  # of these, the ones without meaning inside a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One notice to send.

    Attributes:
        step: the date of the lifecycle at which it is sent.
        title: first line, as plain text.
        filename: suggested file name.
        text: whole notice in Markdown.
        due: time to send it, in the zone of the API's dates.
    """

    step: LifecycleStep
    title: str
    filename: str
    text: str
    due: datetime


def announcements(api: Api, major: int) -> tuple[Announcement, ...]:
    """Return the four notices for a version, in the order of sending; empty when it is not deprecated.

    Args:
        api: the API.
        major: the version.

    Raises:
        InvalidApi: no such version.

    >>> from hook_widgets.versioning.deprecation_schedule import lifecycle
    >>> from hook_widgets.versioning.release import Release
    >>> dates = lifecycle(datetime.fromisoformat("2026-06-01T00:00Z"))
    >>> api = Api(name="Orders API", releases=(Release(1, lifecycle=dates), Release(2)))
    >>> [text.title for text in announcements(api, 1)][:2]
    ['Orders API: version 1 is deprecated', 'Orders API: version 1 will be removed in 365 days']
    """
    dates = api.release(major).lifecycle
    if dates is None:
        return ()
    return tuple(
        _text(_Case(api=api, major=major, step=step, due=due, dates=dates))
        for step, due in lifecycle_steps(dates)
    )


def slug(name: str) -> str:
    """Turn a name into a part of a file name: lower-case letters, digits and dashes.

    >>> slug("Orders API"), slug("注文")
    ('orders-api', 'api')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].rstrip("-") or "api"


def escaped(text: str) -> str:
    r"""Escape a text so that Markdown shows it literally, on one line.

    >>> escaped("Orders *API* <v1>")
    'Orders \\*API\\* \\<v1\\>'
    """
    line = " ".join(text.split())
    return _PUNCTUATION.sub(lambda match: match[1] if _PLAIN.match(match[1]) else f"\\{match[1]}", line)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One notice of one version, with the time to send it."""

    api: Api
    major: int
    step: LifecycleStep
    due: datetime
    dates: Lifecycle

    @property
    def zone(self) -> tzinfo:
        return zone_of(self.api, self.due)

    def date_text(self, moment: datetime) -> str:
        return in_full(local(moment, self.zone))

    def days(self, begin: datetime, end: datetime) -> str:
        return count_days(days_between(begin, end, self.zone))

    @property
    def outages(self) -> tuple[Brownout, ...]:
        """Brownouts that are still ahead."""
        return tuple(each for each in self.dates.brownouts if each.starts.timestamp() >= self.due.timestamp())

    @property
    def unchanged(self) -> str:
        """Sentence about the time until the removal."""
        less = ", except during the brownouts below" if self.outages else ""
        return f"it will continue to work as before{less}."

    @property
    def left(self) -> str:
        return self.days(self.due, self.dates.sunset)

    def title(self, wrap: Callable[[str], str]) -> str:
        """Return the first line, with the name of the API passed through `wrap`."""
        name, version = wrap(self.api.name), f"version {self.major}"
        if self.step is LifecycleStep.ANNOUNCEMENT:
            return f"{name}: {version} is deprecated"
        if self.step is LifecycleStep.REMINDER:
            return f"{name}: {version} will be removed in {self.left}"
        if self.step is LifecycleStep.FINAL_NOTICE:
            return f"Final notice: {name} {version} will be removed in {self.left}"
        return f"{name}: {version} has been removed"


def _text(case: _Case) -> Announcement:
    plain = case.title(lambda name: " ".join(name.split()))
    filename = f"{slug(case.api.name)}-v{case.major}-{case.step.value.replace('_', '-')}.md"
    parts = [f"# {case.title(escaped)}", _summary(case)]
    if case.step is not LifecycleStep.REMOVAL:
        parts += ["## What is changing", _changes(case)]
    if case.outages and case.step is not LifecycleStep.REMOVAL:
        parts += ["## Brownouts", _brownouts(case)]
    parts += ["## What to do", _to_do(case)]
    if case.step is not LifecycleStep.REMOVAL:
        parts += ["## Key dates", _table(case)]
    parts += [
        "## After the removal" if case.step is not LifecycleStep.REMOVAL else "## Example response",
        _response(case),
    ]
    return Announcement(
        step=case.step,
        title=plain,
        filename=filename,
        text="\n\n".join(parts) + "\n",
        due=local(case.due, case.zone),
    )


def _summary(case: _Case) -> str:
    # Never at the start of the paragraph, where a name such as "1) a" would begin a list.
    version = f"{escaped(case.api.name)} version {case.major}"
    deprecated, removed = case.date_text(case.dates.deprecated), case.date_text(case.dates.sunset)
    if case.step is LifecycleStep.REMOVAL:
        days = case.days(case.dates.deprecated, case.dates.sunset)
        return f"On {removed}, {version} was removed, {days} after it was deprecated on {deprecated}."
    if case.step is LifecycleStep.ANNOUNCEMENT:
        return (
            f"As of {deprecated}, {version} is deprecated. It will be removed on {removed}, "
            f"{case.left} later. Until then, {case.unchanged}"
        )
    opening, closing = "This is a reminder that", ""
    if case.step is LifecycleStep.FINAL_NOTICE:
        opening = "This is the final notice that"
        closing = " We will not send another notice before that date."
    return (
        f"{opening} {version} will be removed on {removed}, {case.left} from now. "
        f"It has been deprecated since {deprecated}. "
        f"Until it is removed, {case.unchanged}{closing} "
        f"If you no longer use version {case.major}, no action is needed."
    )


def _changes(case: _Case) -> str:
    headers = case.api.headers(case.major, case.due, target="/")
    lines = "\n".join(f"{name}: {value}" for name, value in headers)
    same = ""
    if "successor-version" in dict(headers).get("Link", ""):
        same = "The `successor-version` link points to the same resource in the new version.\n\n"
    version = f"version {case.major}"
    included = f"Every response from {version} now includes these headers:"
    if case.step is LifecycleStep.ANNOUNCEMENT and case.api.headers_begin is HeadersBegin.ANNOUNCEMENT:
        begin = case.date_text(case.dates.deprecated)
        included = f"As of {begin}, every response from {version} includes these headers:"
    return (
        f"{included}\n\n{_fenced(lines)}\n\n{same}"
        f"As of {case.date_text(case.dates.sunset)}, every request to {version} will return `410 Gone`."
    )


def _brownouts(case: _Case) -> str:
    """List the outages that are still ahead, and the response to expect."""
    version = f"version {case.major}"
    if case.api.brownout_response is BrownoutResponse.UNAVAILABLE:
        response = "`503 Service Unavailable` with a `Retry-After` header"
    else:
        response = "`410 Gone`"
    items = [
        f"- From {case.date_text(each.starts)} to {case.date_text(each.ends)} ({duration(each.length)})"
        for each in case.outages
    ]
    one = len(items) == 1
    return (
        f"To show which applications still call {version} before it is removed, we will switch it off for a "
        f"short time. During {'this brownout' if one else 'these brownouts'}, requests to {version} will "
        f"return {response}. Afterwards, {version} will work again.\n\n" + "\n".join(items)
    )


def _to_do(case: _Case) -> str:
    new, released = _successor(case)
    if new is None:
        return (
            "There is no newer stable version to migrate to yet. "
            f"Please check which of your applications still call version {case.major}."
        )
    planned = f", which will be released on {case.date_text(released)}" if released else ""
    items = [f"Migrate to version {new}{planned}: {_request_options(case.api, case.major, new)}."]
    if guide := case.api.guide(case.major, new):
        items.append(f"Follow the migration guide: <{guide}>")
    if case.step is not LifecycleStep.REMOVAL:
        items.append(
            f"To find the applications that still call version {case.major}, search your logs for responses "
            "with the `Deprecation` and `Sunset` headers."
        )
    return "\n".join(f"{k}. {item}" for k, item in enumerate(items, 1))


def _successor(case: _Case) -> tuple[int | None, datetime | None]:
    """Return the version to migrate to, and its release date if that is still ahead.

    A version that is served now and still active at the removal comes first, then one released by then.
    """
    new = case.api.successor(case.major, case.due)
    if new is not None and case.api.status(new, case.dates.sunset) is Status.ACTIVE:
        return new, None
    later = case.api.successor(case.major, case.dates.sunset)
    if later is None:
        return new, None
    released = case.api.release(later).released
    ahead = released is not None and released.timestamp() > case.due.timestamp()
    return later, released if ahead else None


def _request_options(api: Api, old: int, new: int) -> str:
    """List the ways in which a request can name the new version, by the API's precedence."""
    options = {
        VersionLocation.PATH: f"use `{api.prefix}/v{new}/` instead of `{api.prefix}/v{old}/` in the path",
        VersionLocation.HEADER: f"send the header `{api.header}: {new}`",
        VersionLocation.ACCEPT: f"send the header `Accept: application/vnd.{api.vendor}.v{new}+json`",
        VersionLocation.QUERY: f"set `{api.parameter}={new}` in the query string",
    }
    *others, last = (options[location] for location in api.precedence)
    return f"{', '.join(others)}{',' * (len(others) > 1)} or {last}" if others else last


def _table(case: _Case) -> str:
    rows = [("Milestone", "Date", "Days until removal"), ("---", "---", "---:")]
    for step, moment in lifecycle_steps(case.dates):
        name = f"**{step.label}**" if step is case.step else step.label
        rows.append((name, case.date_text(moment), f"{days_between(moment, case.dates.sunset, case.zone):,}"))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _response(case: _Case) -> str:
    """Show the response of `Api.negotiate` to a request after the removal."""
    sample = exchange(case.api, case.major, case.dates.sunset, resource="/")
    target = sample.request.partition(" ")[2]
    sent = "".join(f" with the header `{name}: {value}`" for name, value in sample.sent)
    request = f"`{case.api.base_url}{target}`{sent}"
    requests = f"Requests to {request} now return"
    if case.step is not LifecycleStep.REMOVAL:
        requests = f"After that, requests to {request} return"
    body = sample.body.rstrip("\n")
    block = _fenced(f"HTTP/1.1 {sample.status} {sample.reason}\n{sample.text}\n\n{body}")
    return f"{requests}:\n\n{block}"


def _fenced(text: str) -> str:
    """Return a fenced code block. Headers and JSON have no line of backticks that would end it early."""
    return f"```http\n{text}\n```"
