"""Mask secrets in what pytest shows at once: output that is not captured, live logs and log files."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TextIO

import pytest

_LONGEST_LINE: Final = 1 << 16  # characters that are held until the line ends

Mask = Callable[[str], str]


class MaskedStream:
    """A text stream that writes whole lines, masked; `flush` also writes an unfinished one."""

    def __init__(self, stream: TextIO, mask: Mask) -> None:
        self._stream = stream
        self._mask = mask
        self._line = ""

    def write(self, text: str) -> int:
        """Write a text up to its last line end, and keep the rest."""
        lines, end, self._line = (self._line + text).rpartition("\n")
        if end:
            self._stream.write(self._mask(lines + end))
        if len(self._line) > _LONGEST_LINE:
            self.flush()
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write several texts."""
        self.write("".join(lines))

    def flush(self) -> None:
        """Write what is kept."""
        line, self._line = self._line, ""
        self._stream.write(self._mask(line))
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class MaskedFormatter(logging.Formatter):
    """A formatter whose texts are masked."""

    def __init__(self, formatter: logging.Formatter, mask: Mask) -> None:
        super().__init__()
        self._formatter = formatter
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        return self._mask(self._formatter.format(record))


def mask_live_output(config: pytest.Config, mask: Mask) -> None:
    """Mask what the session shows from now on."""
    logs = config.pluginmanager.get_plugin("logging-plugin")
    for name in ("log_cli_handler", "log_file_handler"):
        handler: logging.Handler | None = getattr(logs, name, None)
        if handler is not None and handler.formatter is not None:
            handler.setFormatter(MaskedFormatter(handler.formatter, mask))
    if config.getoption("capture") == "no":
        for name in ("stdout", "stderr"):
            stream: TextIO = getattr(sys, name)
            masked = MaskedStream(stream, mask)
            setattr(sys, name, masked)
            config.add_cleanup(partial(_restore, name, stream, masked))


def mask_warning(warning: warnings.WarningMessage, mask: Mask) -> None:
    """Mask the text of a warning before it is reported."""
    text = str(warning.message)
    if (masked := mask(text)) != text:
        warning.message = Warning(masked)


def _restore(name: str, stream: TextIO, masked: MaskedStream) -> None:
    masked.flush()
    if getattr(sys, name) is masked:
        setattr(sys, name, stream)
