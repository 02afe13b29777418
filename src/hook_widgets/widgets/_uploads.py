"""Documents that a tab hands to the kernel for one calculation, in parts.

They hold what must not be saved, such as the addresses of clients: nothing here is a trait, and a document is
forgotten when it is used. A message of a kernel's websocket has at most 10 MB, so a document comes in parts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from hook_widgets.errors import HookWidgetsError
from hook_widgets.widgets._rpc import Buffers, Deferred, Rpc, RpcError

MAX_UPLOAD_BYTES: Final = 20_000_000
"""The largest document."""

_MAX_UPLOADS: Final = 4  # a tab that is closed never uses what it has sent
_MAX_NAME: Final = 60

_log = logging.getLogger(__name__)

Result = tuple[dict[str, Any], list[bytes]]


class Uploads:
    """Documents that are being sent, by the names that the tab gives them."""

    def __init__(self) -> None:
        self._parts: dict[str, bytearray] = {}

    def on_part(self, args: Mapping[str, Any], buffers: Buffers) -> dict[str, Any]:
        """Append a part to a document; the first part replaces an earlier one.

        Raises:
            RpcError: the document is too large, or its beginning is missing.
        """
        name, at = str(args.get("name"))[:_MAX_NAME], args.get("at")
        if at == 0:
            self._parts.pop(name, None)
            while len(self._parts) >= _MAX_UPLOADS:
                del self._parts[next(iter(self._parts))]
            self._parts[name] = bytearray()
        document = self._parts.get(name)
        if document is None or at != len(document):
            self._parts.pop(name, None)
            raise RpcError("upload_lost", "the document did not arrive completely; try again")
        part = b"".join(buffers)
        if len(document) + len(part) > MAX_UPLOAD_BYTES:
            del self._parts[name]
            raise RpcError(
                "upload_too_large",
                f"the document has more than {MAX_UPLOAD_BYTES // 1_000_000} MB; send a part of it",
            )
        document += part
        return {"received": len(document)}

    def take(self, name: object) -> bytes:
        """Return a document, and forget it.

        Raises:
            RpcError: it was not sent.
        """
        document = self._parts.pop(str(name)[:_MAX_NAME], None)
        if document is None:
            raise RpcError("upload_lost", "the document did not arrive completely; try again")
        return bytes(document)


def in_background(
    rpc: Rpc, work: Callable[[], Any], finish: Callable[[Any], Result] = lambda result: result
) -> Deferred:
    """Run work in a thread, and answer with its result, or its error.

    Args:
        rpc: the conversation.
        work: what takes long.
        finish: makes the answer of its result, on the kernel's loop.
    """
    reply = Deferred()

    def safely(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except HookWidgetsError as error:
            return error
        except Exception as error:  # noqa: BLE001  # reported to the browser and logged, never silent
            _log.exception("work in the background failed")
            text = f"the kernel could not do this ({type(error).__name__}); please report it"
            return RpcError("internal", text)

    def done(result: Any) -> None:
        answer = result if isinstance(result, HookWidgetsError) else safely(lambda: finish(result))
        if isinstance(answer, HookWidgetsError):
            reply.fail(answer)
        else:
            reply.answer(*answer)

    rpc.run_in_executor(lambda: safely(work), done)
    return reply
