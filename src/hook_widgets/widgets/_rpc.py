"""Requests between browser and kernel over a widget's custom messages; each one is answered.

Envelope: ``{id, op, args}`` asks, ``{re, ok, value | error: {code, text}}`` answers, both with binary
buffers. Whatever comes in is treated as hostile: only listed operations run, a malformed message is
answered or dropped, and no exception ends the conversation.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from typing import Any, Protocol

from hook_widgets.errors import DestinationRefused, HookWidgetsError
from hook_widgets.libraries import in_browser

Buffers = Sequence[bytes]
#: Takes the answer's buffers and value.
OnAnswer = Callable[[Mapping[str, Any], Buffers], None]
OnFault = Callable[["Fault"], None]

_log = logging.getLogger(__name__)


class Fault(HookWidgetsError):
    """An error to answer with: a short code, and a sentence that says what to do."""

    def __init__(self, code: str, text: str, **more: str) -> None:
        super().__init__(text)
        self.wire = {"code": code, "text": text, **more}


class Later:
    """Returned by a handler that answers when it is ready.

    Call `answer` or `fail` once; later calls do nothing.
    """

    def __init__(self) -> None:
        self._deliver: Callable[[dict[str, Any], Buffers], None] | None = None
        self._done: tuple[dict[str, Any], Buffers] | None = None

    def answer(self, value: Mapping[str, Any], buffers: Buffers = ()) -> None:
        """Answer with a value."""
        self._settle({"ok": True, "value": dict(value)}, buffers)

    def fail(self, error: HookWidgetsError) -> None:
        """Answer with an error."""
        self._settle({"ok": False, "error": fault_of(error)}, ())

    def _settle(self, reply: dict[str, Any], buffers: Buffers) -> None:
        if self._done is None:
            self._done = (reply, buffers)
            self._flush()

    def deliver_to(self, deliver: Callable[[dict[str, Any], Buffers], None]) -> None:
        """Say where the answer goes."""
        self._deliver = deliver
        self._flush()

    def _flush(self) -> None:
        if self._done is not None and self._deliver is not None:
            deliver, self._deliver = self._deliver, None
            deliver(*self._done)


Handler = Callable[
    [Mapping[str, Any], Buffers], "Mapping[str, Any] | tuple[Mapping[str, Any], Buffers] | Later"
]


class Channel(Protocol):
    """The part of a widget that carries messages."""

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send a message to every open tab."""


class Rpc:
    """One widget's conversation with its tabs.

    Args:
        channel: the widget.
        operations: what a browser may ask for.
        lock: held while a message is handled, because JupyterLab has comm messages handled in a thread of
            their own (a kernel subshell), beside the one that runs cells.
    """

    def __init__(self, channel: Channel, operations: Mapping[str, Handler], lock: RLock) -> None:
        self._lock = lock
        self._channel = channel
        self._operations = operations
        self._asked: dict[str, tuple[OnAnswer, OnFault]] = {}
        self._ids = itertools.count(1)

    def notify(self, op: str, body: Mapping[str, Any], buffers: Buffers = ()) -> None:
        """Tell every tab."""
        self._channel.send({"op": op, **body}, list(buffers))

    def ask(
        self, op: str, args: Mapping[str, Any], buffers: Buffers, on_answer: OnAnswer, on_fault: OnFault
    ) -> str:
        """Ask the tabs; the first valid answer counts. Returns the question's id, for `forget`."""
        key = f"kernel-{next(self._ids)}"
        self._asked[key] = (on_answer, on_fault)
        self._channel.send({"id": key, "op": op, "args": dict(args)}, list(buffers))
        return key

    def waits_for(self, key: str) -> bool:
        """Whether that question has no answer yet."""
        return key in self._asked

    def forget(self, key: str) -> None:
        """No longer wait for an answer."""
        self._asked.pop(key, None)

    def receive(self, _widget: object, content: object, buffers: Sequence[Any] | None) -> None:
        """Take one message from a tab."""
        raw = [bytes(buffer) for buffer in buffers or ()]
        if not isinstance(content, dict):
            return
        with self._lock:
            if "re" in content:
                self._take_answer(content, raw)
            elif isinstance(content.get("id"), str):
                self._take_request(content["id"], content.get("op"), content.get("args"), raw)

    def off_the_loop(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Run blocking work in a thread and its result on the kernel's loop.

        At once where no loop runs, or where there are no threads.
        """

        def finish(result: Any) -> None:
            with self._lock:
                done(result)

        if in_browser():
            finish(work())
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            finish(work())
            return
        loop.run_in_executor(None, work).add_done_callback(lambda future: finish(future.result()))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Do something later on the kernel's loop; never where no loop runs."""

        def act() -> None:
            with self._lock:
                action()

        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop().call_later(seconds, act)

    def _take_answer(self, content: Mapping[str, Any], buffers: Buffers) -> None:
        waiting = self._asked.get(str(content["re"]))
        if waiting is None:
            return
        on_answer, on_fault = waiting
        value, error = content.get("value"), content.get("error")
        if content.get("ok") is True and isinstance(value, dict):
            try:
                on_answer(value, buffers)
            except HookWidgetsError as wrong:  # not a valid answer: another tab may still give one
                _log.warning("a tab's answer could not be used: %s", wrong)
                return
        elif isinstance(error, dict):
            on_fault(Fault(str(error.get("code", "error")), str(error.get("text", ""))))
        self.forget(str(content["re"]))

    def _take_request(self, key: str, op: object, args: object, buffers: Buffers) -> None:
        handler = self._operations.get(op) if isinstance(op, str) else None
        try:
            if handler is None:
                raise Fault("unknown_op", f"this kernel does not know the request {op!r}; restart the kernel")
            result = handler(args if isinstance(args, dict) else {}, buffers)
        except HookWidgetsError as error:
            self._reply(key, {"ok": False, "error": fault_of(error)}, ())
        except Exception as error:  # noqa: BLE001  # reported to the browser and logged, never silent
            _log.exception("request %r failed", op)
            text = f"the kernel could not do this ({type(error).__name__}: {error}); please report it"
            self._reply(key, {"ok": False, "error": {"code": "internal", "text": text}}, ())
        else:
            if isinstance(result, Later):
                result.deliver_to(lambda reply, extra: self._reply(key, reply, extra))
            else:
                value, extra = result if isinstance(result, tuple) else (result, ())
                self._reply(key, {"ok": True, "value": dict(value)}, extra)

    def _reply(self, key: str, reply: Mapping[str, Any], buffers: Buffers) -> None:
        self._channel.send({"re": key, **reply}, list(buffers))


def fault_of(error: HookWidgetsError) -> dict[str, str]:
    """An error as it goes to the browser."""
    if isinstance(error, Fault):
        return error.wire
    wire = {"code": _code(type(error).__name__), "text": str(error), "field": getattr(error, "field", "")}
    if isinstance(error, DestinationRefused):
        wire |= {"code": "refused", "host": error.host}
    return wire


def _code(name: str) -> str:
    """`InvalidRequest` as ``invalid_request``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
