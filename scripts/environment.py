"""Make a virtual environment that holds exactly what a lock file says.

    python scripts/environment.py .venv requirements/dev.txt

Runs under whatever Python it is given, so that an old one gets an answer and not a syntax error.
"""

import subprocess
import sys
from pathlib import Path


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
    print(f"{folder}: installing {lock} (about a minute)", flush=True)
    venv.create(folder, clear=True, with_pip=True)
    python = Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python")
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    # The lock is complete, so pip need not resolve anything; Python compiles what is imported.
    options = ["--require-hashes", "--no-deps", "--no-compile"]
    if subprocess.run([*pip, "install", *options, "--requirement", lock], check=False).returncode:
        sys.exit(f"{folder}: pip could not install {lock} from a package index; its message is above.")
    if subprocess.run([*pip, "check"], check=False).returncode:
        sys.exit(f"{lock} does not fit this Python; `make lock` makes it anew.")


if __name__ == "__main__":
    main(*sys.argv[1:])
