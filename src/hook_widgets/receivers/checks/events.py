"""Area D: events, fields, accounts and modes that a receiver does not know."""

from __future__ import annotations

import re

from hook_widgets.receivers.bodies import NEW_FIELD, extended, with_members, with_value
from hook_widgets.receivers.context import Context, NotApplicable, Outcome, summary
from hook_widgets.receivers.forging import headers_of_fields, with_fields
from hook_widgets.receivers.oracle import work_done
from hook_widgets.receivers.report import Status
from hook_widgets.webhooks.body import json_edit

_UNKNOWN = "hook_widgets.unknown"
_ACCOUNT = b"T0HOOKWIDGETS"
_OBJECT = b'"hook_widgets_new":{"list":[1,null,{"deep":true}],"text":"x"}'


def unknown_event(context: Context) -> Outcome:
    """D6: an event of an unknown type is accepted."""
    names = {context.event.name, context.event.type or context.event.name}
    draft = context.draft()
    in_header = headers_of_fields(draft, ("event", "event_type"))
    body = draft.payload
    for name in names:
        value = re.compile(rb'(:\s*)"' + re.escape(name.encode()) + rb'"')
        body = value.sub(rb'\1"' + _UNKNOWN.encode() + b'"', body)
    if body == draft.payload and not in_header:
        raise NotApplicable("neither a header nor the body names the type of this event")
    changed = with_fields(context.draft(body=body), event=_UNKNOWN, event_type=_UNKNOWN)
    request = context.sign(changed).request()
    if not context.genuine(request, changed):
        raise NotApplicable(f"a request of {context.provider.title} with another type cannot be signed here")
    return context.accepts([("an unknown type", request)])


def new_fields(context: Context) -> Outcome:
    """D8: new fields are accepted."""
    members = {
        "a new field": NEW_FIELD,
        "a new object": _OBJECT,
        "a new field that is null": b'"hook_widgets_new":null',
    }
    context.require_json_object()
    return context.accepts(extended(context, members))


def unknown_account(context: Context) -> Outcome:
    """D7: an event of an account that the receiver does not know is accepted."""
    path = context.provider.deliveries.account
    if not path:
        raise NotApplicable(f"no field is known that names the account of {context.provider.title}")
    text = b'"' + _ACCOUNT + b'"'
    body = context.json_object()
    if json_edit.span(body, path) is None and "." not in path:
        body = with_members(body, b'"' + path.encode() + b'":' + text)
    else:
        body = with_value(body, path, text)
    return context.accepts([("an unknown account", context.signed(body=body).request())])


def other_mode(context: Context) -> Outcome:
    """D9: an event of the other mode, test or live, is accepted, and no work is done for it.

    Work is a warning: most endpoints get the events of one mode only, signed with a secret of their own.
    """
    path = context.provider.deliveries.live
    if not path:
        raise NotApplicable(f"no field is known that marks the test mode of {context.provider.title}")
    body = context.json_object()
    span = json_edit.span(body, path)
    live = body[slice(*span)] if span else b""
    if live not in (b"true", b"false"):
        raise NotApplicable(f"the body of this event has no {path}")
    counter, _ = context.count_one("an event of the receiver's mode", context.signed().request())
    before = counter.settled()
    other = "true" if live == b"false" else "false"
    changed = with_value(body, path, other.encode())
    exchange = context.send(f"{path} {other}", context.signed(body=changed).request())
    if (times := counter.settled() - before) > 0:
        return Outcome(Status.WARNED, f"{work_done(times)} for {exchange.label}", exchange)
    status = Status.PASSED if exchange.accepted else Status.WARNED
    return Outcome(status, f"no work; {summary([exchange])}", exchange)
