"""Records of a ``provider.toml``: the signed content of a request, and the place of the signature.

The records are in `hook_widgets.webhooks.scheme.models`; the other modules implement the meaning of their
values: template fields, computed fields, and formats of timestamps.
"""

from hook_widgets.webhooks.scheme.credentials import CredentialPlace, credential_places
from hook_widgets.webhooks.scheme.models import (
    Absent,
    AsymmetricKeySpec,
    BodyValue,
    Encoding,
    Event,
    HeaderValue,
    OlderHeader,
    Part,
    Scheme,
    SecretExample,
    SharedSecretSpec,
    Signature,
)
from hook_widgets.webhooks.scheme.sender import Sender

__all__ = [
    "Absent",
    "AsymmetricKeySpec",
    "BodyValue",
    "CredentialPlace",
    "Encoding",
    "Event",
    "HeaderValue",
    "OlderHeader",
    "Part",
    "Scheme",
    "SecretExample",
    "Sender",
    "SharedSecretSpec",
    "Signature",
    "credential_places",
]
