"""A browser tab without a browser: it answers a widget's messages as the front end does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hook_widgets.webhooks import Secret, registry
from hook_widgets.webhooks.diagnosis.key_variants import KeyVariant, spec_of
from hook_widgets.webhooks.keys.signing import Algorithm, LocalSigner, MatchJob, SigningJob
from hook_widgets.webhooks.scheme import SharedSecretSpec
from hook_widgets.widgets.generator.serialize import provider_wire

#: a secret that a tab holds, and that must be in nothing else
CANARY = "whsec_canary4f8a2c71d9e3b650"


def signed(secret: str, args: dict[str, Any], messages: Sequence[bytes]) -> list[bytes]:
    """Sign as a tab does: what a job names is looked up in the provider's facts."""
    assert args.keys() in (
        {"revision", "purpose", "provider", "scheme", "fields"},
        {"host", "ticket", "provider", "scheme", "fields"},
    )
    provider = registry.provider(args["provider"].partition("_")[0])
    schemes = {scheme["name"]: scheme["signatures"] for scheme in provider_wire(provider)["schemes"]}
    algorithms = {named["field"]: named["algorithm"] for named in schemes[args["scheme"]]}
    return LocalSigner(Secret(secret)).sign(
        [
            SigningJob(field, algorithms[field], provider.key.spec, (message,))
            for field, message in zip(args["fields"], messages, strict=True)
        ]
    )


def matched(secret: str, args: dict[str, Any], buffers: Sequence[bytes]) -> list[int]:
    """Answer every question of a match job as a tab does."""
    assert {"provider", "jobs"} == args.keys()
    provider = registry.provider(args["provider"])
    assert isinstance(provider.key, SharedSecretSpec)
    matches = []
    for named in args["jobs"]:
        assert {"scheme", "field", "variant", "algorithm", "message", "presented"} == named.keys()
        pinned = {s.name: s.algorithm for s in provider.scheme(named["scheme"]).signatures}[named["field"]]
        algorithm = Algorithm(named["algorithm"] or pinned)
        assert pinned.may_be(algorithm)
        variant = KeyVariant(named["variant"])
        spec = provider.key.spec if variant is KeyVariant.SWAPPED else spec_of(provider.key, variant)
        assert spec is not None
        job = SigningJob(named["field"], algorithm, spec, tuple(buffers[i] for i in named["message"]))
        presented = tuple(buffers[i] for i in named["presented"])
        question = MatchJob(
            job=job, candidates=presented, scheme=named["scheme"], variant=variant, lenient=True
        )
        matches += LocalSigner(Secret(secret)).match([question])
    return matches


class FakeTab:
    """Stands in for the front end of one widget, holding a secret or none."""

    def __init__(self, widget: Any, *, secret: str | None = None) -> None:
        self.widget = widget
        self.secret = secret
        #: other secrets, by the names of their slots
        self.others: dict[str, str] = {}
        #: whether the user agrees when a token is to be released
        self.agrees = False
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
        job, buffers = self.jobs[-1]
        if job["op"] == "release" and not self.agrees:
            error = {"code": "declined", "text": "the token was not released"}
            self.say({"re": job["id"], "ok": False, "error": error})
        elif job["op"] in ("sign", "release"):
            slot = job["args"]["provider"]
            secret = self.others.get(slot) if "_" in slot else self.secret
            if secret is not None:  # a tab that does not hold it stays silent
                self.say({"re": job["id"], "ok": True, "value": {}}, signed(secret, job["args"], buffers))
        else:
            value = {"matches": matched(self.secret or "", job["args"], buffers)}
            self.say({"re": job["id"], "ok": True, "value": value})

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
