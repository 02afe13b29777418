"""Check a webhook receiver: is what it accepts, rejects and responds right?

>>> from hook_widgets.receivers import check_receiver
>>> from hook_widgets.webhooks import Receiver, Secret
>>> secret = Secret("an example secret")
>>> with Receiver("generic", secret) as receiver:
...     report = check_receiver("generic", receiver.url, secret, only=["A1", "B3"])
>>> [(check.id, str(check.status)) for check in report.checks]
[('A1', 'passed'), ('B3', 'passed')]

The public interface is the names of this module. The modules below are internal: import nothing from them. A
name's module is loaded on first access.
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
