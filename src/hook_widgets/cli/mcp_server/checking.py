"""Tools that use a secret of the server's environment, against receivers on this machine only."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from hook_widgets.cli.inputs import signing_key, verifying_key
from hook_widgets.cli.mcp_server.allowed_secrets import AllowedSecrets
from hook_widgets.cli.output import causes_of
from hook_widgets.cli.setup_options import OwnerNames, secrets_setup
from hook_widgets.errors import DestinationBlocked, InvalidArgument

if TYPE_CHECKING:
    from hook_widgets.receivers import Progress, Setup
    from hook_widgets.webhooks import Provider


class Checking:
    """The runs of one server, one at a time."""

    def __init__(self, secrets: AllowedSecrets) -> None:
        self._secrets = secrets
        self._running = threading.Lock()

    def check_receiver(
        self,
        provider: str,
        url: str,
        secret_env: str,
        *,
        suite: Literal["standard", "full"],
        only: list[str],
        skip: list[str],
        event: str,
        oracle_url: str,
        owner: OwnerNames,
        budget_s: float,
        on_progress: Callable[[Progress], object],
        stop: Callable[[], bool],
    ) -> dict[str, Any]:
        """Return the report of a run, in the form of `report_schema`.

        Raises:
            DestinationBlocked: a URL is not of this machine; nothing was sent.
            InvalidArgument: the secret may not be used, a run is under way, or an argument is invalid.
        """
        from hook_widgets.receivers import check_receiver

        sender = self._sender(provider, secret_env)
        _check_loopback(url)
        if oracle_url:
            _check_loopback(oracle_url)  # anything else would be a shell command
        setup = self._setup(sender, owner)
        with self._alone():
            report = check_receiver(
                sender,
                url,
                signing_key(sender, secret_env, None),
                suite=suite,
                only=only or None,
                skip=skip,
                oracle=oracle_url or None,
                event=event or None,
                setup=setup,
                budget_s=budget_s,
                on_progress=on_progress,
                stop=stop,
            )
        value: dict[str, Any] = json.loads(report.to_json())
        return value

    def why_rejected(
        self,
        provider: str,
        url: str,
        secret_env: str,
        *,
        event: str,
        budget_s: float,
        stop: Callable[[], bool],
    ) -> dict[str, Any]:
        """Return the explanation of a rejection.

        Raises:
            DestinationBlocked: the URL is not of this machine; nothing was sent.
            InvalidArgument: the secret may not be used, a run is under way, or an argument is invalid.
        """
        from hook_widgets.receivers import why_rejected

        sender = self._sender(provider, secret_env)
        _check_loopback(url)
        with self._alone():
            rejection = why_rejected(
                sender,
                url,
                signing_key(sender, secret_env, None),
                event=event or None,
                budget_s=budget_s,
                stop=stop,
            )
        value: dict[str, Any] = json.loads(rejection.to_json())
        return value

    def diagnose_request(self, provider: str, request: str, secret_env: str) -> dict[str, Any]:
        """Return the diagnosis of a recorded request.

        Raises:
            InvalidArgument: the secret may not be used, or the recording has not one request.
        """
        from hook_widgets.webhooks import diagnose
        from hook_widgets.webhooks.recordings import read_recording

        sender = self._sender(provider, secret_env)
        exchanges = read_recording(request).exchanges
        if len(exchanges) != 1:
            raise InvalidArgument(f"request has {len(exchanges)} requests; give one of them")
        key = verifying_key(sender, secret_env, None)
        with self._alone():
            diagnosis = diagnose(sender, exchanges[0].request.received(), key)
        return {
            "provider": sender.id,
            "ok": diagnosis.verdict.ok,
            "reason": str(diagnosis.verdict.reason),
            **causes_of(diagnosis),
        }

    def _sender(self, provider: str, secret_env: str) -> Provider:
        """Return a provider whose secret may be read from this variable.

        Raises:
            InvalidArgument: the secret may not be used.
        """
        from hook_widgets.webhooks import provider as provider_of

        sender = provider_of(provider)
        self._secrets.check(secret_env, sender)
        return sender

    def _setup(self, sender: Provider, owner: OwnerNames) -> Setup:
        """Return the setup of a run.

        Raises:
            DestinationBlocked: its URL is not of this machine.
            InvalidArgument: a variable may not be used, or there is no such field.
        """
        for name in (owner.other_secret_env, owner.previous_secret_env, owner.retired_secret_env):
            if name:
                self._secrets.check(name, sender)
        for name in owner.part_env.values():  # the receiver at the URL gets the value itself
            self._secrets.check(name, sender, revealed=True)
        if owner.unconfigured_url:
            _check_loopback(owner.unconfigured_url)
        return secrets_setup(sender, owner)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the only place for a run.

        Raises:
            InvalidArgument: another run is under way.
        """
        if not self._running.acquire(blocking=False):
            raise InvalidArgument("another run is under way; wait for its end")
        try:
            yield
        finally:
            self._running.release()


def _check_loopback(url: str) -> None:
    """Reject a URL of another machine.

    Raises:
        InvalidArgument: it is no URL.
        DestinationBlocked: it is not of this machine.
    """
    from hook_widgets.webhooks.delivery import destination

    target = destination.check(url)
    if not target.is_loopback:
        raise DestinationBlocked(
            f"{target.host} is not this machine; an agent may check receivers on 127.0.0.1, [::1] or "
            "localhost only, so run `hook-widgets check` yourself for another one",
            host=target.host,
            code="not_allowed",
        )
