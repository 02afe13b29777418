"""Base class of the widgets: front-end bundle, strict keywords, static HTML, and closing on a rerun."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets as t

from hook_widgets.errors import HookWidgetsError, InvalidArgument, UnknownKeyword, nearest
from hook_widgets.widgets.static_html import page
from hook_widgets.widgets.static_html.document import StaticDocument, cut, fitting

_STATIC = files("hook_widgets.widgets") / "static"
# Widgets created by the last run of each cell; the next run of that cell closes them.
_widgets_by_cell: dict[str, tuple[str, list[weakref.ref[HookWidget]]]] = {}


@cache
def bundle(name: str) -> str:
    """Return the text of a built front-end file.

    Text and not a path, because anywidget keeps a closed widget in memory if its source is a path.

    Raises:
        HookWidgetsError: the front end is not built.
    """
    path = _STATIC / name
    if not path.is_file():
        raise HookWidgetsError(
            f"the front end is not built: {name} is missing; run `make build` in the checkout"
        )
    return path.read_text(encoding="utf-8")


def front_end(name: str) -> str | Path:
    """Return the source for anywidget: text, or with ``ANYWIDGET_HMR=1`` the path, for hot reloading."""
    return Path(str(_STATIC / name)) if os.environ.get("ANYWIDGET_HMR") == "1" else bundle(name)


if TYPE_CHECKING:

    class _AnyWidget(t.HasTraits):
        """The members of `anywidget.AnyWidget`, whose own base in ipywidgets has no types.

        With a base of unknown type, every attribute would pass a type checker.
        """

        _esm: str | Path
        _css: str | Path
        comm: Any
        keys: list[str]
        layout: Any
        log: Any
        model_id: str | None

        def close(self) -> None: ...
        def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]: ...  # noqa: FBT001, FBT002
        def hold_sync(self) -> AbstractContextManager[None]: ...
        def on_msg(self, callback: Callable[..., Any], remove: bool = False) -> None: ...  # noqa: FBT001, FBT002
        def send(self, content: Any, buffers: Any = None) -> None: ...
        def send_state(self, key: Any = None) -> None: ...
        def set_state(self, sync_data: dict[str, Any]) -> None: ...
        def trait_defaults(self, *names: str, **metadata: Any) -> Any: ...
        def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None: ...

else:
    _AnyWidget = anywidget.AnyWidget


class _Still(t.Unicode[str, str | bytes]):
    """The static HTML, which is made when it is read after an input has changed."""

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Return the static HTML; while the state is sent, as it is."""
        html = super().get(obj, cls)
        return html or obj._made_still()


class HookWidget(_AnyWidget):
    """A widget that rejects unknown keywords, unknown attributes and changes to locked fields.

    Running a cell again closes the widgets of its last run, so that none is left behind.
    """

    locked: t.List[str] = t.List(t.Unicode()).tag(sync=True)
    #: Static HTML of the widget, for pages that were saved with the state of their widgets. Made at the end
    #: of a cell, when the widget is shown, or when it is read.
    still: t.Unicode[str, str | bytes] = _Still().tag(sync=True)

    #: Inputs that may be locked.
    lockable: Sequence[str] = ()
    #: Traits that only the kernel sets.
    kernel_only: frozenset[str] = frozenset({"locked", "still"})

    _sending = True  # nothing is made before the widget is complete
    _silent = False

    def __init__(self, *, locked: Sequence[str] = (), **traits: Any) -> None:
        if isinstance(locked, str):
            name = locked if locked in self.lockable else next(iter(self.lockable), "")
            raise InvalidArgument(f"locked= must be a list of names, such as [{name!r}]")
        self._lock = threading.RLock()  # cells and comm messages run in different threads of the kernel
        super().__init__(locked=list(locked), **traits)
        self._sending = False
        self.observe(self._on_other_inputs, [*self.lockable])
        _close_earlier_run(self)
        _make_after_cell(self)

    @t.validate("locked")
    def _only_lockable(self, proposal: dict[str, Any]) -> Any:
        for name in proposal["value"]:
            if name not in self.lockable:
                raise UnknownKeyword(f"locked= has no field {name!r}; {nearest(str(name), self.lockable)}")
        return proposal["value"]

    if not TYPE_CHECKING:  # type checkers know the attributes

        def __setattr__(self, name: str, value: object) -> None:
            """Set an attribute that the class has, or a private one."""
            if not name.startswith("_") and not hasattr(type(self), name):
                ours = [cls for cls in type(self).__mro__ if cls.__module__.startswith("hook_widgets.")]
                known = sorted({known for cls in ours for known in vars(cls) if not known.startswith("_")})
                raise AttributeError(
                    f"{type(self).__name__} has no attribute {name!r}; {nearest(name, known)}",
                    name=name,
                    obj=self,
                )
            super().__setattr__(name, value)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return the widget, and static HTML and text for readers without a kernel."""
        bundle_parts = super()._repr_mimebundle_(**kwargs)
        if bundle_parts is None:
            return None
        data, metadata = bundle_parts
        try:
            plain, html = self._make_still()
        except Exception as error:  # a failure here must not keep the widget from being shown
            self.log.exception("no still form")
            problem = _not_created(error)
            plain = f"{cut(repr(self))}\n{problem}"
            # Without the templates, which may be at fault.
            html = f"<p>{type(self).__name__}: {escape(problem)}"
        return data | {"text/plain": plain, "text/html": html}, metadata

    def _make_still(self) -> tuple[str, str]:
        """Make the static HTML, and send it; return it after the plain text for the same readers."""
        with self._lock:
            documents = self._documents()
            first = next(documents)
            plain = f"{cut(repr(self))}\n{cut(first.status)}"
            self.still = html = fitting(chain([first], documents), plain)
        return plain, html

    def export_html(self, path: str | os.PathLike[str]) -> Path:
        """Write what the widget shows now to one HTML file, for a runbook, a ticket or a printer.

        The file needs no kernel, no network and no script, and follows the reader's light or dark theme. It
        contains the current inputs, including edits made in the browser, and no secret: in place of a
        signature or a token, it says how to compute it. Credentials in headers and URLs are left out; the
        body stays unchanged. An existing file is replaced.

        Args:
            path: path of the file; its folder must exist.

        Returns:
            The path.

        Raises:
            CannotWrite: the folder does not exist or is not writable, or the path is a folder.
        """
        with self._lock:
            document = self._full_document()
        return page.write(path, page.page(document, datetime.now(UTC)))

    def _on_other_inputs(self, _change: t.Bunch) -> None:
        self.still = ""
        _make_after_cell(self)

    def _made_still(self) -> str:
        """Make the static HTML and send it; return an empty text where that is not possible now."""
        if self._sending:
            return ""
        try:
            return self._make_still()[1]
        except Exception:  # a failure here must not keep the widget from being used
            self.log.exception("no still form")
            return ""

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002
        """Return the state; that of one trait as it is, without making the static HTML.

        A browser takes the first message as the state: what is made meanwhile is not sent by itself.
        """
        if key is None and not self._sending:
            self._silent = True
            try:
                _ = self.still
            finally:
                self._silent = False
        with self._as_it_is():
            state: dict[str, Any] = super().get_state(key, drop_defaults)
        return state

    def notify_change(self, change: t.Bunch) -> None:
        """Send a change to the browser."""
        if change["name"] == "still":
            if not self._silent:
                with self._as_it_is():  # the base class reads the value
                    super().notify_change(change)
        else:
            super().notify_change(change)

    @contextmanager
    def _as_it_is(self) -> Iterator[None]:
        """Read the static HTML as it is, without making it."""
        sending, self._sending = self._sending, True
        try:
            yield
        finally:
            self._sending = sending

    def _documents(self) -> Iterator[StaticDocument]:
        """Yield static documents for a notebook, from the most to the least detailed."""
        raise NotImplementedError

    def _full_document(self) -> StaticDocument:
        """Return the static document for a page of its own."""
        raise NotImplementedError

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Apply the state that a browser sent, except locked fields and those that only the kernel sets."""
        rejected = {key for key in sync_data if key in self.kernel_only or key in self.locked}
        try:
            with self._lock:
                super().set_state({key: value for key, value in sync_data.items() if key not in rejected})
        except t.TraitError as error:
            self.log.warning("a browser sent a value of the wrong type: %s", error)
            rejected = {key for key in sync_data if key in self.keys}
        if rejected:
            self.send_state(sorted(rejected))


_waiting: weakref.WeakSet[HookWidget] = weakref.WeakSet()  # for the end of the cell


def _make_after_cell(widget: HookWidget) -> None:
    """Make the static HTML of a widget at the end of the cell, wherever it is shown by then."""
    shell = _shell()
    if shell is None:
        return
    _waiting.add(widget)
    if _make_waiting not in shell.events.callbacks.get("post_run_cell", ()):
        shell.events.register("post_run_cell", _make_waiting)


def _make_waiting(_result: Any = None) -> None:
    widgets = list(_waiting)
    _waiting.clear()
    for widget in widgets:
        if widget.comm is not None:
            _ = widget.still  # is made and sent


def _close_earlier_run(widget: HookWidget) -> None:
    """Close the widgets of an earlier run of the current cell."""
    cell, run = _current_run()
    if not cell:
        return
    earlier, widgets = _widgets_by_cell.get(cell, ("", []))
    if earlier != run:
        for old in filter(None, (ref() for ref in widgets)):
            old.close()
        widgets = []
    widgets.append(weakref.ref(widget))
    _widgets_by_cell[cell] = (run, widgets)


def _current_run() -> tuple[str, str]:
    """Return the ids of the current cell and of this run of it; empty outside a notebook."""
    shell = _shell()
    parent = shell.get_parent() if shell is not None and hasattr(shell, "get_parent") else {}
    cell = (parent.get("metadata") or {}).get("cellId") or ""
    return str(cell), str((parent.get("header") or {}).get("msg_id", ""))


def _shell() -> Any:
    """Return the shell of IPython; None outside IPython."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def _not_created(error: Exception) -> str:
    """Return why the static HTML is missing, and the remedy; nothing of the inputs."""
    what = "The static copy of this widget for saved notebooks could not be created"
    if isinstance(error, ModuleNotFoundError) and error.name:
        return (
            f"{what}: the module {error.name} is missing. The widget itself works. Run pip install "
            "hook-widgets in the environment of the kernel, and restart the kernel."
        )
    return (
        f"{what} ({type(error).__name__}). The widget itself works. Run the cell again; if this stays, "
        "report it with the traceback in the kernel's log."
    )
