"""Diagnose why a widget is not displayed: list installed packages, problems and their solutions."""

from __future__ import annotations

from collections.abc import Iterable

from hook_widgets._doctor.advice import Advice, faults, hints
from hook_widgets._doctor.environment import FRONT_END, OTHERS, REQUIRED, Environment, detect_environment


def doctor() -> None:
    """Print the versions relevant to the widgets, problems, and the commands that solve them.

    Run it in the notebook in which a widget is not displayed, not in a terminal: the output describes the
    kernel. It also works without Jupyter. It prints no environment variables, settings or secrets, so that
    its output can go into a bug report; it does contain the paths of the interpreters.

    Three parts display a widget: the packages in the kernel's environment; the loaders of anywidget and
    ipywidgets on the server of the page, which can be another environment or a CDN; and the front end of
    hook_widgets, sent by the kernel. The kernel cannot inspect the page, so the output lists what to check.

    >>> from hook_widgets import doctor
    >>> doctor()  # doctest: +ELLIPSIS
    hook_widgets ...
    """
    print(report(detect_environment()))  # noqa: T201 - its purpose is to print


def report(environment: Environment) -> str:
    """Return the output of `doctor` for an environment."""
    problems = faults(environment)
    count = "1 fault:" if len(problems) == 1 else f"{len(problems)} faults:"
    parts = [
        _table(environment),
        _listed(count, problems) or ["No fault was found."],
        _listed("To know:", hints(environment)),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _table(environment: Environment) -> list[str]:
    names = [*REQUIRED, *(name for name in OTHERS if name in environment.versions)]
    complete = len(environment.built) == len(FRONT_END)
    rows = [
        ("hook_widgets", environment.version),
        ("shown by", environment.host or "no notebook: this Python is not a kernel"),
        ("Python", f"{environment.python_version}, {environment.python}"),
        *([("server's Python", str(environment.server))] if environment.server else []),
        ("system", environment.system),
        ("front end", "complete" if complete else f"{len(environment.built)} of {len(FRONT_END)} files"),
        *((name, environment.versions.get(name, "not installed")) for name in names),
    ]
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {value}" for name, value in rows]


def _listed(title: str, advice: Iterable[Advice]) -> list[str]:
    lines = [line for one in advice for line in (f"- {one.text}", *(f"    {fix}" for fix in one.fixes))]
    return [title, *lines] if lines else []
