"""What every widget of this package shares: its bundle, strict keywords, and an orderly end."""

from __future__ import annotations

import hashlib
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import anywidget
import traitlets as t

from hook_widgets.errors import HookWidgetsError, InvalidRequest, UnknownKeyword, nearest
from hook_widgets.widgets import _still_page
from hook_widgets.widgets._still import Still, cut, fitting

_STATIC = files("hook_widgets.widgets") / "static"
# The widgets that one run of a cell made, by cell: the next run of that cell closes them.
_made_by_cell: dict[str, tuple[str, list[weakref.ref[HookWidget]]]] = {}


@cache
def bundle(name: str) -> str:
    """The text of a built front-end file.

    Text, not a path: a widget whose source is a path stays in memory after it was closed.

    Raises:
        HookWidgetsError: the front end was not built.
    """
    path = _STATIC / name
    if not path.is_file():
        raise HookWidgetsError(
            f"the front end is not built: {name} is missing; run `make build` in the checkout"
        )
    return path.read_text(encoding="utf-8")


def front_end(name: str) -> str | Path:
    """What a widget class gives anywidget: text, or with ``ANYWIDGET_HMR=1`` the file being worked on."""
    return Path(str(_STATIC / name)) if os.environ.get("ANYWIDGET_HMR") == "1" else bundle(name)


@cache
def bundle_sha256(name: str) -> str:
    """SHA-256 of a built front-end file, in hex."""
    return hashlib.sha256(bundle(name).encode()).hexdigest()


class HookWidget(anywidget.AnyWidget):
    """A widget that refuses unknown keywords and changes to locked fields.

    Running a cell again closes the widgets that its last run made, so that nothing is left behind.
    """

    locked = t.List(t.Unicode()).tag(sync=True)
    #: the still form of the widget as it was last shown, as HTML: a page that was saved with the state of its
    #: widgets shows it. Empty once an input was changed.
    still = t.Unicode().tag(sync=True)

    #: the inputs that may be locked
    lockable: Sequence[str] = ()
    #: traits that only the kernel sets
    kernel_only: frozenset[str] = frozenset({"locked", "still"})

    def __init__(self, *, locked: Sequence[str] = (), **traits: Any) -> None:
        if isinstance(locked, str):
            raise InvalidRequest(f"locked= is a list of names, such as [{locked!r}]")
        for name in locked:
            if name not in self.lockable:
                raise UnknownKeyword(f"locked= has no field {name!r}. {nearest(str(name), self.lockable)}")
        self._lock = threading.RLock()  # cells and comm messages run in different threads of the kernel
        super().__init__(locked=list(locked), **traits)
        self.observe(self._on_other_inputs, [*self.lockable])
        _close_earlier_run(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget, and beside it what is read where there is no kernel: a still form of it."""
        made = super()._repr_mimebundle_(**kwargs)
        if made is None:
            return None
        data, metadata = made
        try:
            with self._lock:
                stills = self._stills()
                first = next(stills)
                plain = self._in_plain_words(first)
                html = fitting(chain([first], stills), plain)
                self.still = html
        except Exception as error:  # the widget shall be shown, whatever its still form lacks
            self.log.exception("no still form")
            name = type(self).__name__
            first = Still(
                name, f"This form of it could not be made ({type(error).__name__}); please report it"
            )
            html, plain = first.fragment(), self._in_plain_words(first)
        return data | {"text/plain": plain, "text/html": html}, metadata

    def _in_plain_words(self, still: Still) -> str:
        return f"{cut(repr(self))}\n{cut(still.status)}"

    def export_html(self, path: str | os.PathLike[str]) -> Path:
        """Write what the widget shows now to one HTML file, for a runbook, a ticket or a printer.

        The file needs no kernel, no network and no script, and follows the reader's light or dark theme. It
        holds the inputs as they are, edits made in the browser included, and no secret: where a signature or
        a token would stand, it says how that comes to be. Credentials in headers and addresses are left out;
        the body is kept as it is. A file that is there already is replaced.

        Args:
            path: the file; its folder must exist.

        Returns:
            The path.

        Raises:
            CannotWrite: there is no such folder, it may not be written to, or the path is a folder.
        """
        with self._lock:
            still = self._whole()
        return _still_page.write(path, _still_page.page(still, datetime.now(UTC)))

    def _on_other_inputs(self, _change: t.Bunch) -> None:
        self.still = ""

    def _stills(self) -> Iterator[Still]:
        """Still forms for a notebook, from the one that tells most to the one that tells least."""
        raise NotImplementedError

    def _whole(self) -> Still:
        """The still form for a page of its own."""
        raise NotImplementedError

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what a browser sent, except for locked fields and those only the kernel sets."""
        refused = {key for key in sync_data if key in self.kernel_only or key in self.locked}
        try:
            with self._lock:
                super().set_state({key: value for key, value in sync_data.items() if key not in refused})
        except t.TraitError as error:
            self.log.warning("a browser sent a value of the wrong type: %s", error)
            refused = {key for key in sync_data if key in self.keys}
        if refused:
            self.send_state(sorted(refused))


def _close_earlier_run(widget: HookWidget) -> None:
    """Close what an earlier run of the current cell made."""
    cell, run = _current_run()
    if not cell:
        return
    earlier, made = _made_by_cell.get(cell, ("", []))
    if earlier != run:
        for old in filter(None, (ref() for ref in made)):
            old.close()
        made = []
    made.append(weakref.ref(widget))
    _made_by_cell[cell] = (run, made)


def _current_run() -> tuple[str, str]:
    """The ids of the cell being run and of this run of it; empty outside a notebook."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return "", ""
    shell = get_ipython()
    parent = shell.get_parent() if shell is not None and hasattr(shell, "get_parent") else {}
    cell = (parent.get("metadata") or {}).get("cellId") or ""
    return str(cell), str((parent.get("header") or {}).get("msg_id", ""))
