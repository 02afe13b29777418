"""Draft, sign, send, receive, verify and diagnose webhook requests of many providers.

>>> from hook_widgets.webhooks import Secret, provider, verify
>>> secret = Secret("an example secret")
>>> request = provider("generic").draft(at=1_790_000_000).sign(secret)
>>> verify("generic", request, secret).ok
True

The public interface is the names of this module and of `hook_widgets.errors`. The modules below are internal:
import nothing from them. A name's module is loaded on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hook_widgets.webhooks.body.json_scanner import JsonProblem as JsonProblem
    from hook_widgets.webhooks.body.json_scanner import ProblemLevel as ProblemLevel
    from hook_widgets.webhooks.body.json_style import JsonStyle as JsonStyle
    from hook_widgets.webhooks.body.template import Field as Field
    from hook_widgets.webhooks.body.template import Template as Template
    from hook_widgets.webhooks.codegen import languages as languages
    from hook_widgets.webhooks.codegen import receiver_snippet as receiver_snippet
    from hook_widgets.webhooks.delivery.client import Delivery as Delivery
    from hook_widgets.webhooks.delivery.client import asend as asend
    from hook_widgets.webhooks.delivery.client import send as send
    from hook_widgets.webhooks.delivery.errors import DeliveryError as DeliveryError
    from hook_widgets.webhooks.delivery.http1_wire import Connection as Connection
    from hook_widgets.webhooks.delivery.receiver import Received as Received
    from hook_widgets.webhooks.delivery.receiver import Receiver as Receiver
    from hook_widgets.webhooks.delivery.wire import EncodedRequest as EncodedRequest
    from hook_widgets.webhooks.delivery.wire import connect as connect
    from hook_widgets.webhooks.delivery.wire import encode_request as encode_request
    from hook_widgets.webhooks.diagnosis.api import diagnose as diagnose
    from hook_widgets.webhooks.diagnosis.causes import Finding as Finding
    from hook_widgets.webhooks.diagnosis.detection import detect as detect
    from hook_widgets.webhooks.diagnosis.report import BaseString as BaseString
    from hook_widgets.webhooks.diagnosis.report import Diagnosis as Diagnosis
    from hook_widgets.webhooks.headers import Headers as Headers
    from hook_widgets.webhooks.keys.key_pair import KeyPair as KeyPair
    from hook_widgets.webhooks.keys.key_pair import KeyType as KeyType
    from hook_widgets.webhooks.keys.key_pair import PublicForm as PublicForm
    from hook_widgets.webhooks.keys.key_pair import PublicKey as PublicKey
    from hook_widgets.webhooks.keys.secret import KeyForm as KeyForm
    from hook_widgets.webhooks.keys.secret import KeySpec as KeySpec
    from hook_widgets.webhooks.keys.secret import Secret as Secret
    from hook_widgets.webhooks.keys.signing import Algorithm as Algorithm
    from hook_widgets.webhooks.keys.signing import MatchJob as MatchJob
    from hook_widgets.webhooks.keys.signing import Signer as Signer
    from hook_widgets.webhooks.keys.signing import SigningJob as SigningJob
    from hook_widgets.webhooks.recordings.comparison import Comparison as Comparison
    from hook_widgets.webhooks.recordings.comparison import compare as compare
    from hook_widgets.webhooks.recordings.exchange import Exchange as Exchange
    from hook_widgets.webhooks.recordings.exchange import RecordedRequest as RecordedRequest
    from hook_widgets.webhooks.recordings.exchange import RecordedResponse as RecordedResponse
    from hook_widgets.webhooks.recordings.exchange import Recording as Recording
    from hook_widgets.webhooks.recordings.exchange import RecordingFormat as RecordingFormat
    from hook_widgets.webhooks.recordings.export import to_har as to_har
    from hook_widgets.webhooks.recordings.export import to_json as to_json
    from hook_widgets.webhooks.recordings.reading import read_recording as read_recording
    from hook_widgets.webhooks.registry import add_providers as add_providers
    from hook_widgets.webhooks.registry import problems as problems
    from hook_widgets.webhooks.registry import provider as provider
    from hook_widgets.webhooks.registry import providers as providers
    from hook_widgets.webhooks.requests.handshake import ExpectedResponse as ExpectedResponse
    from hook_widgets.webhooks.requests.handshake import Handshake as Handshake
    from hook_widgets.webhooks.requests.handshake import ResponsePart as ResponsePart
    from hook_widgets.webhooks.requests.kind import Kind as Kind
    from hook_widgets.webhooks.requests.provider import Provider as Provider
    from hook_widgets.webhooks.requests.request import BodyPlaceholder as BodyPlaceholder
    from hook_widgets.webhooks.requests.request import Draft as Draft
    from hook_widgets.webhooks.requests.request import Receivable as Receivable
    from hook_widgets.webhooks.requests.request import ReceivedRequest as ReceivedRequest
    from hook_widgets.webhooks.requests.request import WebhookRequest as WebhookRequest
    from hook_widgets.webhooks.requests.response_check import HttpResponse as HttpResponse
    from hook_widgets.webhooks.requests.response_check import check_response as check_response
    from hook_widgets.webhooks.samples.generators import ParamKind as ParamKind
    from hook_widgets.webhooks.samples.variation import Param as Param
    from hook_widgets.webhooks.samples.variation import Sample as Sample
    from hook_widgets.webhooks.samples.variation import Variable as Variable
    from hook_widgets.webhooks.samples.variation import Variation as Variation
    from hook_widgets.webhooks.scheme.computed_fields import Derived as Derived
    from hook_widgets.webhooks.scheme.computed_fields import HashEncoding as HashEncoding
    from hook_widgets.webhooks.scheme.computed_fields import Jwt as Jwt
    from hook_widgets.webhooks.scheme.computed_fields import NumberClaim as NumberClaim
    from hook_widgets.webhooks.scheme.fields import Fields as Fields
    from hook_widgets.webhooks.scheme.models import Absent as Absent
    from hook_widgets.webhooks.scheme.models import AsymmetricKeySpec as AsymmetricKeySpec
    from hook_widgets.webhooks.scheme.models import BodyValue as BodyValue
    from hook_widgets.webhooks.scheme.models import DeliveryRules as DeliveryRules
    from hook_widgets.webhooks.scheme.models import Encoding as Encoding
    from hook_widgets.webhooks.scheme.models import Event as Event
    from hook_widgets.webhooks.scheme.models import HeaderValue as HeaderValue
    from hook_widgets.webhooks.scheme.models import OlderHeader as OlderHeader
    from hook_widgets.webhooks.scheme.models import Part as Part
    from hook_widgets.webhooks.scheme.models import ResponseRules as ResponseRules
    from hook_widgets.webhooks.scheme.models import Scheme as Scheme
    from hook_widgets.webhooks.scheme.models import SecretExample as SecretExample
    from hook_widgets.webhooks.scheme.models import Serializer as Serializer
    from hook_widgets.webhooks.scheme.models import SharedSecretSpec as SharedSecretSpec
    from hook_widgets.webhooks.scheme.models import Signature as Signature
    from hook_widgets.webhooks.scheme.provenance import CurrentVersion as CurrentVersion
    from hook_widgets.webhooks.scheme.provenance import Gap as Gap
    from hook_widgets.webhooks.scheme.provenance import HeaderGaps as HeaderGaps
    from hook_widgets.webhooks.scheme.provenance import RetryRules as RetryRules
    from hook_widgets.webhooks.scheme.sender import Sender as Sender
    from hook_widgets.webhooks.scheme.timestamps import TimestampUnit as TimestampUnit
    from hook_widgets.webhooks.verdict import Reason as Reason
    from hook_widgets.webhooks.verdict import Step as Step
    from hook_widgets.webhooks.verdict import Verdict as Verdict
    from hook_widgets.webhooks.verification.faults import Assessment as Assessment
    from hook_widgets.webhooks.verification.faults import Fault as Fault
    from hook_widgets.webhooks.verification.faults import assess_response as assess_response
    from hook_widgets.webhooks.verification.faults import faulty_request as faulty_request
    from hook_widgets.webhooks.verification.verify import verify as verify

_NAMES = {
    "body.json_scanner": ("JsonProblem", "ProblemLevel"),
    "body.json_style": ("JsonStyle",),
    "body.template": ("Field", "Template"),
    "codegen": ("languages", "receiver_snippet"),
    "delivery.client": ("Delivery", "asend", "send"),
    "delivery.errors": ("DeliveryError",),
    "delivery.http1_wire": ("Connection",),
    "delivery.receiver": ("Received", "Receiver"),
    "delivery.wire": ("EncodedRequest", "connect", "encode_request"),
    "diagnosis.api": ("diagnose",),
    "diagnosis.causes": ("Finding",),
    "diagnosis.detection": ("detect",),
    "diagnosis.report": ("BaseString", "Diagnosis"),
    "headers": ("Headers",),
    "keys.key_pair": ("KeyPair", "KeyType", "PublicForm", "PublicKey"),
    "keys.secret": ("KeyForm", "KeySpec", "Secret"),
    "keys.signing": ("Algorithm", "MatchJob", "Signer", "SigningJob"),
    "recordings.comparison": (
        "Comparison",
        "compare",
    ),
    "recordings.exchange": (
        "Exchange",
        "RecordedRequest",
        "RecordedResponse",
        "Recording",
        "RecordingFormat",
    ),
    "recordings.export": (
        "to_har",
        "to_json",
    ),
    "recordings.reading": ("read_recording",),
    "registry": ("add_providers", "problems", "provider", "providers"),
    "requests.handshake": ("ExpectedResponse", "Handshake", "ResponsePart"),
    "requests.provider": ("Provider",),
    "requests.kind": ("Kind",),
    "requests.request": ("BodyPlaceholder", "Draft", "Receivable", "ReceivedRequest", "WebhookRequest"),
    "requests.response_check": ("HttpResponse", "check_response"),
    "samples.generators": ("ParamKind",),
    "samples.variation": ("Param", "Variable", "Variation", "Sample"),
    "scheme.computed_fields": ("Derived", "Jwt", "NumberClaim", "HashEncoding"),
    "scheme.fields": ("Fields",),
    "scheme.models": (
        "Absent",
        "BodyValue",
        "DeliveryRules",
        "Encoding",
        "Event",
        "SecretExample",
        "HeaderValue",
        "OlderHeader",
        "AsymmetricKeySpec",
        "Part",
        "ResponseRules",
        "Scheme",
        "Serializer",
        "SharedSecretSpec",
        "Signature",
    ),
    "scheme.provenance": ("CurrentVersion", "Gap", "HeaderGaps", "RetryRules"),
    "scheme.sender": ("Sender",),
    "scheme.timestamps": ("TimestampUnit",),
    "verdict": ("Reason", "Step", "Verdict"),
    "verification.faults": ("Fault", "Assessment", "faulty_request", "assess_response"),
    "verification.verify": ("verify",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "Absent",
    "Algorithm",
    "Assessment",
    "AsymmetricKeySpec",
    "BaseString",
    "BodyPlaceholder",
    "BodyValue",
    "Comparison",
    "Connection",
    "CurrentVersion",
    "Delivery",
    "DeliveryError",
    "DeliveryRules",
    "Derived",
    "Diagnosis",
    "Draft",
    "EncodedRequest",
    "Encoding",
    "Event",
    "Exchange",
    "ExpectedResponse",
    "Fault",
    "Field",
    "Fields",
    "Finding",
    "Gap",
    "Handshake",
    "HashEncoding",
    "HeaderGaps",
    "HeaderValue",
    "Headers",
    "HttpResponse",
    "JsonProblem",
    "JsonStyle",
    "Jwt",
    "KeyForm",
    "KeyPair",
    "KeySpec",
    "KeyType",
    "Kind",
    "MatchJob",
    "NumberClaim",
    "OlderHeader",
    "Param",
    "ParamKind",
    "Part",
    "ProblemLevel",
    "Provider",
    "PublicForm",
    "PublicKey",
    "Reason",
    "Receivable",
    "Received",
    "ReceivedRequest",
    "Receiver",
    "RecordedRequest",
    "RecordedResponse",
    "Recording",
    "RecordingFormat",
    "ResponsePart",
    "ResponseRules",
    "RetryRules",
    "Sample",
    "Scheme",
    "Secret",
    "SecretExample",
    "Sender",
    "Serializer",
    "SharedSecretSpec",
    "Signature",
    "Signer",
    "SigningJob",
    "Step",
    "Template",
    "TimestampUnit",
    "Variable",
    "Variation",
    "Verdict",
    "WebhookRequest",
    "add_providers",
    "asend",
    "assess_response",
    "check_response",
    "compare",
    "connect",
    "detect",
    "diagnose",
    "encode_request",
    "faulty_request",
    "languages",
    "problems",
    "provider",
    "providers",
    "read_recording",
    "receiver_snippet",
    "send",
    "to_har",
    "to_json",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value  # the next access is a plain one
    return value


def __dir__() -> list[str]:
    return __all__
