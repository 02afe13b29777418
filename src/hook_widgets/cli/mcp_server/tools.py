"""Tools that read nothing but the package and their arguments."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field

from hook_widgets.cli.limit_commands import plan_of, scenario_of
from hook_widgets.cli.output import changes_of
from hook_widgets.cli.requests import as_json, unsigned
from hook_widgets.errors import UnknownName, nearest

_LOCAL_URL = "http://127.0.0.1:8000/webhooks"

Name = Annotated[str, Field(max_length=200)]
Quantity = Annotated[str, Field(max_length=100)]
Url = Annotated[str, Field(max_length=2000)]
Document = Annotated[str, Field(max_length=2_000_000)]


def list_providers(query: Name = "") -> dict[str, Any]:
    """List the webhook providers: id, title and kind of those whose id or title contains the query."""
    from hook_widgets.webhooks import providers

    text = query.lower()
    rows = [p for p in providers() if text in p.id or text in p.title.lower()]
    return {"providers": [{"id": p.id, "title": p.title, "kind": str(p.kind)} for p in rows]}


def list_events(provider: Name, query: Name = "") -> dict[str, Any]:
    """List the events of a provider, and the handshakes by which it checks an endpoint."""
    sender = _provider(provider)
    events = [
        e for e in sender.all_events if query.lower() in e.name.lower() or query.lower() in e.title.lower()
    ]
    return {
        "provider": sender.id,
        "events": [{"name": e.name, "title": e.title, "category": e.category} for e in events],
    }


def describe_provider(provider: Name) -> dict[str, Any]:
    """Describe how a provider signs: key, headers, base string, algorithm, tolerance, responses, docs."""
    sender = _provider(provider)
    return {
        "id": sender.id,
        "title": sender.title,
        "documentation": list(sender.docs),
        "confidence": asdict(sender.confidence),
        "unconfirmed": list(sender.unconfirmed),
        "key": {"title": sender.key.title, "note": sender.key.note},
        "schemes": [
            {
                "name": scheme.name,
                "method": scheme.method,
                "headers": {name: scheme.header_template(name).text for name in scheme.headers},
                "signatures": [
                    {
                        "field": signature.name,
                        "algorithm": str(signature.algorithm),
                        "encoding": str(signature.encoding),
                        "base_string": signature.message,
                    }
                    for signature in scheme.signatures
                ],
                "timestamp": None if scheme.timestamp is None else str(scheme.timestamp),
                "tolerance_s": scheme.tolerance_s,
                "sources": list(scheme.sources),
            }
            for scheme in sender.schemes
        ],
        "responses": {
            "within_s": sender.responses.within_s,
            "rejected_status": sender.responses.rejected_status,
            "sources": list(sender.responses.sources),
        },
        "handshakes": [{"name": h.name, "title": h.title, "method": h.method} for h in sender.handshakes],
    }


def sample_request(provider: Name, event: Name = "", url: Url = _LOCAL_URL) -> dict[str, Any]:
    """Return the exact request of an event, with <signature> in place of each signature; nothing is sent."""
    draft = _provider(provider).draft(event=event or None, url=url)
    return {"provider": draft.provider.id, "event": draft.event, **as_json(unsigned(draft))}


def receiver_code(
    provider: Name,
    language: Literal["python", "javascript", "go", "ruby", "php", "java", "csharp"] = "python",
) -> dict[str, Any]:
    """Return a function that verifies the requests of a provider, in one of seven languages."""
    from hook_widgets.webhooks import receiver_snippet

    return {"provider": provider, "language": language, "code": receiver_snippet(provider, language)}


def list_checks(suite: Literal["standard", "full"] = "full") -> dict[str, Any]:
    """List the checks of a suite: id, title, severity and area."""
    from hook_widgets.receivers.runner import select_checks

    return {
        "checks": [
            {"id": check.id, "title": check.title, "severity": str(check.severity), "area": check.area}
            for check in select_checks(suite, None, ())
        ]
    }


def explain_check(check: Name) -> dict[str, Any]:
    """Explain a check by its id, such as B11: what is expected, why, the incidents behind it, and the fix."""
    from hook_widgets.receivers import catalogue

    row = catalogue().get(check)
    if row is None:
        raise UnknownName(f"there is no check {check!r}; {nearest(check, catalogue())}")
    return {
        "id": row.id,
        "title": row.title,
        "area": row.area,
        "severity": str(row.severity),
        "suite": row.suite,
        "oracle": row.oracle,
        "expected": row.expected,
        "why": row.why,
        "fix": {"change": row.fix.change, "frameworks": dict(row.fix.frameworks)},
        "sources": list(row.sources),
    }


def plan_limit(
    limit: Quantity,
    steady: Quantity = "",
    burst: Quantity = "",
    burst_every: Quantity = "",
    burst_allowance: Quantity = "",
    clients: Annotated[int, Field(ge=1, le=1_000_000)] = 1,
    in_flight: Quantity = "",
    latency: Quantity = "",
    timeout: Quantity = "",
    algorithm: Name = "",
) -> dict[str, Any]:
    """Plan what clients may send under a rate limit; quantities are texts: "1000/hour", "20/s", "250 ms"."""
    from hook_widgets.ratelimit.reporting.report import report

    model = scenario_of(
        limit,
        steady=steady,
        burst=burst,
        burst_every_s=burst_every,
        burst_allowance=burst_allowance,
        clients=clients,
        in_flight=in_flight,
        latency_s=latency,
        timeout_s=timeout,
        algorithm=algorithm,
    )
    return plan_of(limit, report(model))


def compare_versions(
    old: Document, new: Document, direction: Literal["request", "response", "both"] = "both"
) -> dict[str, Any]:
    """Compare the texts of two OpenAPI documents or JSON Schemas, and say which changes break clients."""
    from hook_widgets.versioning import compare

    return changes_of(compare(old, new, direction=direction))


def _provider(name: str) -> Any:
    from hook_widgets.webhooks import provider

    return provider(name)


TOOLS = (
    list_providers,
    list_events,
    describe_provider,
    sample_request,
    receiver_code,
    list_checks,
    explain_check,
    plan_limit,
    compare_versions,
)
