"""The functions that decide the checks: one for each id, one module for each area or part of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hook_widgets.receivers.checks import (
    changes,
    events,
    forgeries,
    good_requests,
    handshakes,
    http_forms,
    later_copies,
    load,
    order,
    other_secrets,
    replays,
    responses,
    rotation,
    signatures,
    timestamps,
    traps,
    wire_forms,
)
from hook_widgets.receivers.context import Context, Outcome

CHECKS: Final[Mapping[str, Callable[[Context], Outcome]]] = {
    **good_requests.CHECKS,
    **forgeries.CHECKS,
    **changes.CHECKS,
    **signatures.CHECKS,
    **timestamps.CHECKS,
    **replays.CHECKS,
    **events.CHECKS,
    **rotation.CHECKS,
    **http_forms.CHECKS,
    **responses.CHECKS,
    **other_secrets.CHECKS,
    **later_copies.CHECKS,
    **order.CHECKS,
    **handshakes.CHECKS,
    **traps.CHECKS,
    **wire_forms.CHECKS,
    **load.CHECKS,
}
"""The function of each check, by the id of the check in the catalogue."""
