"""Settings that every test shares."""

from __future__ import annotations

import os

from hypothesis import settings

# A slow machine is no reason to fail; in CI the examples are the same ones every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
