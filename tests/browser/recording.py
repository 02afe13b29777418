"""Everything that leaves or enters a browser: websocket frames, HTTP requests, console, storage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebSocket

_STORAGE = """async () => {
  const all = {local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie,
               url: location.href, stores: {}, caches: await caches.keys()};
  const wait = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error); });
  for (const {name} of await indexedDB.databases()) {
    const database = await wait(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      all.stores[`${name}/${store}`] = await wait(database.transaction(store).objectStore(store).getAll());
    }
    database.close();
  }
  return JSON.stringify(all);
}"""


@dataclass(frozen=True)
class Frame:
    """One websocket frame, after decompression."""

    sent: bool
    data: bytes


@dataclass
class Recording:
    """All traffic of one browser profile since it was opened.

    Not seen: websockets that a worker opens, and HTTP answers (the files they come from are searched).
    """

    frames: list[Frame] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, context: BrowserContext) -> Recording:
        """Begin to record all pages of a profile."""
        recording = cls()
        context.on("request", recording._on_request)
        context.on("console", recording._on_console)
        context.on("page", recording._on_page)
        return recording

    def forget(self) -> None:
        """Clear the record."""
        for recorded in (self.frames, self.requests, self.console, self.errors):
            recorded.clear()

    def _on_request(self, request: Request) -> None:
        self.requests.append(request)

    def _on_page(self, page: Page) -> None:
        page.on("websocket", self._on_websocket)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _on_console(self, message: ConsoleMessage) -> None:
        self.console.append(f"{message.type}: {message.text}")

    def _on_websocket(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda data: self.frames.append(Frame(True, _bytes(data))))
        socket.on("framereceived", lambda data: self.frames.append(Frame(False, _bytes(data))))

    def places(self) -> Iterator[tuple[str, bytes]]:
        """All that passed."""
        yield from (("frame sent" if f.sent else "frame received", f.data) for f in self.frames)
        yield from ((f"request {r.method} {r.url}", _wire(r)) for r in self.requests)
        yield from (("console", line.encode()) for line in self.console + self.errors)

    def foreign(self, base: str) -> list[str]:
        """Addresses that were asked for and are not the server's: a CDN, say."""
        own = (f"{base}/", f"{base.replace('http', 'ws', 1)}/", "data:", "blob:")
        return [request.url for request in self.requests if not request.url.startswith(own)]


def storage_place(page: Page) -> tuple[str, bytes]:
    """Return everything the browser stores for the page's origin, with its address."""
    return "browser storage", page.evaluate(_STORAGE).encode()


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode()


def _wire(request: Request) -> bytes:
    head = "".join(f"{name}: {value}\n" for name, value in request.headers.items())
    return f"{request.method} {request.url}\n{head}\n".encode() + (request.post_data_buffer or b"")
