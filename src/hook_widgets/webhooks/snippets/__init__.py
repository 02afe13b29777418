"""A request as text for the shell: with its signature in it, or signing itself there."""

from hook_widgets.webhooks.snippets.curl import curl, self_signing_curl

__all__ = ["curl", "self_signing_curl"]
