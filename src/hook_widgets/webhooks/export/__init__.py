"""Export a request as a shell command, either signed or as a script that signs when it runs."""

from hook_widgets.webhooks.export.curl import curl as curl
from hook_widgets.webhooks.export.curl import self_signing_curl as self_signing_curl
