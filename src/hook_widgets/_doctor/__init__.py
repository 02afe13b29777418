"""Why a widget does not show: what is installed, where, and what mends it."""

from __future__ import annotations

from hook_widgets._doctor.advice import Advice, faults, hints
from hook_widgets._doctor.surroundings import FRONT_END, OTHERS, REQUIRED, Surroundings, look_around


def doctor() -> None:
    """Print the versions that matter to the widgets, what is wrong with them, and the command that mends it.

    Run it in the notebook where a widget does not show: the kernel has to answer, not a terminal. It works
    without Jupyter too. It prints no environment variable, no setting and no secret, so that its output can
    go into a bug report; the paths of the interpreters are in it.

    Three parts show a widget: packages where the kernel runs; the loaders of anywidget and ipywidgets where
    the page comes from, which can be another environment or a CDN; and the front end of hook_widgets, which
    the kernel sends. The kernel cannot see the page: what it does not know is told as a thing to check.

    >>> from hook_widgets import doctor
    >>> doctor()  # doctest: +ELLIPSIS
    hook_widgets ...
    """
    print(report(look_around()))  # noqa: T201 - printing is what it is for


def report(seen: Surroundings) -> str:
    """What `doctor` prints of these surroundings."""
    wrong = faults(seen)
    count = "1 fault:" if len(wrong) == 1 else f"{len(wrong)} faults:"
    parts = [_table(seen), _listed(count, wrong) or ["No fault was found."], _listed("To know:", hints(seen))]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _table(seen: Surroundings) -> list[str]:
    names = [*REQUIRED, *(name for name in OTHERS if name in seen.versions)]
    complete = len(seen.built) == len(FRONT_END)
    rows = [
        ("hook_widgets", seen.version),
        ("shown by", seen.host or "no notebook: this Python is not a kernel"),
        ("Python", f"{seen.python_version}, {seen.python}"),
        *([("server's Python", str(seen.server))] if seen.server else []),
        ("system", seen.system),
        ("front end", "complete" if complete else f"{len(seen.built)} of {len(FRONT_END)} files"),
        *((name, seen.versions.get(name, "not installed")) for name in names),
    ]
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {value}" for name, value in rows]


def _listed(title: str, advice: list[Advice]) -> list[str]:
    lines = [line for one in advice for line in (f"- {one.text}", *(f"    {fix}" for fix in one.fixes))]
    return [title, *lines] if lines else []
