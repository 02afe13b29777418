"""Derive problems, their solutions, and things to check from the environment.

Sources, read 2026-11-22:

- Packages needed by kernel and server in different environments:
  https://ipywidgets.readthedocs.io/en/8.0.7/user_install.html
- VS Code loads the loaders from the CDNs in a setting, or from the kernel's environment if that was selected
  as an environment and not as a kernelspec:
  https://github.com/microsoft/vscode-jupyter/wiki/IPyWidget-Support-in-VS-Code-Python,
  https://github.com/microsoft/vscode-jupyter/issues/16586, https://github.com/microsoft/vscode-jupyter/issues/16823
- Colab displays third-party widgets only if enabled, and loads them from a CDN:
  https://github.com/googlecolab/colabtools/blob/main/google/colab/output/_widgets.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hook_widgets._doctor.environment import (
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
    Environment,
)

#: The oldest tested versions of the hosts.
TESTED = {"jupyterlab": "4", "notebook": "7", "jupyterlab-widgets": "3"}
#: Hosts that do not use these packages, even if old ones are installed, as in Colab's environment.
_HOSTS_OF_THEIR_OWN = {VS_CODE, COLAB, MARIMO, BROWSER}


@dataclass(frozen=True)
class Advice:
    """A problem or hint as a sentence, with commands or settings."""

    text: str
    fixes: tuple[str, ...]


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version for comparison: (4, 6, 0) for 4.6.0rc1."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", version)[0]))


def faults(environment: Environment) -> list[Advice]:
    """Return the problems that keep widgets, or parts of them, from working."""
    return [*_front_end(environment), *_packages(environment), *_hosts(environment), *_server(environment)]


def _install(python: object, *requirements: str) -> str:
    program = f'"{python}"' if " " in str(python) else python
    return f"{program} -m pip install {' '.join(requirements)}"


def _install_here(environment: Environment, name: str, oldest: str) -> str:
    """Return the command to install into the kernel's environment; a browser has no interpreter to call."""
    return (
        f"%pip install {name}"
        if environment.host == BROWSER
        else _install(environment.python, f'"{name}>={oldest}"')
    )


def _front_end(environment: Environment) -> Iterator[Advice]:
    missing = [name for name in FRONT_END if name not in environment.built]
    if missing:
        yield Advice(
            f"The front end lacks {', '.join(missing)}. Build it in a checkout, or else install again:",
            ("make build", _install(environment.python, "--force-reinstall", "--no-deps", "hook-widgets")),
        )


def _packages(environment: Environment) -> Iterator[Advice]:
    for name, (oldest, feature) in REQUIRED.items():
        have = environment.versions.get(name)
        if have is None and name in _done_without(environment):
            continue
        if have is None:
            text = f"{name} is not installed where the kernel runs. Without it this does not work: {feature}."
        elif release(have) < release(oldest):
            text = f"{name} {have} is too old for {feature}."
        else:
            continue
        yield Advice(text, (_install_here(environment, name, oldest) + "    then restart the kernel",))


def _done_without(environment: Environment) -> list[str]:
    """Return the packages that are missing because Python runs in a browser."""
    missing = [name for name in REQUIRED if name not in environment.versions]
    return [name for name in missing if environment.host == BROWSER and name in NOT_IN_A_BROWSER]


def _hosts(environment: Environment) -> Iterator[Advice]:
    if environment.host in _HOSTS_OF_THEIR_OWN:
        return
    for name, oldest in TESTED.items():
        have = environment.versions.get(name)
        if have and release(have) < release(oldest):
            yield Advice(
                f"{name} {have} is older than what the widgets are tested with.",
                (_install_here(environment, name, oldest) + "    then restart the server",),
            )


def _server(environment: Environment) -> Iterator[Advice]:
    missing = (
        []
        if environment.loaders is None
        else [name for name in LOADERS.values() if name not in environment.loaders]
    )
    if missing:
        yield Advice(
            f"The page comes from the server of {environment.server}, "
            f"which has no {' and no '.join(missing)}.",
            (_install(environment.server, *missing) + "    then restart the server and reload the page",),
        )


def hints(environment: Environment) -> Iterator[Advice]:
    """Yield what the user should check for this host, because the kernel cannot."""
    host = environment.host
    if done_without := _done_without(environment):
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
        yield from _loaders_to_look_for(environment)
        yield Advice(
            "The saved outputs of somebody else's notebook show only when you trust it. Run the cells, or",
            ("jupyter trust NOTEBOOK.ipynb    then reload the page",),
        )
    if host not in {"", TERMINAL} and environment.frame_hashes:
        yield Advice(
            "Where the policy of a page forbids inline scripts, a typed secret is in the page itself, and "
            "the widget says so. Allow its protected frame in that page's script-src:",
            (" ".join(environment.frame_hashes),),
        )
    if host in {"", TERMINAL}:
        yield Advice(
            "This ran outside a notebook. Ask the kernel instead, in a cell:",
            ("import hook_widgets; hook_widgets.doctor()",),
        )


def _loaders_to_look_for(environment: Environment) -> Iterator[Advice]:
    """Yield what to check in the server's environment, if it is unknown."""
    if environment.loaders is not None:
        return
    look = "jupyter labextension list    has to name anywidget and @jupyter-widgets/jupyterlab-manager"
    if {"jupyterlab", "notebook"} & environment.versions.keys():
        yield Advice("Look whether the server has the loaders: in a terminal of its environment", (look,))
    else:
        yield Advice(
            "The kernel's environment has no JupyterLab and no Notebook, so the page comes from another one. "
            "That one needs the loaders too; in a terminal there:",
            (look, _install("python", *LOADERS.values()) + "    if it does not"),
        )
