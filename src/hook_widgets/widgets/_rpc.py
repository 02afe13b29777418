"""Requests and responses between browser and kernel, as custom messages of a widget.

Envelope: ``{id, op, args}`` for a request, ``{re, ok, value | error: {code, text}}`` for its response, both
with binary buffers. All input is treated as hostile: only listed operations run, a malformed message gets an
error or is dropped, and no exception ends the conversation.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from typing import Any, Protocol

from hook_widgets._optional import in_browser
from hook_widgets.errors import DestinationBlocked, HookWidgetsError

Buffers = Sequence[bytes]
#: Callback for a response: its value and buffers.
OnAnswer = Callable[[Mapping[str, Any], Buffers], None]
OnRpcError = Callable[["RpcError"], None]

_log = logging.getLogger(__name__)


class RpcError(HookWidgetsError):
    """An error response: a short code, and a sentence that says what to do."""

    def __init__(self, code: str, text: str, **more: str) -> None:
        super().__init__(text)
        self.wire = {"code": code, "text": text, **more}


class Deferred:
    """A response that a handler returns now and completes later.

    Call `answer` or `fail` once; later calls do nothing.
    """

    def __init__(self) -> None:
        self._deliver: Callable[[dict[str, Any], Buffers], None] | None = None
        self._done: tuple[dict[str, Any], Buffers] | None = None

    def answer(self, value: Mapping[str, Any], buffers: Buffers = ()) -> None:
        """Complete the response with a value."""
        self._settle({"ok": True, "value": dict(value)}, buffers)

    def fail(self, error: HookWidgetsError) -> None:
        """Complete the response with an error."""
        self._settle({"ok": False, "error": error_wire(error)}, ())

    def _settle(self, reply: dict[str, Any], buffers: Buffers) -> None:
        if self._done is None:
            self._done = (reply, buffers)
            self._flush()

    def deliver_to(self, deliver: Callable[[dict[str, Any], Buffers], None]) -> None:
        """Set the callback that receives the response."""
        self._deliver = deliver
        self._flush()

    def _flush(self) -> None:
        if self._done is not None and self._deliver is not None:
            deliver, self._deliver = self._deliver, None
            deliver(*self._done)


Handler = Callable[
    [Mapping[str, Any], Buffers], "Mapping[str, Any] | tuple[Mapping[str, Any], Buffers] | Deferred"
]


class Channel(Protocol):
    """The part of a widget that carries messages."""

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send a message to every open tab."""


class Rpc:
    """The conversation of a widget with its tabs.

    Args:
        channel: the widget.
        operations: handlers of the requests that a browser may make, by name.
        lock: held while a message is handled, because JupyterLab has comm messages handled in a thread of
            their own (a kernel subshell), beside the one that runs cells.
    """

    def __init__(self, channel: Channel, operations: Mapping[str, Handler], lock: RLock) -> None:
        self._lock = lock
        self._channel = channel
        self.operations: Mapping[str, Handler] = operations
        self._asked: dict[str, tuple[OnAnswer, OnRpcError]] = {}
        self._ids = itertools.count(1)

    def notify(self, op: str, body: Mapping[str, Any], buffers: Buffers = ()) -> None:
        """Send a message to every tab, without a response."""
        self._channel.send({"op": op, **body}, list(buffers))

    def ask(
        self, op: str, args: Mapping[str, Any], buffers: Buffers, on_answer: OnAnswer, on_error: OnRpcError
    ) -> str:
        """Send a request to the tabs, and return its id for `forget`; the first valid response counts."""
        key = f"kernel-{next(self._ids)}"
        self._asked[key] = (on_answer, on_error)
        self._channel.send({"id": key, "op": op, "args": dict(args)}, list(buffers))
        return key

    def forget(self, key: str) -> bool:
        """Stop waiting for a response; return True if there was none yet."""
        return self._asked.pop(key, None) is not None

    def receive(self, _widget: object, content: object, buffers: Sequence[Any] | None) -> None:
        """Handle one message from a tab."""
        raw = [bytes(buffer) for buffer in buffers or ()]
        if not isinstance(content, dict):
            return
        with self._lock:
            if "re" in content:
                self._take_answer(content, raw)
            elif isinstance(content.get("id"), str):
                self._take_request(content["id"], content.get("op"), content.get("args"), raw)

    def run_in_executor(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Run blocking work in a thread, then `done` with its result on the kernel's loop.

        Both run at once if no loop runs or threads are missing.
        """

        def finish(result: Any) -> None:
            with self._lock:
                done(result)

        loop = None if in_browser() else _running_loop()
        if loop is None:
            finish(work())
        else:
            loop.run_in_executor(None, work).add_done_callback(lambda future: finish(future.result()))

    def on_loop(self) -> Callable[[Callable[[], None]], None]:
        """Return a function that runs an action on the loop of now, from any thread.

        The action runs at once, in the calling thread, if no loop runs.
        """
        loop = _running_loop()
        if loop is None:
            return self._locked

        def on_loop(action: Callable[[], None]) -> None:
            loop.call_soon_threadsafe(self._locked, action)

        return on_loop

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Schedule an action on the kernel's loop; it never runs if no loop runs."""
        if (loop := _running_loop()) is not None:
            loop.call_later(seconds, self._locked, action)

    def _locked(self, action: Callable[[], None]) -> None:
        with self._lock:
            action()

    def _take_answer(self, content: Mapping[str, Any], buffers: Buffers) -> None:
        waiting = self._asked.get(str(content["re"]))
        if waiting is None:
            return
        on_answer, on_error = waiting
        value, error = content.get("value"), content.get("error")
        if content.get("ok") is True and isinstance(value, dict):
            try:
                on_answer(value, buffers)
            except HookWidgetsError as wrong:  # invalid; another tab may still send a valid response
                _log.warning("a tab's response could not be used: %s", wrong)
                return
        elif isinstance(error, dict):
            on_error(RpcError(str(error.get("code", "error")), str(error.get("text", ""))))
        self.forget(str(content["re"]))

    def _take_request(self, key: str, op: object, args: object, buffers: Buffers) -> None:
        handler = self.operations.get(op) if isinstance(op, str) else None
        try:
            if handler is None:
                raise RpcError(
                    "unknown_op", f"this kernel does not know the request {op!r}; restart the kernel"
                )
            result = handler(args if isinstance(args, dict) else {}, buffers)
        except HookWidgetsError as error:
            self._reply(key, {"ok": False, "error": error_wire(error)}, ())
        except Exception as error:  # noqa: BLE001  # reported to the browser and logged, never silent
            _log.exception("request %r failed", op)
            text = f"the kernel could not do this ({type(error).__name__}: {error}); please report it"
            self._reply(key, {"ok": False, "error": {"code": "internal", "text": text}}, ())
        else:
            if isinstance(result, Deferred):
                result.deliver_to(lambda reply, extra: self._reply(key, reply, extra))
            else:
                value, extra = result if isinstance(result, tuple) else (result, ())
                self._reply(key, {"ok": True, "value": dict(value)}, extra)

    def _reply(self, key: str, reply: Mapping[str, Any], buffers: Buffers) -> None:
        self._channel.send({"re": key, **reply}, list(buffers))


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def error_wire(error: HookWidgetsError) -> dict[str, str]:
    """Convert an error to the form that is sent to the browser."""
    if isinstance(error, RpcError):
        return error.wire
    wire = {"code": _code(type(error).__name__), "text": str(error), "field": getattr(error, "field", "")}
    if isinstance(error, DestinationBlocked):
        wire |= {"code": "rejected", "host": error.host}
    return wire


def _code(name: str) -> str:
    """Convert a class name to a code: `InvalidArgument` to ``invalid_argument``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
