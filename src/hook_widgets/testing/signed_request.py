"""A signed request as the arguments of test clients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import WebhookRequest

TEST_ORIGIN = "http://testserver"
"""The origin of the test clients of Starlette and Django."""


class RequestArguments(dict[str, Any]):
    """Keyword arguments for a test client; the representation has no values.

    pytest prints the arguments of a call in a failed assertion, and a header may be a token.
    """

    def __repr__(self) -> str:
        return f"RequestArguments({', '.join(self)})"


@dataclass(frozen=True, repr=False)
class SignedRequest:
    """A signed request, as returned by the fixture ``webhook``.

    The arguments of each client contain the URL only if `webhook` got one; without, give the path to the
    client: ``client.post("/hooks", **webhook("stripe").for_httpx())``.

    Args:
        request: the signed request.
        target: the URL or path, as for ``webhook(url=...)``; empty if there is none.
    """

    request: WebhookRequest
    target: str = ""

    @property
    def method(self) -> str:
        """The HTTP method, nearly always POST."""
        return self.request.method

    @property
    def url(self) -> str:
        """The full URL that was signed, where the scheme signs it."""
        return self.request.url

    @property
    def headers(self) -> Headers:
        """All headers except Host and Content-Length."""
        return self.request.headers

    @property
    def body(self) -> bytes:
        """The body, byte for byte as signed."""
        return self.request.body

    def for_httpx(self) -> dict[str, Any]:
        """Return arguments for ``httpx`` clients, and the test clients of Starlette and FastAPI."""
        return self._arguments("url", self._target(), content=self.body, headers=self.headers.multi_items())

    def for_starlette(self) -> dict[str, Any]:
        """Return arguments for the test clients of Starlette and FastAPI: those of `for_httpx`."""
        return self.for_httpx()

    def for_django(self) -> dict[str, Any]:
        """Return arguments for Django's ``Client``, ``AsyncClient`` and ``RequestFactory``."""
        parts = urlsplit(self.url)
        arguments = self._arguments(
            "path", self._path(), data=self.body, content_type=self.headers.get("Content-Type", "")
        )
        for name, value in self._joined().items():
            if name.lower() != "content-type":
                arguments[f"HTTP_{name.upper().replace('-', '_')}"] = value
        if "://" in self.target:
            arguments |= {"HTTP_HOST": parts.netloc, "secure": parts.scheme == "https"}
        return arguments

    def for_flask(self) -> dict[str, Any]:
        """Return arguments for the test clients of Flask and Werkzeug."""
        arguments = self._arguments("path", self._path(), data=self.body, headers=self.headers.multi_items())
        if self.target:  # the client's own origin is http://localhost
            parts = urlsplit(self.url)
            arguments["base_url"] = f"{parts.scheme}://{parts.netloc}"
        return arguments

    def for_aiohttp(self) -> dict[str, Any]:
        """Return arguments for ``aiohttp``'s ``TestClient`` and ``ClientSession``.

        A path is signed with the host of the header Host, which is then sent.
        """
        headers = self.headers.multi_items()
        if self.target and "://" not in self.target:
            headers.append(("Host", urlsplit(self.url).netloc))
        skipped = () if "Content-Type" in self.headers else ("Content-Type",)
        return self._arguments(
            "path" if "://" not in self.target else "url",
            self._target(),
            data=self.body,
            headers=headers,
            skip_auto_headers=skipped,
        )

    def for_requests(self) -> dict[str, Any]:
        """Return arguments for the library ``requests``, which needs a full URL."""
        return self._arguments("url", self._target(), data=self.body, headers=self._joined())

    def _arguments(self, name: str, target: str, **others: object) -> RequestArguments:
        return RequestArguments(({name: target} if self.target else {}) | others)

    def _target(self) -> str:
        """Return the URL, or the path if `webhook` got one; with the parameters that the scheme appends."""
        return self.url if "://" in self.target else self._path()

    def _path(self) -> str:
        parts = urlsplit(self.url)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def _joined(self) -> dict[str, str]:
        """Return the headers with repeated ones joined (RFC 9110 section 5.3)."""
        return {name: ", ".join(self.headers.get_list(name)) for name in self.headers}

    def __repr__(self) -> str:
        names = ", ".join(self.headers)
        return f"SignedRequest({self.method} {self.target.partition('?')[0]}, headers {names})"
