"""Make a virtual environment that holds exactly what a lock file says.

    python scripts/environment.py .venv requirements/dev.txt

uv installs in a tenth of pip's time, and keeps one copy of what several environments hold. The lock of
`.venv` pins it, so pip installs it there first; the other environments use that one. Where uv fails, because
an index is only in pip's settings, pip does the work.

Runs under whatever Python it is given, so that an old one gets an answer and not a syntax error.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

MAIN = Path(__file__).resolve().parent.parent / ".venv"
PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"
#: The lock is complete, so nothing need be resolved.
OPTIONS = ["--quiet", "--require-hashes", "--no-deps"]
UV_PIN = re.compile(r"^uv==(?:.*\\\n)*.*", re.MULTILINE)


def main(folder: str, lock: str) -> None:
    """Create `folder` from scratch and install `lock` into it, hashes checked.

    Args:
        folder: where the environment goes; one that is already there is replaced.
        lock: a file of requirements/, complete, every version pinned.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - this is the one place that says so
        version = ".".join(map(str, sys.version_info[:3]))
        sys.exit(
            f"hook_widgets needs Python 3.11 or newer; {sys.executable} is {version}.\n"
            "Name another one, for example: make PYTHON=python3.13 lab"
        )
    try:
        import ensurepip  # noqa: F401 - Debian takes it out of the plain python3 package
        import venv
    except ImportError:
        sys.exit(
            f"{sys.executable} cannot make virtual environments.\n"
            "On Debian and Ubuntu this helps: sudo apt-get install python3-venv"
        )
    print(f"{folder}: installing {lock} (up to a minute)", flush=True)
    pinned = UV_PIN.search(Path(lock).read_text(encoding="utf-8"))
    venv.create(folder, clear=True, with_pip=bool(pinned))
    python = str(Path(folder, PROGRAMS, "python"))
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    if pinned:
        with tempfile.TemporaryDirectory() as place:
            alone = Path(place, "uv.txt")
            alone.write_text(pinned[0], encoding="utf-8")
            succeeds(*pip, "install", *OPTIONS, "--requirement", str(alone))
    uv = [str(Path(folder if pinned else MAIN, PROGRAMS, "uv")), "--quiet", "pip"]
    if succeeds(*uv, "install", *OPTIONS, "--python", python, "--requirement", lock):
        fits = succeeds(*uv, "check", "--python", python)
    else:
        print(f"{folder}: uv could not install {lock}; pip tries", flush=True)
        if not pinned:
            subprocess.run([python, "-m", "ensurepip"], stdout=subprocess.DEVNULL, check=True)
        if not succeeds(*pip, "install", *OPTIONS, "--no-compile", "--requirement", lock):
            sys.exit(f"{folder}: pip could not install {lock} from a package index; its message is above.")
        fits = succeeds(*pip, "--quiet", "check")
    if not fits:
        sys.exit(f"{lock} does not fit this Python; `make lock` makes it anew.")


def succeeds(*command: str) -> bool:
    """Run a program, and tell if it could do its work."""
    try:
        return subprocess.run(command, check=False).returncode == 0
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    main(*sys.argv[1:])
