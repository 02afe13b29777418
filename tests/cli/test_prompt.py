"""The prompt for a secret, in a real terminal: what is typed is not shown."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time

import pytest

from hook_widgets.webhooks import Receiver, Secret

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
termios = pytest.importorskip("termios", reason="Windows has no pseudo-terminals")

SECRET = "whsec_typedInTheTerminal0123456789"
PROMPT = b"Signing secret of Stripe: "
_LIMIT_S = 60.0


# Makes the terminal that is its standard input its own (/dev/tty), and becomes the command. A program that
# was started in the background ignores interrupts, and passes this on.
_BECOME = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, sys.argv[1:])
"""


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.descriptor, inside = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BECOME, sys.executable, "-m", "hook_widgets", *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            env={**os.environ, "TERM": "dumb", "COLUMNS": "200"},
        )
        os.close(inside)
        self.shown = b""
        self.end = time.monotonic() + _LIMIT_S

    def read(self, until: bytes | None = None) -> bytes:
        """Return all that the terminal shows, until a text or the end of the command."""
        while until is None or until not in self.shown:
            ready, _, _ = select.select([self.descriptor], [], [], max(0.0, self.end - time.monotonic()))
            assert ready, self.shown
            try:
                piece = os.read(self.descriptor, 65_536)
            except OSError:  # Linux: the command has ended
                piece = b""
            if not piece:
                assert until is None, self.shown
                break
            self.shown += piece
        return self.shown

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.descriptor)[3] & termios.ECHO)

    def close(self) -> int:
        """Return the exit code."""
        self.read()
        os.close(self.descriptor)
        return self.process.wait(_LIMIT_S)


@pytest.fixture
def receiver():
    with Receiver("stripe", Secret(SECRET)) as listening:
        yield listening


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (("sign", "stripe"), b"Stripe-Signature: t="),
        (("send", "stripe", "{url}"), b"200"),
        (("check", "stripe", "{url}", "--only", "A1"), b"1 passed, 0 failed"),
        (("why-rejected", "stripe", "{url}"), b"the receiver accepts a good request"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_typed_secret_signs_and_is_not_shown(receiver, command: tuple[str, ...], output: bytes):
    terminal = Terminal(*(part.replace("{url}", receiver.url) for part in command))
    terminal.read(PROMPT)
    echoed = terminal.echoes
    terminal.type(f"{SECRET}\n")
    code = terminal.close()

    assert (False, 0) == (echoed, code), terminal.shown
    assert output in terminal.shown
    assert [] == [n for n in range(6, len(SECRET) - 7) if SECRET[n : n + 8].encode() in terminal.shown]


def test_a_terminal_shows_what_a_command_without_a_prompt_gets():
    """Otherwise the test above could not fail."""
    terminal = Terminal("receive", "stripe", "--help")
    assert terminal.echoes
    terminal.type("typed\n")

    assert 0 == terminal.close()
    assert b"typed" in terminal.shown


def test_an_interrupted_prompt_sends_nothing_and_shows_nothing(receiver):
    terminal = Terminal("send", "stripe", receiver.url)
    terminal.read(PROMPT)
    terminal.type(f"{SECRET[:20]}\x03")
    code = terminal.close()

    assert code != 0
    assert SECRET[:12].encode() not in terminal.shown
    assert [] == list(receiver.deliveries)
