"""The objects behind the fixtures: secrets of a test session, signed requests and running receivers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime

from hook_widgets.errors import InvalidArgument, InvalidSecret, UnknownName, nearest
from hook_widgets.testing.recorded import RecordedWebhook
from hook_widgets.testing.signed_request import TEST_ORIGIN, SignedRequest
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.delivery.receiver import Receiver
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.requests.provider import DEFAULT_URL, Provider
from hook_widgets.webhooks.scheme import AsymmetricKeySpec
from hook_widgets.webhooks.verification.faults import Fault, faulty_request


class SessionSecrets:
    """The secrets of a test session; the fixture ``webhook_secret``.

    Args:
        on_secret: called with each provider and secret, to keep it out of the output of the tests.
    """

    def __init__(self, on_secret: Callable[[Provider, Secret | KeyPair], object]) -> None:
        self._on_secret = on_secret
        self._keys: dict[tuple[str, str], Secret | KeyPair] = {}

    def __call__(self, provider: str | Provider, *, secret_env: str = "") -> Secret | KeyPair:
        """Return the secret of a provider: the same one in the whole session.

        Args:
            provider: the provider or its id.
            secret_env: the name of the environment variable that holds the secret, or the PEM of a private
                key; by default a random one is generated, in the provider's form.

        Raises:
            UnknownName: there is no such provider.
            InvalidSecret: the variable is not set, or holds no key of this provider.
        """
        __tracebackhide__ = True
        source = registry.provider(provider) if isinstance(provider, str) else provider
        name = (source.id, secret_env)
        if name not in self._keys:
            self._keys[name] = self._read(source, secret_env) if secret_env else source.example_secret()
            self._on_secret(source, self._keys[name])
        return self._keys[name]

    def _read(self, source: Provider, secret_env: str) -> Secret | KeyPair:
        __tracebackhide__ = True
        try:
            secret = Secret.from_env(secret_env)
        except InvalidSecret as error:
            raise error.with_traceback(None) from None  # pytest shows no frame of ours
        if not isinstance(source.key, AsymmetricKeySpec):
            return secret
        self._on_secret(source, secret)
        return KeyPair.from_pem(secret.reveal())


class WebhookFactory:
    """Signs requests for test clients; the fixture ``webhook``.

    Args:
        secrets: returns the secret of a provider; the fixture ``webhook_secret``.
        on_secret: called with each provider and secret, to keep it out of the output of the tests.
    """

    def __init__(
        self,
        secrets: Callable[..., Secret | KeyPair],
        on_secret: Callable[[Provider, Secret | KeyPair], object],
    ) -> None:
        self._secrets = secrets
        self._on_secret = on_secret

    def __call__(
        self,
        provider: str | Provider | RecordedWebhook,
        event: str | None = None,
        *,
        url: str = "",
        body: bytes | str | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        at: datetime | float | None = None,
        scheme: str | None = None,
        parts: Mapping[str, str] | None = None,
        secret: Secret | KeyPair | None = None,
        fault: Fault | str | None = None,
    ) -> SignedRequest:
        """Return a signed request.

        Args:
            provider: the provider or its id, or a recorded request, which has event, body and headers.
            event: the event; by default the provider's first.
            url: the path, or the full URL as the receiver sees it. Needed if the provider signs the URL; a
                path stands for ``http://testserver`` and the path.
            body: the body; by default the event's sample.
            headers: your own headers.
            at: the time it claims; by default now.
            scheme: the name of one of the provider's schemes.
            parts: the provider's own fields, such as a delivery id.
            secret: the key to sign with; by default that of the fixture ``webhook_secret``.
            fault: one thing that is wrong, such as ``"wrong_signature"``; see `hook_widgets.webhooks.Fault`.

        Raises:
            UnknownName: there is no such provider, event, scheme, part or fault.
            InvalidArgument: an argument is invalid, or the provider signs the URL and there is none.
            InvalidSecret: the secret does not have the provider's form.
            UnreadableMessage: the body lacks a value that is signed or sent.
        """
        __tracebackhide__ = True
        if isinstance(provider, RecordedWebhook):
            recorded, provider = provider, provider.provider
            event, body, headers = recorded.event or None, recorded.body, recorded.headers
            scheme = recorded.scheme or None
        source = registry.provider(provider) if isinstance(provider, str) else provider
        key: object = self._secrets(source.id) if secret is None else secret
        if not isinstance(key, Secret | KeyPair):
            del secret, key  # a traceback may show variables
            raise InvalidArgument(
                "secret= is neither a Secret nor a KeyPair; write Secret(...) around the text"
            )
        self._on_secret(source, key)
        full = TEST_ORIGIN + url if url.startswith("/") else url or DEFAULT_URL
        options = {"event": event, "url": full, "body": body, "headers": headers, "scheme": scheme}
        draft = source.draft(**options, at=at, parts=parts)  # type: ignore[arg-type]
        if not url and ("url" in draft.scheme.signed or draft.scheme.query):
            raise InvalidArgument(
                f"{source.title} signs the URL; give url=, the path or full URL as the receiver sees it"
            )
        if fault is None:
            return SignedRequest(draft.sign(key), url)
        if fault not in list(Fault):
            raise UnknownName(f"there is no fault {fault!r}; {nearest(fault, Fault)}")
        if at is not None:
            raise InvalidArgument("at= and fault= exclude each other; an expired timestamp sets the time")
        return SignedRequest(faulty_request(source, fault, key, **options, parts=parts), url)  # type: ignore[arg-type]


class ReceiverFactory:
    """Starts receivers that verify and record; the fixture ``webhook_receiver``.

    Args:
        secrets: returns the secret of a provider; the fixture ``webhook_secret``.
        stack: stops the receivers at the end of the test.
    """

    def __init__(self, secrets: Callable[..., Secret | KeyPair], stack: ExitStack) -> None:
        self._secrets = secrets
        self._stack = stack

    def __call__(
        self, provider: str | Provider, *, secret: Secret | KeyPair | None = None, explain: bool = True
    ) -> Receiver:
        """Return a running receiver on 127.0.0.1, which is stopped at the end of the test.

        Args:
            provider: the provider that sends, or its id.
            secret: the key to verify with; by default that of the fixture ``webhook_secret``.
            explain: if true, a rejection tells its reason.

        Raises:
            UnknownName: there is no such provider.
        """
        __tracebackhide__ = True
        source = registry.provider(provider) if isinstance(provider, str) else provider
        key = self._secrets(source.id) if secret is None else secret
        return self._stack.enter_context(Receiver(source, key, explain=explain))
