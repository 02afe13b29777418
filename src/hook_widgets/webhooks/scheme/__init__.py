"""Records of a ``provider.toml``: the signed content of a request, and the place of the signature.

The records are in `hook_widgets.webhooks.scheme.models` and `provenance`; the other modules implement the
meaning of their values: template fields, computed fields, and formats of timestamps.
"""

from hook_widgets.webhooks.scheme.credentials import CredentialPlace as CredentialPlace
from hook_widgets.webhooks.scheme.credentials import credential_places as credential_places
from hook_widgets.webhooks.scheme.evidence import BodyModel as BodyModel
from hook_widgets.webhooks.scheme.evidence import Confidence as Confidence
from hook_widgets.webhooks.scheme.evidence import Evidence as Evidence
from hook_widgets.webhooks.scheme.evidence import PartEvidence as PartEvidence
from hook_widgets.webhooks.scheme.evidence import SchemeConfidence as SchemeConfidence
from hook_widgets.webhooks.scheme.key_specs import AsymmetricKeySpec as AsymmetricKeySpec
from hook_widgets.webhooks.scheme.key_specs import SecretExample as SecretExample
from hook_widgets.webhooks.scheme.key_specs import SharedSecretSpec as SharedSecretSpec
from hook_widgets.webhooks.scheme.models import Absent as Absent
from hook_widgets.webhooks.scheme.models import BodyValue as BodyValue
from hook_widgets.webhooks.scheme.models import DeliveryRules as DeliveryRules
from hook_widgets.webhooks.scheme.models import Encoding as Encoding
from hook_widgets.webhooks.scheme.models import Event as Event
from hook_widgets.webhooks.scheme.models import HeaderValue as HeaderValue
from hook_widgets.webhooks.scheme.models import OlderHeader as OlderHeader
from hook_widgets.webhooks.scheme.models import Part as Part
from hook_widgets.webhooks.scheme.models import ResponseRules as ResponseRules
from hook_widgets.webhooks.scheme.models import Scheme as Scheme
from hook_widgets.webhooks.scheme.models import Serializer as Serializer
from hook_widgets.webhooks.scheme.models import Signature as Signature
from hook_widgets.webhooks.scheme.provenance import CurrentVersion as CurrentVersion
from hook_widgets.webhooks.scheme.provenance import Gap as Gap
from hook_widgets.webhooks.scheme.provenance import HeaderGaps as HeaderGaps
from hook_widgets.webhooks.scheme.provenance import RetryRules as RetryRules
from hook_widgets.webhooks.scheme.sender import Sender as Sender
