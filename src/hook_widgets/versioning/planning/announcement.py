"""What to tell the users of a version that goes: four texts in Markdown (CommonMark), one for each date.

Every date and header in them is computed from the API's record: they promise nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.lifecycle import Lifecycle
from hook_widgets.versioning.negotiation.places import Place
from hook_widgets.versioning.planning.datewords import count_days, days_between, in_full, local, zone_of
from hook_widgets.versioning.planning.exchange import exchange
from hook_widgets.versioning.planning.timeline import Step, steps
from hook_widgets.versioning.release import Status

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")  # what a backslash escapes (CommonMark 0.31.2, 2.4)
_PLAIN: Final = re.compile(r"[,'\"/()%;:?]")  # of these, those that mean nothing within a line


@dataclass(frozen=True, slots=True)
class Announcement:
    """One text to be sent.

    Attributes:
        id: the name of its step, such as ``"final_notice"``.
        title: its first line, as plain text.
        filename: a name for a file.
        text: Markdown.
        due: when to send it, in the zone of the API's dates.
    """

    id: str
    title: str
    filename: str
    text: str
    due: datetime


def announcements(api: Api, major: int) -> tuple[Announcement, ...]:
    """The four texts for a version, in the order in which they are sent; none when it is not deprecated.

    Args:
        api: the API.
        major: the version.

    Raises:
        InvalidApi: no such version.

    >>> from hook_widgets.versioning.lifecycle import lifecycle
    >>> from hook_widgets.versioning.release import Release
    >>> dates = lifecycle(datetime.fromisoformat("2026-06-01T00:00Z"))
    >>> api = Api(name="Orders API", releases=(Release(1, lifecycle=dates), Release(2)))
    >>> [text.title for text in announcements(api, 1)][:2]
    ['Orders API: version 1 is deprecated', 'Orders API: version 1 will be removed in 365 days']
    """
    dates = api.release(major).lifecycle
    if dates is None:
        return ()
    return tuple(_text(_Case(api, major, step, due, dates)) for step, due in steps(dates))


def slug(name: str) -> str:
    """A name as part of a file's name: lower-case letters, digits and dashes.

    >>> slug("Orders API"), slug("注文")
    ('orders-api', 'api')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].rstrip("-") or "api"


def escaped(text: str) -> str:
    r"""A text of the user's so that Markdown shows it as it is, on one line.

    >>> escaped("Orders *API* <v1>")
    'Orders \\*API\\* \\<v1\\>'
    """
    line = " ".join(text.split())
    return _PUNCTUATION.sub(lambda found: found[1] if _PLAIN.match(found[1]) else f"\\{found[1]}", line)


@dataclass(frozen=True, slots=True)
class _Case:
    """One text of one version, and when it is sent."""

    api: Api
    major: int
    step: Step
    due: datetime
    dates: Lifecycle

    @property
    def zone(self) -> tzinfo:
        return zone_of(self.api, self.due)

    def told(self, moment: datetime) -> str:
        return in_full(local(moment, self.zone))

    def days(self, begin: datetime, end: datetime) -> str:
        return count_days(days_between(begin, end, self.zone))

    @property
    def left(self) -> str:
        return self.days(self.due, self.dates.sunset)

    def title(self, wrap: Callable[[str], str]) -> str:
        """The first line, with the name of the API as `wrap` gives it."""
        name, version = wrap(self.api.name), f"version {self.major}"
        if self.step is Step.ANNOUNCEMENT:
            return f"{name}: {version} is deprecated"
        if self.step is Step.REMINDER:
            return f"{name}: {version} will be removed in {self.left}"
        if self.step is Step.FINAL_NOTICE:
            return f"Final notice: {version} of {name} will be removed in {self.left}"
        return f"{name}: {version} has been removed"


def _text(case: _Case) -> Announcement:
    plain = case.title(lambda name: " ".join(name.split()))
    filename = f"{slug(case.api.name)}-v{case.major}-{case.step.value.replace('_', '-')}.md"
    parts = [f"# {case.title(escaped)}", _summary(case)]
    if case.step is not Step.REMOVAL:
        parts += ["## What changes", _changes(case)]
    parts += ["## What to do", _to_do(case)]
    if case.step is not Step.REMOVAL:
        parts += ["## Dates", _table(case)]
    parts += ["## After the removal" if case.step is not Step.REMOVAL else "## The answer", _answer(case)]
    return Announcement(
        case.step.value, plain, filename, "\n\n".join(parts) + "\n", local(case.due, case.zone)
    )


def _summary(case: _Case) -> str:
    version = f"Version {case.major} of {escaped(case.api.name)}"
    told, gone = case.told(case.dates.deprecated), case.told(case.dates.sunset)
    if case.step is Step.REMOVAL:
        return (
            f"{version} was removed on {gone}. It had been deprecated since {told}: "
            f"{case.days(case.dates.deprecated, case.dates.sunset)}."
        )
    if case.step is Step.ANNOUNCEMENT:
        return (
            f"{version} is deprecated from {told} on. It will be removed on {gone}, {case.left} later. "
            "Until then it is served as before."
        )
    last = " No other notice follows before that day." if case.step is Step.FINAL_NOTICE else ""
    return (
        f"{version} has been deprecated since {told}. It will be removed on {gone}, {case.left} from now. "
        f"Until then it is served as before.{last}"
    )


def _changes(case: _Case) -> str:
    headers = case.api.headers(case.major, case.due, target="/")
    lines = "\n".join(f"{name}: {value}" for name, value in headers)
    same = ""
    if "successor-version" in dict(headers).get("Link", ""):
        same = "The link `successor-version` names the resource of that answer in the new version.\n\n"
    since = "From the deprecation on" if case.step is Step.ANNOUNCEMENT else "Since the deprecation"
    return (
        f"{since}, each answer of version {case.major} carries these headers:\n\n"
        f"{_fenced('http', lines)}\n\n{same}"
        f"From {case.told(case.dates.sunset)} on, each request to version {case.major} is answered with "
        "`410 Gone`."
    )


def _to_do(case: _Case) -> str:
    new, released = _successor(case)
    if new is None:
        return (
            f"There is no later stable version to move to yet. Find out which of your programs still call "
            f"version {case.major}."
        )
    planned = f", which will be released on {case.told(released)}" if released else ""
    items = [f"Move to version {new}{planned}: {_ways(case.api, case.major, new)}."]
    if guide := case.api.guide(case.major, new):
        items.append(f"Follow the migration guide: <{guide}>")
    if case.step is not Step.REMOVAL:
        items.append(
            "Search the logs of your programs for answers with the headers `Deprecation` and `Sunset`: "
            f"they come from version {case.major}."
        )
    return "\n".join(f"{k}. {item}" for k, item in enumerate(items, 1))


def _successor(case: _Case) -> tuple[int | None, datetime | None]:
    """Where to go: a version that is served, or else one that will be until the removal, and from when on."""
    new = case.api.successor(case.major, case.due)
    if new is not None and case.api.status(new, case.dates.sunset) is Status.ACTIVE:
        return new, None
    later = case.api.successor(case.major, case.dates.sunset)
    if later is None:
        return new, None
    released = case.api.release(later).released
    ahead = released is not None and released.timestamp() > case.due.timestamp()
    return later, released if ahead else None


def _ways(api: Api, old: int, new: int) -> str:
    """How a request names the new version, in the places that are read."""
    ways = {
        Place.PATH: f"`{api.prefix}/v{new}/` in place of `{api.prefix}/v{old}/` in the path",
        Place.HEADER: f"the header `Api-Version: {new}`",
        Place.ACCEPT: f"the header `Accept: application/vnd.{api.vendor}.v{new}+json`",
        Place.QUERY: f"`version={new}` in the query",
    }
    return ", or ".join(ways[place] for place in api.precedence)


def _table(case: _Case) -> str:
    rows = [("", "Date", "Days until the removal"), ("---", "---", "---:")]
    for step, moment in steps(case.dates):
        name = f"**{step.label}**" if step is case.step else step.label
        rows.append((name, case.told(moment), f"{days_between(moment, case.dates.sunset, case.zone):,}"))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _answer(case: _Case) -> str:
    """What a request gets once the version is removed: what `Api.negotiate` answers it with."""
    asked = exchange(case.api, case.major, case.dates.sunset, resource="/")
    target = asked.request.partition(" ")[2]
    sent = "".join(f" with `{name}: {value}`" for name, value in asked.sent)
    request = f"`{case.api.base_url}{target}`{sent}"
    then = "" if case.step is Step.REMOVAL else "then "
    body = asked.body.rstrip("\n")
    block = _fenced("http", f"HTTP/1.1 {asked.status} {asked.reason}\n{asked.text}\n\n{body}")
    return f"A request to {request} is {then}answered so:\n\n{block}"


def _fenced(language: str, text: str) -> str:
    """A block of code. Only a line of nothing but backticks would end it, and headers and JSON have none."""
    return f"```{language}\n{text}\n```"
