"""Sign and match with the holder of the key: this kernel, or a browser tab.

A job for a tab names scheme, signature and variant of the key, and never defines how to derive a key: a tab
that let the kernel define that would become an oracle for the secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hook_widgets.errors import HookWidgetsError, InvalidArgument
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, MatchJob, SigningJob
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme import Sender
from hook_widgets.widgets._rpc import Buffers, Rpc, RpcError
from hook_widgets.widgets.generator import serialize as wire
from hook_widgets.widgets.generator.released_tokens import Release

#: Callback for the signed request and its raw signatures.
OnSigned = Callable[[WebhookRequest, list[bytes]], None]
OnError = Callable[[HookWidgetsError], None]

TIMEOUT_S = 10.0
# The question in the tab ends after 60 s (`QUESTION_MS` in js/src/vault/keeper.ts).
_RELEASE_TIMEOUT_S = 70.0


class SigningBroker:
    """Signs and matches in the kernel if it has a key, else through the tabs.

    Args:
        rpc: the conversation with the tabs.
        key: key for the kernel; None if the browser holds it.
    """

    def __init__(self, rpc: Rpc, key: Secret | KeyPair | None) -> None:
        self._rpc = rpc
        self._local = None if key is None else LocalSigner(key)
        self.key: Secret | KeyPair | None = key
        self.secret: Secret | None = key if isinstance(key, Secret) else None
        self._preview = ""

    def preview(self, draft: Draft, revision: str, done: OnSigned, failed: OnError) -> None:
        """Sign for display; a newer preview replaces a pending one."""
        self.cancel_preview()
        self._preview = self._sign(draft, revision, "preview", done, failed)

    def cancel_preview(self) -> None:
        """Stop waiting for the preview's signature."""
        self._rpc.forget(self._preview)

    def must_release(self, draft: Draft) -> bool:
        """Return True if the request carries a secret that only a tab knows."""
        return draft.reveals_secret and self._local is None

    def sign(self, draft: Draft, revision: str, done: OnSigned, failed: OnError) -> None:
        """Sign for sending; fail after a timeout if no tab responds."""
        self._expect(self._sign(draft, revision, "send", done, failed), failed)

    def sign_jobs(
        self,
        provider: Sender,
        scheme: str,
        jobs: Sequence[SigningJob],
        done: Callable[[list[bytes]], None],
        failed: OnError,
        *,
        role: str = "",
    ) -> None:
        """Have the tabs sign messages that are no draft's; fail after a timeout if no tab responds.

        Args:
            provider: the provider of the secret.
            scheme: the provider's scheme that names the signatures.
            jobs: the messages; key and algorithm are those of the scheme, whatever a job says.
            done: callback for the raw signatures.
            failed: callback for an error.
            role: the field of `Setup` whose secret signs, if it is not the provider's current one.
        """

        def answered(_value: Mapping[str, Any], buffers: Buffers) -> None:
            if len(buffers) != len(jobs):
                raise InvalidArgument("the response has no signature for each message")
            done(list(buffers))

        args = {"revision": "", "purpose": "check", **_names(provider, scheme, jobs)}
        if role:  # no id of a provider has an underscore
            args["provider"] = f"{provider.id}_{role}"
        question = self._rpc.ask("sign", args, [job.message for job in jobs], answered, failed)
        self._expect(question, failed)

    def release(self, draft: Draft, release: Release, done: OnSigned, failed: OnError) -> None:
        """Ask the tab that started the delivery for the secret, which its user has to agree to."""
        jobs = draft.jobs()

        def answered(_value: Mapping[str, Any], buffers: Buffers) -> None:
            try:
                request = draft.complete(buffers)
            except HookWidgetsError as error:  # no header can carry this secret
                failed(error)
            else:
                done(request, list(buffers))

        names = _names(draft.provider, draft.scheme.name, jobs)
        args = {**names, "host": release.host, "ticket": release.ticket}
        question = self._rpc.ask("release", args, [job.message for job in jobs], answered, failed)
        self._expect(
            question, failed, _RELEASE_TIMEOUT_S, "nobody agreed to release the token; press Send again"
        )

    def match(
        self,
        provider: Sender,
        jobs: Sequence[MatchJob],
        done: Callable[[list[int]], None],
        failed: OnError,
        *,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """Find the right signature of each job.

        Args:
            provider: the provider of the secret.
            jobs: the match jobs; those that no tab may be asked count as not matched.
            done: callback for the index of the right signature of each job, or -1.
            failed: callback for an error.
            timeout_s: maximum time to wait for a tab.
        """
        if self._local is not None:
            done(self._local.match(jobs))
            return
        asked = [n for n, job in enumerate(jobs) if wire.is_askable(provider, job)]

        def answered(value: Mapping[str, Any], _buffers: Buffers) -> None:
            matches = [-1] * len(jobs)
            for n, match in zip(asked, _matches(value, [jobs[n] for n in asked]), strict=True):
                matches[n] = match
            done(matches)

        sent, buffers = wire.match_wire(provider, [jobs[n] for n in asked])
        question = self._rpc.ask("match", {"provider": provider.id, "jobs": sent}, buffers, answered, failed)
        self._expect(question, failed, timeout_s)

    def _sign(self, draft: Draft, revision: str, purpose: str, done: OnSigned, failed: OnError) -> str:
        """Sign, and return the id of the request to the tabs; empty if the kernel signed."""
        jobs = draft.jobs()
        if self._local is not None:
            try:
                signatures = self._local.sign(jobs)
            except HookWidgetsError as error:  # the key does not fit a provider picked later
                failed(error)
            else:
                done(draft.complete(signatures), signatures)
            return ""

        if draft.reveals_secret:
            text = "this provider sends the secret itself, which stays in the browser until it is sent"
            failed(RpcError("secret_stays", text))
            return ""

        def answered(_value: Mapping[str, Any], buffers: Buffers) -> None:
            done(draft.complete(buffers), list(buffers))

        names = _names(draft.provider, draft.scheme.name, jobs)
        args = {"revision": revision, "purpose": purpose, **names}
        return self._rpc.ask("sign", args, [job.message for job in jobs], answered, failed)

    def _expect(
        self,
        question: str,
        failed: OnError,
        timeout_s: float = TIMEOUT_S,
        reason: str = "no open tab holds the secret; type it in and try again",
    ) -> None:
        def give_up() -> None:
            if self._rpc.forget(question):
                failed(RpcError("no_secret", reason))

        self._rpc.after(timeout_s, give_up)


def _names(provider: Sender, scheme: str, jobs: Sequence[SigningJob]) -> dict[str, Any]:
    """Return what a job names: provider, scheme and fields."""
    return {"provider": provider.id, "scheme": scheme, "fields": [job.field for job in jobs]}


def _matches(value: Mapping[str, Any], jobs: Sequence[MatchJob]) -> list[int]:
    """Validate the matches of a tab: the index of a candidate for each job, or -1."""
    matches = value.get("matches")
    if not isinstance(matches, list) or len(matches) != len(jobs):
        raise InvalidArgument("the response has no match for each job")
    if not all(
        type(m) is int and -1 <= m < len(job.candidates) for m, job in zip(matches, jobs, strict=True)
    ):
        raise InvalidArgument("the response names a signature that the request does not have")
    return matches
