"""Convert checks, their results and their requests to the form that the browser reads."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_plus

from hook_widgets import receivers
from hook_widgets.webhooks.delivery import destination
from hook_widgets.webhooks.delivery.destination import Destination
from hook_widgets.webhooks.requests.request import WebhookRequest
from hook_widgets.widgets._rpc import RpcError
from hook_widgets.widgets.generator.deliveries import Transport
from hook_widgets.widgets.generator.history import Entry, exchange_of
from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.static_html import redaction as credentials
from hook_widgets.widgets.static_html.signer_info import SECRET_ENV

if TYPE_CHECKING:
    from hook_widgets.receivers.sending import Exchange

#: Forms of the export, with the name and media type of the file.
FORMS: Final = {
    "json": ("check-{}.json", "application/json"),
    "junit": ("check-{}.xml", "application/xml"),
    "markdown": ("check-{}.md", "text/markdown"),
    "pytest": ("test_{}_receiver.py", "text/x-python"),
    "html": ("check-{}.html", "text/html"),
}
NOT_BY_A_TAB: Final = (
    "not tried: a line end, a space or quotes around the secret, and another decoding of it, because a tab "
    "signs only with the provider's own form of the secret; compare the receiver's secret, or use "
    "hook-widgets why-rejected"
)
_MAX_ORACLE: Final = 2_000  # characters
_PAGE: Final = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    "<title>Receiver check</title></head>\n<body>{}</body></html>\n"
)


def catalogue_wire() -> dict[str, Any]:
    """Return what the browser shows of the checks before a run, and the words of a report."""
    from hook_widgets.receivers.check_catalogue import AREAS
    from hook_widgets.receivers.reporting.rendering import WORDS

    return {
        "areas": [list(area) for area in AREAS.items()],
        "statuses": [[str(status), word] for status, word in WORDS.items()],
        "checks": [
            {"id": check.id, "suite": check.suite, "oracle": check.oracle}
            for check in receivers.catalogue().values()
        ],
    }


def rejection_wire(rejection: receivers.Rejection, *, in_tab: bool) -> dict[str, Any]:
    """Convert the explanation of a rejection."""
    cause = rejection.cause
    return {
        "explained": cause is not None,
        "reason": rejection.reason,
        "finding": cause
        and {
            "cause": cause.id,
            "title": f"{cause.title} ({cause.detail})" if cause.detail else cause.title,
            "change": f"{cause.evidence} {cause.fix.change}",
            "frameworks": [list(pair) for pair in cause.fix.frameworks],
        },
        "probes": [
            {"title": probe.title, "observed": probe.observed, "accepted": probe.accepted}
            for probe in rejection.probes
        ],
        "lacks": NOT_BY_A_TAB if in_tab and cause is None else "",
    }


def result_wire(result: receivers.CheckResult, *, sent: str) -> dict[str, Any]:
    """Convert the result of one check, with request and response as the report shows them.

    Args:
        result: the result.
        sent: the time of its request, if that can be copied and opened as it was sent; empty if not.
    """
    return {
        "id": result.id,
        "title": result.title,
        "severity": str(result.severity),
        "status": str(result.status),
        "expected": result.expected,
        "observed": result.observed,
        "elapsed_s": result.elapsed_s,
        "why": result.why,
        "change": result.fix.change,
        "frameworks": [list(call) for call in result.fix.frameworks],
        "sources": list(result.sources),
        "sent": sent,
        "request": result.request and asdict(result.request),
        "response": result.response and asdict(result.response),
    }


def export(report: receivers.Report, form: object) -> tuple[dict[str, Any], str]:
    """Return name and media type of the file of a report, and its text.

    Raises:
        RpcError: there is no such form.
    """
    if form not in FORMS:
        raise RpcError("bad_form", f"a report can be exported as {', '.join(FORMS)}")
    from hook_widgets.receivers.reporting.rendering import to_pytest

    name, media_type = FORMS[str(form)]
    words = report.provider.replace("-", "_") if form == "pytest" else report.provider
    render: dict[str, Callable[[], str]] = {
        "json": report.to_json,
        "junit": report.to_junit,
        "markdown": report.to_markdown,
        "pytest": lambda: to_pytest(report, SECRET_ENV),
        "html": lambda: _PAGE.format(report._repr_html_()),
    }
    return {"name": name.format(words), "type": media_type}, render[str(form)]()


def score_line(report: receivers.Report) -> str:
    """Return the score of a report as a sentence, without any text of the receiver."""
    from hook_widgets.receivers.reporting.rendering import WORDS

    counts = ", ".join(f"{getattr(report.score, status)} {word}" for status, word in WORDS.items())
    early = f" The run ended early: {report.stopped}." if report.stopped else ""
    return f"Checks of {credentials.url(report.url)} ({report.suite} suite): {counts}.{early}"


def selection(args: Mapping[str, Any]) -> tuple[str, list[str] | None]:
    """Return the suite and the ids or areas that a request asks for.

    Raises:
        RpcError: they are no texts.
    """
    suite, only = args.get("suite", "standard"), args.get("only")
    if not isinstance(suite, str) or not (
        only is None or (isinstance(only, list) and all(isinstance(name, str) for name in only))
    ):
        raise RpcError("bad_checks", "a suite is a name, and checks are a list of ids or areas")
    return suite, only


ROLES: Final = ("other_secret", "previous_secret", "retired_secret")
"""The fields of `hook_widgets.receivers.Setup` whose secrets a tab may hold, beside the current one."""


def roles_of_tab(names: object) -> list[str]:
    """Return the roles of the other secrets that a tab holds.

    Raises:
        RpcError: they are no roles.
    """
    if names is None:
        return []
    if not isinstance(names, list) or not all(name in ROLES for name in names):
        raise RpcError("bad_checks", f"other secrets are a list of {', '.join(ROLES)}")
    return names


def oracle_of_tab(text: object, *, locked: bool, allow_hosts: tuple[str, ...] | None) -> str | None:
    """Return the oracle that a browser asks for; None if it gives none.

    Without this limit a script in the page could start commands, or have this machine ask others.

    Raises:
        RpcError: it is no URL of this machine, or the receiver is locked.
        DestinationBlocked: the host is not in `allow_hosts`.
    """
    if text is None or text == "":
        return None
    if locked:
        raise RpcError("locked", "the receiver is locked in this runbook, and so is its oracle")
    if (
        not isinstance(text, str)
        or len(text) > _MAX_ORACLE
        or not text.lower().startswith(("http://", "https://"))
        or not destination.is_loopback(text)
    ):
        raise RpcError(
            "bad_oracle",
            "an oracle from the browser is a URL of this machine, such as http://127.0.0.1:8000/count; "
            "give a function, a command or another host in Python: WebhookGenerator(..., oracle=...)",
        )
    destination.check(text, allow_hosts=allow_hosts)
    return text


@dataclass(frozen=True, kw_only=True)
class Repetition:
    """The means to repeat a run, or a request of it, elsewhere.

    Attributes:
        command: the command for a shell.
        lacks: what the command cannot say, in words.
        roles: the roles of the other secrets that a tab holds.
        complete: adds the user's headers to a request of the run.
        copies: True if no request of the run carries the secret itself.
    """

    command: str
    lacks: Sequence[str]
    roles: Sequence[str]
    complete: Callable[[WebhookRequest], WebhookRequest]
    copies: bool


def entry_of(exchange: Exchange, provider: str, event: str) -> Entry:
    """Return the request of a check and its response as an entry like those of the history.

    Args:
        exchange: the exchange that decided a check. It must not carry the secret itself.
        provider: the id of the provider.
        event: the event of good requests.
    """
    sent = exchange_of(exchange.request, exchange.delivery, datetime.now(UTC))
    return Entry(
        record={"reveals_secret": False},
        exchange=replace(sent, provider=provider, event=event),
        written=exchange.written,
    )


def command(
    provider: str,
    inputs: Inputs,
    place: Destination,
    *,
    suite: str,
    only: Sequence[str] | None,
    oracle: str | None,
    roles: Sequence[str] = (),
) -> str:
    """Return the command for a shell that repeats a run; it takes secrets from variables."""
    options = {
        "suite": [] if only or suite == "standard" else [suite],
        "only": only or [],
        "event": [inputs.event],
        "oracle": [oracle] if oracle else [],
        "allow-host": [] if place.is_loopback else [place.name],
        "secret-env": [SECRET_ENV],
    } | {f"{role.replace('_', '-')}-env": [f"WEBHOOK_{role.upper()}"] for role in roles}
    words = [word for name, values in options.items() for value in values for word in (f"--{name}", value)]
    return shlex.join(["hook-widgets", "check", provider, inputs.url, *words])


def carries(request: WebhookRequest, tokens: Iterable[str]) -> bool:
    """Return True if a request has one of these tokens, in its URL, a header or its body."""
    head = [request.url, *(value for _, value in request.headers.multi_items())]
    text = "\n".join([unquote_plus(request.url), *head, request.body.decode("utf-8", "replace")])
    return any(token and token in text for token in tokens)


def lacks(inputs: Inputs, transport: Transport, *, fixed_body: bool, python: Sequence[str]) -> list[str]:
    """Return what the command does not say of a run, in words."""
    parts = {
        "the edited payload": fixed_body,
        "your own headers": bool(inputs.headers),
        "the options for certificates": bool(transport.ca) or not transport.verify_tls,
    }
    return [words for words, lacking in parts.items() if lacking] + [f"{name}= of Python" for name in python]
