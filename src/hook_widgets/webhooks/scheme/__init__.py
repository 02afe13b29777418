"""Records of a ``provider.toml``: the signed content of a request, and the place of the signature.

The records are in `hook_widgets.webhooks.scheme.models` and `provenance`; the other modules implement the
meaning of their values: template fields, computed fields, and formats of timestamps.
"""

from hook_widgets.webhooks.scheme.credentials import CredentialPlace, credential_places
from hook_widgets.webhooks.scheme.evidence import (
    BodyModel,
    Confidence,
    Evidence,
    PartEvidence,
    SchemeConfidence,
)
from hook_widgets.webhooks.scheme.key_specs import AsymmetricKeySpec, SecretExample, SharedSecretSpec
from hook_widgets.webhooks.scheme.models import (
    Absent,
    BodyValue,
    DeliveryRules,
    Encoding,
    Event,
    HeaderValue,
    OlderHeader,
    Part,
    ResponseRules,
    Scheme,
    Serializer,
    Signature,
)
from hook_widgets.webhooks.scheme.provenance import CurrentVersion, Gap, HeaderGaps, RetryRules
from hook_widgets.webhooks.scheme.sender import Sender

__all__ = [
    "Absent",
    "AsymmetricKeySpec",
    "BodyModel",
    "BodyValue",
    "Confidence",
    "CredentialPlace",
    "CurrentVersion",
    "DeliveryRules",
    "Encoding",
    "Event",
    "Evidence",
    "Gap",
    "HeaderGaps",
    "HeaderValue",
    "OlderHeader",
    "Part",
    "PartEvidence",
    "ResponseRules",
    "RetryRules",
    "Scheme",
    "SchemeConfidence",
    "SecretExample",
    "Sender",
    "Serializer",
    "SharedSecretSpec",
    "Signature",
    "credential_places",
]
