"""A browser tab without a browser: it answers a widget's messages as the front end does."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Any

from hook_widgets.webhooks.secret import KeyForm, KeySpec, decode_key

#: a secret that a tab holds, and that must be in nothing else
CANARY = "whsec_canary4f8a2c71d9e3b650"


class FakeTab:
    """Stands in for the front end of one widget, holding a secret or none."""

    def __init__(self, widget: Any, *, secret: str | None = None) -> None:
        self.widget = widget
        self.secret = secret
        self.noted: list[tuple[dict[str, Any], list[bytes]]] = []
        self.replies: dict[str, tuple[dict[str, Any], list[bytes]]] = {}
        self.jobs: list[tuple[dict[str, Any], list[bytes]]] = []
        self._edits = 0
        self._asked = 0
        widget.send = self._take

    def _take(self, content: dict[str, Any], buffers: Sequence[Any] | None = None) -> None:
        raw = [bytes(b) for b in buffers or ()]
        if "re" in content:
            self.replies[content["re"]] = (content, raw)
        elif "id" in content:
            self.jobs.append((content, raw))
            if self.secret is not None:
                self.answer_last_job()
        else:
            self.noted.append((content, raw))

    def answer_last_job(self) -> None:
        """Sign or match the newest job, as the browser would."""
        job, messages = self.jobs[-1]
        signatures = []
        if job["op"] == "sign":
            for spec, message in zip(job["args"]["jobs"], messages, strict=True):
                signatures.append(self._hmac(spec, message))
            self.say({"re": job["id"], "ok": True, "value": {}}, signatures)
        else:
            matches = []
            for spec in job["args"]["jobs"]:
                right = self._hmac(spec, b"".join(messages[i] for i in spec["message"]))
                presented = [messages[i] for i in spec["presented"]]
                matches.append(presented.index(right) if right in presented else -1)
            self.say({"re": job["id"], "ok": True, "value": {"matches": matches}})

    def _hmac(self, spec: dict[str, Any], message: bytes) -> bytes:
        key = decode_key(
            self.secret or "",
            KeySpec(KeyForm(spec["form"]), spec["strip_prefix"], spec["normalize"], spec["digest"]),
        )
        return hmac.digest(key, message, spec["algorithm"].removeprefix("hmac-"))

    def say(self, content: Any, buffers: Sequence[bytes] = ()) -> None:
        """Deliver a message to the kernel."""
        self.widget._handle_custom_msg(content, list(buffers))

    def ask(self, op: str, *buffers: bytes, **args: Any) -> dict[str, Any]:
        """Send a request; the reply that has come, or fails the test when there is none."""
        self._asked += 1
        key = f"tab-{self._asked}"
        self.say({"id": key, "op": op, "args": args}, buffers)
        return self.replies[key][0]

    def edit(self, **traits: Any) -> str:
        """Change inputs as the browser does: with a revision of its own, in one update."""
        self._edits += 1
        revision = f"tab:{self._edits}"
        self.widget.set_state({**traits, "revision": revision})
        return revision

    @property
    def notes(self) -> list[dict[str, Any]]:
        """The notifications without their buffers, oldest first."""
        return [note for note, _ in self.noted]

    def last(self, op: str) -> dict[str, Any]:
        """The newest notification of that kind."""
        return [note for note in self.notes if note["op"] == op][-1]
