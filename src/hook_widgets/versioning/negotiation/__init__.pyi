from hook_widgets.versioning.negotiation.accept import AcceptedVersions as AcceptedVersions
from hook_widgets.versioning.negotiation.accept import MediaRange as MediaRange
from hook_widgets.versioning.negotiation.accept import accepted_versions as accepted_versions
from hook_widgets.versioning.negotiation.accept import parse_accept as parse_accept
from hook_widgets.versioning.negotiation.responses import Headers as Headers
from hook_widgets.versioning.negotiation.version_location import LocatedVersion as LocatedVersion
from hook_widgets.versioning.negotiation.version_location import locate_version as locate_version
