"""What follows from the surroundings: what is wrong, what to check, and what mends it.

Sources, read 2026-11-22:

- Kernel and server in different environments, and which package each needs:
  https://ipywidgets.readthedocs.io/en/8.0.7/user_install.html
- VS Code takes the loaders from the CDNs that a setting names, or from the kernel's environment when that was
  chosen as an environment and not as a kernelspec:
  https://github.com/microsoft/vscode-jupyter/wiki/IPyWidget-Support-in-VS-Code-Python,
  https://github.com/microsoft/vscode-jupyter/issues/16586, https://github.com/microsoft/vscode-jupyter/issues/16823
- Colab shows widgets of others only when it is told to, and loads them from a CDN:
  https://github.com/googlecolab/colabtools/blob/main/google/colab/output/_widgets.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hook_widgets._doctor.surroundings import (
    BROWSER,
    COLAB,
    FRONT_END,
    JUPYTER,
    KERNEL,
    LOADERS,
    MARIMO,
    NOT_IN_A_BROWSER,
    REQUIRED,
    TERMINAL,
    VS_CODE,
    Surroundings,
)

#: The oldest versions in which the widgets are tested, of what may be in use as a host.
TESTED = {"jupyterlab": "4", "notebook": "7", "jupyterlab-widgets": "3"}
#: These show nothing by means of it, even where an old one is installed, as in Colab's environment.
_HOSTS_OF_THEIR_OWN = {VS_CODE, COLAB, MARIMO, BROWSER}


@dataclass(frozen=True)
class Advice:
    """Something in a sentence, and the commands or settings for it."""

    text: str
    fixes: tuple[str, ...]


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version as far as they compare: 4.6.0rc1 is (4, 6, 0)."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", version)[0]))


def faults(seen: Surroundings) -> list[Advice]:
    """What keeps widgets, or a part of them, from working."""
    return [*_front_end(seen), *_packages(seen), *_hosts(seen), *_server(seen)]


def _install(python: object, *requirements: str) -> str:
    program = f'"{python}"' if " " in str(python) else python
    return f"{program} -m pip install {' '.join(requirements)}"


def _install_here(seen: Surroundings, name: str, oldest: str) -> str:
    """The command for the kernel's own environment; a browser's Python has no interpreter to call."""
    return f"%pip install {name}" if seen.host == BROWSER else _install(seen.python, f'"{name}>={oldest}"')


def _front_end(seen: Surroundings) -> Iterator[Advice]:
    missing = [name for name in FRONT_END if name not in seen.built]
    if missing:
        yield Advice(
            f"The front end lacks {', '.join(missing)}. Build it in a checkout, or else install again:",
            ("make build", _install(seen.python, "--force-reinstall", "--no-deps", "hook-widgets")),
        )


def _packages(seen: Surroundings) -> Iterator[Advice]:
    for name, (oldest, what) in REQUIRED.items():
        have = seen.versions.get(name)
        if have is None and name in _done_without(seen):
            continue
        if have is None:
            text = f"{name} is not installed where the kernel runs. Without it this does not work: {what}."
        elif release(have) < release(oldest):
            text = f"{name} {have} is too old for {what}."
        else:
            continue
        yield Advice(text, (_install_here(seen, name, oldest) + "    then restart the kernel",))


def _done_without(seen: Surroundings) -> list[str]:
    """The packages that are missing because this is a browser."""
    missing = [name for name in REQUIRED if name not in seen.versions]
    return [name for name in missing if seen.host == BROWSER and name in NOT_IN_A_BROWSER]


def _hosts(seen: Surroundings) -> Iterator[Advice]:
    if seen.host in _HOSTS_OF_THEIR_OWN:
        return
    for name, oldest in TESTED.items():
        have = seen.versions.get(name)
        if have and release(have) < release(oldest):
            yield Advice(
                f"{name} {have} is older than what the widgets are tested with.",
                (_install_here(seen, name, oldest) + "    then restart the server",),
            )


def _server(seen: Surroundings) -> Iterator[Advice]:
    missing = [] if seen.loaders is None else [name for name in LOADERS.values() if name not in seen.loaders]
    if missing:
        yield Advice(
            f"The page comes from the server of {seen.server}, which has no {' and no '.join(missing)}.",
            (_install(seen.server, *missing) + "    then restart the server and reload the page",),
        )


def hints(seen: Surroundings) -> list[Advice]:
    """What the kernel cannot see and a reader can check, for this host."""
    return list(_hints(seen, seen.host))


def _hints(seen: Surroundings, host: str) -> Iterator[Advice]:
    if done_without := _done_without(seen):
        text = "; ".join(REQUIRED[name][1] for name in done_without)
        yield Advice(f"A Python in the browser lacks {', '.join(done_without)}, and so: {text}.", ())
    if host == VS_CODE:
        yield Advice(
            "VS Code fetches the loaders of anywidget and ipywidgets from a CDN. Allow it in settings.json:",
            ('"jupyter.widgetScriptSources": ["jsdelivr.com", "unpkg.com"]',),
        )
        yield Advice(
            "Without internet it takes them from the kernel's environment, if that was chosen under",
            ("Select Kernel > Python Environments    and not under Jupyter Kernel",),
        )
    if host == COLAB:
        yield Advice(
            "Colab loads the widgets of other packages from a CDN, in a notebook that has run this:",
            ("from google.colab import output; output.enable_custom_widget_manager()",),
        )
    if host in {JUPYTER, KERNEL}:
        yield from _loaders_to_look_for(seen)
        yield Advice(
            "The saved outputs of somebody else's notebook show only when you trust it. Run the cells, or",
            ("jupyter trust NOTEBOOK.ipynb    then reload the page",),
        )
    if host in {"", TERMINAL}:
        yield Advice(
            "This ran outside a notebook. Ask the kernel instead, in a cell:",
            ("import hook_widgets; hook_widgets.doctor()",),
        )


def _loaders_to_look_for(seen: Surroundings) -> Iterator[Advice]:
    """What to check in the server's environment, where it is not known from here."""
    if seen.loaders is not None:
        return
    look = "jupyter labextension list    has to name anywidget and @jupyter-widgets/jupyterlab-manager"
    if {"jupyterlab", "notebook"} & seen.versions.keys():
        yield Advice("Look whether the server has the loaders: in a terminal of its environment", (look,))
    else:
        yield Advice(
            "The kernel's environment has no JupyterLab and no Notebook, so the page comes from another one. "
            "That one needs the loaders too; in a terminal there:",
            (look, _install("python", *LOADERS.values()) + "    if it does not"),
        )
