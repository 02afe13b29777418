"""Ids of events, which differ in each good request, and their account, which does not.

A receiver that recognizes copies by an id would take every good request for a copy of the first, if the
provider's parameters left the id as it is in the sample.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl

from hook_widgets.errors import InvalidJson
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.samples.generators import ParamKind
from hook_widgets.webhooks.samples.variation import Param

_KEY: Final = re.compile(
    r"(?:(?:event|message|notification|delivery|call)_?)?(?:uu|gu|[us])?id", re.IGNORECASE
)
# Objects that are the event itself, or what it is about; not those of its account or sender.
_AROUND: Final = frozenset(
    {"event", "data", "message", "notification", "payload", "action", "detail", "meta"}
)
_ID: Final = re.compile(r"[\w:.|=/-]{2,200}", re.ASCII)


def with_event_ids(provider: Provider, event: str) -> Provider:
    """Return the provider with a parameter for each id of the event that its own parameters do not vary."""
    varied = {variable.value for variable in provider.variation(event).variables}
    body = provider.template(event)
    params = {
        f"id at {path}": Param(kind=ParamKind.ID, paths=(path,))
        for path, text in _ids(body)
        if text not in varied and path != provider.deliveries.account
    } or {
        f"id in {name}": Param(kind=ParamKind.ID, sample=text)
        for name, text in parse_qsl(body.decode("utf-8", "replace"))
        if _KEY.fullmatch(name) and _ID.fullmatch(text) and text not in varied
    }
    return replace(provider, params={**provider.params, **params}) if params else provider


def account(provider: Provider, event: str) -> dict[str, str]:
    """Return the parameter that is the account of an event, with its value in the sample; {} if none is."""
    path = provider.deliveries.account
    if not path:
        return {}
    try:
        text = locators.written(provider.template(event), path)
    except InvalidJson:  # a form
        return {}
    variables = provider.variation(event).variables
    return {variable.name: variable.value for variable in variables if variable.value == text}


def _ids(body: bytes) -> list[tuple[str, str]]:
    """Return the paths and texts of the ids of a JSON body."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):  # a form, say
        return []
    around = "0." if isinstance(content, list) else ""
    top = content[0] if around and content else content
    if not isinstance(top, dict):
        return []
    inner = {key: value for key, value in top.items() if key in _AROUND and isinstance(value, dict)}
    objects = {"": top} | {f"{key}.": value for key, value in inner.items()}
    return [
        (f"{around}{prefix}{key}", str(value))
        for prefix, members in objects.items()
        for key, value in members.items()
        if _KEY.fullmatch(key) and isinstance(value, str | int) and _ID.fullmatch(str(value))
    ]
