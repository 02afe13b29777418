"""Export a request as a shell command, either signed or as a script that signs when it runs."""

from hook_widgets.webhooks.export.curl import curl, self_signing_curl

__all__ = ["curl", "self_signing_curl"]
