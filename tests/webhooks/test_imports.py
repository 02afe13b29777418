"""Importing a core loads nothing of Jupyter, no plots, no HTTP client, no big cryptography."""

from __future__ import annotations

import subprocess
import sys

JUPYTER = {"IPython", "anywidget", "ipywidgets", "jupyterlab", "traitlets"}
HEAVY = JUPYTER | {"cryptography", "httpcore", "jinja2", "matplotlib", "numpy"}


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sorted({{m.partition('.')[0] for m in sys.modules}}), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    return set(done.stdout.split())


def test_importing_the_webhook_core_loads_nothing_heavy():
    assert set() == HEAVY & loaded_by("import hook_widgets.webhooks")


def test_signing_and_verifying_an_hmac_loads_nothing_heavy():
    statement = (
        "from hook_widgets.webhooks import Secret, provider, verify\n"
        "request = provider('stripe').draft().sign(Secret('whsec_x'))\n"
        "assert verify('stripe', request, Secret('whsec_x')).ok"
    )

    assert set() == HEAVY & loaded_by(statement)


def test_the_detector_sees_what_is_loaded():
    assert {"anywidget", "ipywidgets"} <= loaded_by("from hook_widgets import WebhookGenerator")
