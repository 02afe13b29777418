"""Having something signed or matched by whoever holds the key: this kernel, or a browser tab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from hook_widgets.errors import HookWidgetsError, InvalidRequest
from hook_widgets.webhooks.catalog import Provider
from hook_widgets.webhooks.keypair import KeyPair
from hook_widgets.webhooks.request import Draft, WebhookRequest
from hook_widgets.webhooks.secret import Secret
from hook_widgets.webhooks.signing import LocalSigner, MatchJob
from hook_widgets.widgets import _wire as wire
from hook_widgets.widgets._rpc import Buffers, Fault, Rpc

#: Takes the signed request and its raw signatures.
OnSigned = Callable[[WebhookRequest, list[bytes]], None]
OnError = Callable[[HookWidgetsError], None]

_TIMEOUT_S = 10.0
_LONG_TIMEOUT_S = 30.0  # for the many questions of a diagnosis, on a slow machine
_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class Questions(Protocol[_T_co]):
    """What only the holder of the key can answer, and what follows from the answers."""

    @property
    def provider(self) -> Provider:
        """Whose secret is meant."""

    @property
    def jobs(self) -> Sequence[MatchJob]:
        """The questions."""

    def conclude(self, matches: Sequence[int]) -> _T_co:
        """What follows, given for each job the index of the right signature or -1."""


class KeyHolder:
    """Signs and matches in the kernel when it was given a key, else asks the tabs.

    Args:
        rpc: the conversation with the tabs.
        key: a key for the kernel, or None when the browser holds it.
    """

    def __init__(self, rpc: Rpc, key: Secret | KeyPair | None) -> None:
        self._rpc = rpc
        self._local = None if key is None else LocalSigner(key)
        self._preview = ""

    def preview(self, draft: Draft, revision: str, done: OnSigned, failed: OnError) -> None:
        """Sign for display. A newer preview takes the place of an unanswered one."""
        self.cancel_preview()
        self._preview = self._sign(draft, revision, "preview", done, failed)

    def cancel_preview(self) -> None:
        """No longer wait for the preview's signature."""
        self._rpc.forget(self._preview)

    def sign(self, draft: Draft, revision: str, done: OnSigned, failed: OnError) -> None:
        """Sign for sending; fails after a while when no tab answers."""
        self._expect(self._sign(draft, revision, "send", done, failed), failed)

    def match(
        self, found: Questions[_T], done: Callable[[_T], None], failed: OnError, *, first: bool = False
    ) -> None:
        """Have questions answered, and give what follows from the answers to `done`.

        Args:
            found: the questions.
            done: takes the conclusion.
            failed: takes the reason why there is none.
            first: whether a tab may stop at the first question that matches.
        """
        if self._local is not None:
            done(found.conclude(self._local.match(found.jobs)))
            return

        def answered(value: Mapping[str, Any], _buffers: Buffers) -> None:
            matches = value.get("matches")
            if not isinstance(matches, list) or [type(m) for m in matches] != [int] * len(found.jobs):
                raise InvalidRequest("the answer has no match for each question")
            done(found.conclude(matches))

        jobs, buffers = wire.match_wire(found.jobs)
        args = {"provider": found.provider.id, "jobs": jobs, "first": first}
        question = self._rpc.ask("match", args, buffers, answered, failed)
        self._expect(question, failed, _LONG_TIMEOUT_S if first else _TIMEOUT_S)

    def _sign(self, draft: Draft, revision: str, purpose: str, done: OnSigned, failed: OnError) -> str:
        """The id of the question, or nothing when the kernel signed by itself."""
        jobs = draft.jobs()
        if self._local is not None:
            try:
                signatures = self._local.sign(jobs)
            except HookWidgetsError as error:  # another provider was picked, and this key is not for it
                failed(error)
            else:
                done(draft.complete(signatures), signatures)
            return ""

        if draft.reveals_secret:
            text = "this provider sends the secret itself, which stays in the browser: run the curl command"
            failed(Fault("secret_stays", text))
            return ""

        def answered(_value: Mapping[str, Any], buffers: Buffers) -> None:
            done(draft.complete(buffers), list(buffers))

        args = {
            "revision": revision,
            "purpose": purpose,
            "provider": draft.provider.id,
            "jobs": [wire.job_wire(job) for job in jobs],
        }
        return self._rpc.ask("sign", args, [job.message for job in jobs], answered, failed)

    def _expect(self, question: str, failed: OnError, timeout_s: float = _TIMEOUT_S) -> None:
        def give_up() -> None:
            if self._rpc.waits_for(question):
                self._rpc.forget(question)
                failed(Fault("no_secret", "no open tab holds the secret; type it in and try again"))

        self._rpc.after(timeout_s, give_up)
