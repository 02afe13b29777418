"""Typed models of libraries as references for bodies: each event parses, and the model knows every member.

`body_gaps` lists the members that a model does not know, although the provider sends them, with reasons.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

Parse = Callable[[bytes, str], list[str]]
"""Parses a body, given the event's name, and returns the paths of members that the model does not know."""


class Rejection(Exception):
    """Raised for a body with a member that the model does not know, where the model itself rejects it."""


@dataclass(frozen=True)
class Model:
    """A typed model of one provider's bodies.

    Attributes:
        provider: the provider's id.
        name: the model, as its library names it.
        load: imports the library and returns the function that parses.
        misses: events whose bodies it is not shown, each with the reason.
    """

    provider: str
    name: str
    load: Callable[[], Parse]
    misses: tuple[tuple[str, str], ...] = ()


def pydantic(load: Callable[[], Any]) -> Callable[[], Parse]:
    """Return a loader for a type that pydantic validates; its members are those of the models."""

    @cache
    def loaded() -> Parse:
        from pydantic import TypeAdapter

        adapter = TypeAdapter(load())
        return lambda body, _: list(extras(adapter.validate_python(json.loads(body))))

    return loaded


def extras(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of the members that no model has declared."""
    from pydantic import BaseModel

    if isinstance(value, BaseModel):
        yield from (f"{path}.{name}" for name in value.model_extra or {})
        for name in type(value).model_fields:
            yield from extras(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for item in value:
            yield from extras(item, path)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from extras(item, f"{path}.{name}")


def _openai() -> Any:
    from openai.types.webhooks import UnwrapWebhookEvent

    return UnwrapWebhookEvent


def _anthropic() -> Any:
    from anthropic.types.beta import UnwrapWebhookEvent

    return UnwrapWebhookEvent


def _dodo() -> Any:
    from dodopayments.types import UnwrapWebhookEvent

    return UnwrapWebhookEvent


def _increase() -> Any:
    from increase.types import UnwrapWebhookEvent

    return UnwrapWebhookEvent


def _lithic() -> Any:
    from lithic.types import ParsedWebhookEvent

    return ParsedWebhookEvent


def _finch() -> Any:
    from finch.types import WebhookEvent

    return WebhookEvent


def _telnyx() -> Any:
    from telnyx.types import UnwrapWebhookEvent

    return UnwrapWebhookEvent


def _imagekit() -> Any:
    from imagekitio.types import UnwrapWebhookEvent

    return UnwrapWebhookEvent


def _orb() -> Any:
    from orb.types import UnwrapWebhookEvent

    return UnwrapWebhookEvent


@cache
def _box() -> Parse:
    from box_sdk_gen.internal.base_object import BaseObject
    from box_sdk_gen.schemas import WebhookInvocation

    def unknown(value: Any, path: str = "") -> Iterator[str]:
        if isinstance(value, BaseObject):
            known = inspect.signature(type(value).__init__).parameters
            for name, inner in vars(value).items():
                if not name.startswith("_"):
                    yield from unknown(inner, f"{path}.{name}") if name in known else [f"{path}.{name}"]
        elif isinstance(value, list):
            for item in value:
                yield from unknown(item, path)

    return lambda body, _: list(unknown(WebhookInvocation.from_dict(json.loads(body))))


@cache
def _gocardless() -> Parse:
    from gocardless_pro.resources.event import Event

    def unknown(value: dict[str, Any], model: type, path: str) -> Iterator[str]:
        for name, inner in value.items():
            if not isinstance(getattr(model, name, None), property):
                yield f"{path}.{name}"
            elif isinstance(inner, dict) and (part := getattr(model, name.title(), None)) is not None:
                yield from unknown(inner, part, f"{path}.{name}")

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        events = data.pop("events")
        return [
            *(path for event in events for path in unknown(event, Event, ".events")),
            *(f".{name}" for name in data if name != "meta"),
        ]

    return parse


@cache
def _onfido() -> Parse:
    from onfido.models.webhook_event import WebhookEvent
    from pydantic import BaseModel

    def unknown(value: Any, path: str = "") -> Iterator[str]:
        if isinstance(value, BaseModel):
            yield from (f"{path}.{name}" for name in getattr(value, "additional_properties", None) or {})
            for name in type(value).model_fields:
                yield from unknown(getattr(value, name), f"{path}.{name}")
        elif isinstance(value, list):
            for item in value:
                yield from unknown(item, path)

    return lambda body, _: list(unknown(WebhookEvent.from_dict(json.loads(body))))


@cache
def _paddle() -> Parse:
    from paddle_billing.Entities.Notifications import NotificationEvent
    from paddle_billing.Notifications.Entities.UndefinedEntity import UndefinedEntity

    def parse(body: bytes, event: str) -> list[str]:
        data = json.loads(body)
        model = NotificationEvent.from_dict(data)
        if isinstance(model.data, UndefinedEntity):
            raise Rejection(f"{event} is not what the model of its type takes")
        return lost(data, asdict(model))

    return parse


@cache
def _workos() -> Parse:
    from workos.events.models import EventSchema

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        return lost(data, EventSchema.from_dict(data).to_dict())

    return parse


@cache
def _github() -> Parse:
    from githubkit.webhooks import parse_obj

    def parse(body: bytes, event: str) -> list[str]:
        data = json.loads(body)
        model = parse_obj(event.partition(".")[0], data)
        return [*extras(model), *lost(data, model.model_dump(mode="json", by_alias=True, exclude_unset=True))]

    return parse


@cache
def _replicate() -> Parse:
    from replicate.prediction import Prediction

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        return lost(data, json.loads(Prediction(**data).json()))

    return parse


@cache
def _telegram() -> Parse:
    from telegram import TelegramObject, Update

    os.environ["PTB_TIMEDELTA"] = "1"  # otherwise reading a duration is a deprecation warning

    def unknown(value: Any, path: str = "") -> Iterator[str]:
        if isinstance(value, TelegramObject):
            yield from (f"{path}.{name}" for name in value.api_kwargs)
            for name in value.to_dict():
                yield from unknown(getattr(value, name, None), f"{path}.{name}")
        elif isinstance(value, list | tuple):
            for item in value:
                yield from unknown(item, path)

    return lambda body, _: list(unknown(Update.de_json(json.loads(body))))


@cache
def _line() -> Parse:
    from linebot.v3.webhooks import CallbackRequest

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        return lost(data, json.loads(CallbackRequest.from_dict(data).to_json()))

    return parse


@cache
def _plaid() -> Parse:
    from plaid import Configuration
    from plaid.model_utils import ModelNormal

    short = {"investments_transactions": "investments", "check_report": "cra"}

    def model(kind: str, code: str) -> Any:
        """Return the class of a webhook, whose module is named for its code, most often after its type."""
        for name in (f"{short.get(kind, kind)}_{code}_webhook", f"{code}_webhook"):
            if find_spec(f"plaid.model.{name}") is not None:
                return getattr(import_module(f"plaid.model.{name}"), name.title().replace("_", ""))
        raise Rejection(f"there is no model of {kind} {code}")

    def unknown(value: Any, path: str = "") -> Iterator[str]:
        if isinstance(value, ModelNormal):
            for name, inner in value._data_store.items():
                if value.openapi_types and name not in value.openapi_types:  # none: a map of ids
                    yield f"{path}.{name}"
                yield from unknown(inner, f"{path}.{name}")
        elif isinstance(value, list):
            for item in value:
                yield from unknown(item, path)

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        chosen = model(data["webhook_type"].lower(), data["webhook_code"].lower())
        read = chosen._from_openapi_data(**data, _spec_property_naming=True, _configuration=Configuration())
        return list(unknown(read))

    return parse


@cache
def _polar() -> Parse:
    from polar.base import deserialize
    from polar.v2026_10.webhooks import WebhookPayload

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        return lost(data, asdict(deserialize(data, WebhookPayload)))

    return parse


@cache
def _livekit() -> Parse:
    from google.protobuf import json_format
    from livekit.protocol.webhook import WebhookEvent

    def parse(body: bytes, _: str) -> list[str]:
        try:
            json_format.Parse(body, WebhookEvent())
        except json_format.ParseError as error:
            raise Rejection(str(error)) from None
        return []

    return parse


@cache
def _whop() -> Parse:
    from pydantic import TypeAdapter

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        resource, happened = data["type"].split(".")
        types = import_module(f"whop_sdk.{'entries' if resource == 'entry' else f'{resource}s'}.types")
        name = f"Post_{resource}_{happened}_Payload".title().replace("_", "")
        return list(extras(TypeAdapter(getattr(types, name)).validate_python(data)))

    return parse


@cache
def _elevenlabs() -> Parse:
    from elevenlabs.types import GetConversationResponseModel

    def parse(body: bytes, _: str) -> list[str]:
        data = json.loads(body)
        unknown = sorted({*data} - {"type", "event_timestamp", "data"})
        read = GetConversationResponseModel.model_validate(data["data"])
        return [*(f".{name}" for name in unknown), *extras(read, ".data")]

    return parse


def lost(sent: Any, written: Any, path: str = "") -> list[str]:
    """Return the paths of members that are sent, not null, and gone after a model has written them again."""
    if isinstance(sent, dict) and isinstance(written, dict):
        return [
            member
            for name, value in sent.items()
            if value is not None
            for member in (
                lost(value, written[name], f"{path}.{name}") if name in written else [f"{path}.{name}"]
            )
        ]
    if isinstance(sent, list) and isinstance(written, list):
        return [member for pair in zip(sent, written, strict=False) for member in lost(*pair, path)]
    return []


MODELS = (
    Model("anthropic", "anthropic.types.beta.UnwrapWebhookEvent", pydantic(_anthropic)),
    Model("box", "box_sdk_gen.schemas.WebhookInvocation", _box),
    Model("dodo", "dodopayments.types.UnwrapWebhookEvent", pydantic(_dodo)),
    Model(
        "elevenlabs",
        "elevenlabs.types.GetConversationResponseModel",
        _elevenlabs,
        misses=tuple(
            (name, "the library has no model of this event")
            for name in (
                "speech_to_text_transcription",
                "post_call_audio",
                "call_initiation_failure",
                "call_initiation_failure.twilio",
                "voice_removal_notice",
                "voice_removal_notice_withdrawn",
                "voice_removed",
            )
        ),
    ),
    Model("finch", "finch.types.WebhookEvent", pydantic(_finch)),
    Model(
        "github",
        "githubkit.webhooks.parse_obj",
        _github,
        misses=(
            ("push.form", "a form; the model is given JSON"),
            (
                "repository_advisory.published",
                "a delivery names the publisher; the model has null only",
            ),
        ),
    ),
    Model("gocardless", "gocardless_pro.resources.event.Event", _gocardless),
    Model("imagekit", "imagekitio.types.UnwrapWebhookEvent", pydantic(_imagekit)),
    Model("increase", "increase.types.UnwrapWebhookEvent", pydantic(_increase)),
    Model("line", "linebot.v3.webhooks.CallbackRequest", _line),
    Model("lithic", "lithic.types.ParsedWebhookEvent", pydantic(_lithic)),
    Model("livekit", "livekit.protocol.webhook.WebhookEvent", _livekit),
    Model("onfido", "onfido.models.WebhookEvent", _onfido),
    Model("openai", "openai.types.webhooks.UnwrapWebhookEvent", pydantic(_openai)),
    Model("orb", "orb.types.UnwrapWebhookEvent", pydantic(_orb)),
    Model("paddle", "paddle_billing.Entities.Notifications.NotificationEvent", _paddle),
    Model(
        "plaid",
        "plaid.model, one class for each webhook",
        _plaid,
        misses=(("AUTH.SMS_MICRODEPOSITS_VERIFICATION", "its class is named for something else"),),
    ),
    Model(
        "polar",
        "polar.v2026_10.webhooks.WebhookPayload",
        _polar,
        misses=(
            (
                "customer.state_changed",
                "the status of a subscription has the type of a license key's status there",
            ),
        ),
    ),
    Model("replicate", "replicate.prediction.Prediction", _replicate),
    Model("telegram", "telegram.Update", _telegram),
    Model("telnyx", "telnyx.types.UnwrapWebhookEvent", pydantic(_telnyx)),
    Model(
        "whop",
        "whop_sdk, one class for each event",
        _whop,
        misses=(("membership.deactivated", "the library has no model of this event"),),
    ),
    Model("workos", "workos.events.models.EventSchema", _workos),
)
