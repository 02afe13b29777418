"""Check a provider's data against the bodies of its events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hook_widgets.errors import InvalidSecret, WebhookError
from hook_widgets.webhooks.body import json_edit
from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.registry.toml_positions import Path
from hook_widgets.webhooks.registry.validation_errors import Fault
from hook_widgets.webhooks.samples.generators import normalize
from hook_widgets.webhooks.scheme import Event, SharedSecretSpec

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider


def body_faults(provider: Provider) -> Iterator[Fault]:
    """Yield the faults of a provider's bodies: invalid JSON, and placeholders that a body lacks."""
    unusable = False
    for number, event in enumerate(provider.events):
        try:
            body = provider.template(event.name)
            if _is_json(provider, event, body):
                problem = next((p for p in json_edit.problems(body) if p.level == "error"), None)
                if problem is not None:
                    text = f"line {problem.line}, column {problem.column} of the body: {problem.message}"
                    yield Fault(("events", number, "body"), text)
                    unusable = True
                    continue
                if provider.serializer is not None:
                    yield from _style_faults(
                        ("events", number, "body"), body, provider.serializer.style_of(event.name)
                    )
            provider.draft(event=event.name, at=0)
        except WebhookError as error:
            yield Fault(("events", number), f"no request can be made of {event.name!r}: {error}")
            unusable = True
    if not unusable:
        yield from _param_faults(provider)
    if isinstance(provider.key, SharedSecretSpec):
        yield from _key_faults(provider, provider.key)


def _param_faults(provider: Provider) -> Iterator[Fault]:
    variables = {
        variable.name: (event, variable)
        for event in reversed(provider.events)
        for variable in provider.variation(event.name).variables
    }
    for name, param in provider.params.items():
        if name not in variables:
            value = f"the text {param.sample!r}" if param.sample else f"a value at {', '.join(param.paths)}"
            yield Fault(("params", name), f"no body has {value}; correct it, or remove the parameter")
            continue
        event, variable = variables[name]
        if normalize(param.kind, variable.value, variable.value) is None:
            text = f"{variable.value!r} in the body of {event.name!r} is not {variable.form}"
            yield Fault(("params", name, "kind"), f"{text}; give the kind that it is")


def _style_faults(path: Path, body: bytes, style: JsonStyle) -> Iterator[Fault]:
    actual = body.decode()
    expected = style.write(actual)
    if actual != expected:
        pairs = enumerate(zip(actual, expected, strict=False))
        shorter = min(len(actual), len(expected))
        at = next((n for n, (one, other) in pairs if one != other), shorter)
        here, there = (text[max(0, at - 10) : at + 10] for text in (actual, expected))
        text = f"a serializer of style {style.value!r} writes {there!r} and not {here!r}"
        yield Fault(path, f"{text}; write that, or correct serializer.style")


def _is_json(provider: Provider, event: Event, body: bytes) -> bool:
    scheme = provider.scheme(event.scheme)
    types = [scheme.header_template(n).text for n in scheme.headers if n.lower() == "content-type"]
    types += [text for name, text in event.headers.items() if name.lower() == "content-type"]
    return bool(body and types) and types[-1].partition(";")[0].strip().endswith("json")


def _key_faults(provider: Provider, key: SharedSecretSpec) -> Iterator[Fault]:
    secret = provider.example_secret()
    try:
        if isinstance(secret, Secret):
            secret.key_bytes(key.spec)
    except InvalidSecret:
        text = f"a secret that looks like this cannot be read as form = {key.form.value!r}"
        prefix = f" after strip_prefix = {key.strip_prefix!r}" if key.strip_prefix else ""
        yield Fault(("key", "example"), f"{text}{prefix}; make both agree")
