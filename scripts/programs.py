"""Print the paths of programs that the tests run, or say how to install what is missing.

CHROMIUM=$(python scripts/programs.py chromium)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

CANDIDATES = {
    "chromium": (
        # Chromium without a window takes a fifth less processor time; Playwright runs it by default, too.
        *(
            "chromium-headless-shell",
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
            "chrome",
        ),
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "nginx": ("nginx", "/usr/sbin/nginx"),  # Debian's servers are not on the PATH of users
    "haproxy": ("haproxy", "/usr/sbin/haproxy"),
}
PLAYWRIGHT = f"{sys.executable} -m playwright install chromium"  # needs no root
INSTALL = {
    "chromium": f"sudo apt-get install chromium, or {PLAYWRIGHT}",
    "nginx": "sudo apt-get install nginx, or brew install nginx; 1.19.10 or newer",
    "haproxy": "sudo apt-get install haproxy, or brew install haproxy; 2.4 or newer",
}


def starts(program: str) -> bool:
    """Tell if `program` runs: Ubuntu's package of Chromium is only a script that refers to snap."""
    flag = "-v" if program.endswith(("nginx", "haproxy")) else "--version"
    try:
        run = subprocess.run([program, flag], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0


def candidates(name: str) -> tuple[str, ...]:
    """Return the programs to try: the one that a variable such as NGINX names, or those of the machine."""
    if chosen := os.environ.get(name.upper()):
        return (chosen,)
    if name != "chromium":
        return CANDIDATES[name]
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return (*CANDIDATES[name], playwright.chromium.executable_path)


def path_of(name: str) -> str:
    """Return the path of a program, or exit with the command that installs it."""
    for candidate in candidates(name):
        program = shutil.which(candidate)
        if program and starts(program):
            return program
    variable = name.upper()
    chosen = f"{variable}={os.environ[variable]} does not run" if os.environ.get(variable) else "not found"
    sys.exit(f"{name}: {chosen}; run {INSTALL[name]}; or name one: {variable}=/path/to/{name}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(path_of(name))
