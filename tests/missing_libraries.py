"""Run as a program: uses the widgets as a tab does where most libraries are not installed.

Prints what came of it as JSON, for `tests/test_missing_libraries.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

#: what no page gets in Pyodide's core or from a registry, and what needs that
MISSING = frozenset(
    {
        *("numpy", "matplotlib", "PIL", "kiwisolver", "contourpy", "numba", "pandas"),
        *("cryptography", "httpcore", "h11"),
        *("jsonschema", "jsonschema_specifications", "referencing", "rpds", "yaml"),
    }
)


class Missing(MetaPathFinder):
    """Finds none of the missing libraries, as if they were not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse what is missing, and leave the rest to the other finders."""
        if fullname.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def said(call: Callable[[], object]) -> list[str]:
    """The error of this project that a call raises, by its class and text; nothing when it raises none."""
    from hook_widgets.errors import HookWidgetsError

    try:
        call()
    except HookWidgetsError as error:
        return [type(error).__name__, str(error)]
    return []


def calculator() -> dict[str, Any]:
    """Everything that a tab asks of a calculator."""
    import hook_widgets.ratelimit
    from hook_widgets import RateLimitCalculator
    from tests.widgets.fake_tab import FakeTab

    widget = RateLimitCalculator()
    tab = FakeTab(widget)
    view = {"width": 640, "height": 384, "dpr": 1, "theme": "light", "scales": ""}
    replies = {
        "catalog": tab.ask("catalog"),
        "frame": tab.ask("frame", **view, quick=False),
        "quick": tab.ask("frame", **view, quick=True),
        "compared": tab.ask("frame", **view, quick=False, inputs={"compare": True}),
        "svg": tab.ask("export", format="svg", theme="dark"),
        "png": tab.ask("export", format="png", theme="dark"),
        "preset": tab.ask("preset", name="pro"),
        "ping": tab.ask("ping"),
    }
    run = widget.run
    assert run is not None
    return {
        "replies": replies,
        "files": [buffers[0].decode() for _, buffers in tab.replies.values() if buffers],
        "figure": said(lambda: widget.figure),
        "plot": said(run.plot),
        "plot_run": said(lambda: hook_widgets.ratelimit.plot_run),
        "frame_of_pandas": said(run.to_frame),
    }


def planner() -> dict[str, Any]:
    """Everything that a tab asks of a planner."""
    from hook_widgets import VersionPlanner
    from tests.widgets.fake_tab import FakeTab
    from tests.widgets.planner.planner_tab import PLAN, ROWS, VIEW, inputs

    widget = VersionPlanner(ROWS, **PLAN)
    tab = FakeTab(widget)
    replies = {
        "catalog": tab.ask("catalog"),
        "frame": tab.ask("frame", inputs=inputs(tab), **VIEW),
        "quick": tab.ask("frame", inputs=inputs(tab), **(VIEW | {"quick": True})),
        "ping": tab.ask("ping"),
        **{kind: tab.ask("export", format=kind) for kind in ("svg", "png", "ics", "csv")},
        "md": tab.ask("export", format="md", text="announcement"),
    }
    files = [buffers[0].decode() for _, buffers in tab.replies.values() if buffers]
    return {"replies": replies, "files": files, "figure": said(lambda: widget.figure)}


def generator() -> dict[str, Any]:
    """Everything that a tab asks of a generator, for a provider with a secret and for one with a key pair."""
    from hook_widgets import Secret, WebhookGenerator
    from tests.widgets.fake_tab import FakeTab

    tab = FakeTab(WebhookGenerator("stripe", url="http://127.0.0.1:9/"), secret="demo_not_a_secret")
    tab.ask("preview")
    tab.answer_last_job()
    signed = tab.last("signed")
    headers = "\n".join(f"{header['name']}: {header['value']}" for header in signed["headers"])
    body: bytes = tab.widget.body
    with_key = FakeTab(WebhookGenerator("stripe", secret=Secret("demo_not_a_secret")))
    received = {"headers_text": headers, "url": "http://127.0.0.1:9/", "method": "POST"}
    replies = {
        "catalog": tab.ask("catalog"),
        "provider": tab.ask("provider", id="stripe"),
        "ping": tab.ask("ping"),
        "format": tab.ask("format"),
        "minify": tab.ask("minify"),
        "reset": tab.ask("reset"),
        "randomize": tab.ask("randomize", seed=1, values={}),
        "receiver": tab.ask("receiver", language="python"),
        "curl": tab.ask("curl", form="env", secret_env="SECRET"),
        "verify": tab.ask("verify", body, provider="stripe", **received),
        "diagnose": with_key.ask("diagnose", body + b" ", provider="stripe", **received),
        "send": tab.ask("send"),
    }
    pairs = FakeTab(WebhookGenerator("discord"))
    signature = {"X-Signature-Ed25519": "00" * 64, "X-Signature-Timestamp": "1795262400"}
    pair = {
        "headers_text": "\n".join(f"{name}: {value}" for name, value in signature.items()),
        "url": "",
        "method": "POST",
        "public_key": "00" * 32,
    }
    replies["catalog of pairs"] = pairs.ask("provider", id="discord")
    replies["verify with a public key"] = pairs.ask("verify", b"{}", provider="discord", **pair)
    replies["diagnose with a public key"] = pairs.ask("diagnose", b"{}", provider="discord", **pair)
    return {"replies": replies}


def rest() -> dict[str, Any]:
    """Call the functions that need a library, and some that do not."""
    import hook_widgets
    from hook_widgets.ratelimit import TokenBucket, simulate
    from hook_widgets.versioning import compare
    from hook_widgets.webhooks import KeyPair, PublicKey, Receiver, Secret, provider, send

    request = provider("github").draft(url="http://127.0.0.1:9/hooks").sign(Secret("demo_not_a_secret"))
    return {
        "send": said(lambda: send(request)),
        "receiver": said(Receiver("github", Secret("demo_not_a_secret")).start),
        "receiver with tls": said(Receiver("github", Secret("demo_not_a_secret"), tls=True).start),
        "a key pair": said(lambda: KeyPair.generate("ed25519")),
        "a key pair of text": said(lambda: KeyPair.from_pem("-----BEGIN PRIVATE KEY-----")),
        "a public key": said(lambda: PublicKey("00" * 32, "ed25519").verifies(b"", b"")),
        "compare schemas": said(lambda: compare({"type": "string"}, {"type": "string"}, kind="schema")),
        "compare YAML": said(lambda: compare("type: string", "type: string", kind="schema")),
        "simulate": said(lambda: simulate(TokenBucket(2, "1/s"), [0, 1, 2])),
        "doctor": said(hook_widgets.doctor),
        "still": [
            sorted((widget._repr_mimebundle_() or ({}, {}))[0])
            for widget in (
                hook_widgets.RateLimitCalculator(),
                hook_widgets.VersionPlanner(),
                hook_widgets.WebhookGenerator(),
            )
        ],
    }


def main() -> None:
    """Do all of it."""
    from contextlib import redirect_stdout

    sys.meta_path.insert(0, Missing())
    with redirect_stdout(sys.stderr):  # the doctor prints
        results: dict[str, Any] = {each.__name__: each() for each in (calculator, planner, generator, rest)}
    results["loaded"] = sorted({name.partition(".")[0] for name in sys.modules} & MISSING)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
