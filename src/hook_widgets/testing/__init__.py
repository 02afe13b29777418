"""Test a receiver with pytest: signed requests for test clients, and each check of a receiver as a test.

The pytest plugin is installed with the package. It provides the fixtures ``webhook``, ``webhook_secret``,
``webhook_receiver``, ``webhook_url``, ``webhook_check`` and ``limited_server`` and the mark
``webhook_checks``, and loads nothing until one of them is used.

The public interface is the names of this module. A name's module is loaded on first access.
"""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
