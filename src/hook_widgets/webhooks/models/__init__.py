"""Records that make up a provider and a draft, as a provider.toml defines them."""

from hook_widgets._lazy import attach

__getattr__, __dir__ = attach(__name__)
