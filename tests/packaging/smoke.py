"""Smoke test of an installed wheel, in one minute and without a test runner.

    python tests/packaging/smoke.py

Runs under the Python of an environment that has the wheel, on each system and Python that a release is for.
It compares with what others wrote or anybody can count: a vector of RFC 4231, a bucket of two tokens.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import hook_widgets
from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator
from hook_widgets.ratelimit import TokenBucket, plan, simulate
from hook_widgets.versioning import Api, Release, lifecycle
from hook_widgets.webhooks import Receiver, Secret, provider, providers, send


def check(what: str, *, holds: bool) -> None:
    """Say that something holds, or end with what does not."""
    if not holds:
        sys.exit(f"FAILED: {what}")
    print(f"ok: {what}")


def webhooks() -> None:
    """Sign as RFC 4231 does, and send to a receiver that verifies."""
    draft = provider("github").draft(body=b"what do ya want for nothing?", url="http://127.0.0.1:9/")
    signed = draft.sign(Secret("Jefe")).headers["X-Hub-Signature-256"]
    rfc4231 = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"  # section 4.3
    check("a body is signed as in RFC 4231", holds=signed == f"sha256={rfc4231}")
    check("there are some two hundred providers", holds=len(providers()) > 150)
    secret = Secret("whsec_smoke")
    with Receiver("stripe", secret) as receiver:
        answer = send(provider("stripe").draft(url=receiver.url).sign(secret))
    check("a receiver on this machine accepts what is sent", holds=answer.status == 200)


def rate_limits() -> None:
    """A bucket of two tokens that gets one a second."""
    run = simulate(TokenBucket(2, "1/s"), [0, 0, 0, 1, 1])
    check("a bucket decides as by hand", holds=list(run.admitted) == [True, True, False, True, False])
    check("a plan has advice", holds=bool(plan("1000/hour", clients=4, steady="700/hour").advice))
    check("a picture is drawn", holds=run.plot().get_axes() != [])


def versions() -> None:
    """An old version that goes, and a request for it."""
    old = Release(1, lifecycle=lifecycle(datetime(2026, 6, 1, 9, tzinfo=UTC)))
    api = Api(name="Orders API", releases=(old, Release(2)))
    version_headers = dict(api.headers(1, datetime(2026, 11, 20, tzinfo=UTC), target="/orders"))
    check("a deprecated version says so", holds={"Deprecation", "Sunset"} <= set(version_headers))
    route = api.negotiate("/api/v1/orders", at=datetime(2026, 11, 20, tzinfo=UTC)).route
    check("a request is routed to its version", holds=route is not None and route.major == 1)


def widgets() -> None:
    """Each has its bundle, and is shown and exported; those that are loaded later are there."""
    generator = WebhookGenerator()
    for part in ("editor.js", "panels.js", "vault.js", "curves.js"):
        _, buffers = generator._on_chunk({"name": part}, [])
        check(f"{part} is opened", holds=len(buffers[0]) > 1000)
    with TemporaryDirectory() as folder:
        for widget in (generator, RateLimitCalculator(), VersionPlanner()):
            name = type(widget).__name__
            check(f"{name} has its bundle", holds=len(str(widget._esm)) > 10_000)
            bundle = widget._repr_mimebundle_()
            data = bundle[0] if isinstance(bundle, tuple) else bundle
            check(f"{name} is shown", holds="application/vnd.jupyter.widget-view+json" in (data or {}))
            page = Path(widget.export_html(Path(folder) / f"{name}.html"))
            check(f"{name} is exported", holds=page.read_text(encoding="utf-8").rstrip().endswith("</html>"))


if __name__ == "__main__":
    print(f"hook_widgets {hook_widgets.__version__} from {Path(hook_widgets.__file__).parent}")
    for part in (webhooks, rate_limits, versions, widgets):
        part()
