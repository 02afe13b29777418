"""Draft, sign, send, receive, verify and diagnose webhook requests of many providers.

>>> from hook_widgets.webhooks import Secret, provider, verify
>>> secret = Secret("an example secret")
>>> request = provider("generic").draft(at=1_790_000_000).sign(secret)
>>> verify("generic", request, secret).ok
True

The public interface is the names of this module, of `delivery`, `models` and `recordings` inside it, and of
`hook_widgets.errors`. The modules below are internal: import nothing from them. A name's module is loaded on
first access.
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
