"""Print the path of a Chromium for the browser tests, after installing one when there is none.

CHROMIUM=$(python scripts/chromium.py)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
APT_PACKAGES = ("chromium", "fonts-dejavu-core")
PLAYWRIGHT = (sys.executable, "-m", "playwright", "install", "chromium")


def starts(program: str) -> bool:
    """Tell if `program` is a browser that runs: Ubuntu's apt package is only a script that refers to snap."""
    try:
        run = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0 and "chrom" in run.stdout.lower()


def of_the_system() -> str | None:
    """Return a browser that the machine already has."""
    candidates = [shutil.which(name) for name in (*NAMES, MAC)]
    return next((program for program in candidates if program and starts(program)), None)


def of_playwright() -> str | None:
    """Return the browser that Playwright has downloaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.executable_path
    return program if Path(program).exists() and starts(program) else None


def say(text: str) -> None:
    """Tell the user; standard output is for the path alone."""
    print(text, file=sys.stderr, flush=True)


def run(*command: str) -> bool:
    """Run one installation command, its output among our messages."""
    say(f"chromium: {' '.join(command)}")
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def by_apt() -> str | None:
    """Install the distribution's Chromium, when that needs no password."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    done = run("apt-get", "update", "-qq") and run(
        "apt-get", "install", "-y", "-qq", "--no-install-recommends", *APT_PACKAGES
    )
    return of_the_system() if done else None


def by_playwright() -> str | None:
    """Let Playwright download its own Chromium."""
    return of_playwright() if run(*PLAYWRIGHT) else None


def main() -> None:
    """Print the path, or leave with the command that would help."""
    if named := os.environ.get("CHROMIUM"):
        program = shutil.which(named)
        if program is None or not starts(program):
            sys.exit(
                f"CHROMIUM={named} does not run. Name a Chromium or Chrome that does, or unset CHROMIUM."
            )
        print(program)
        return
    for way in (of_the_system, of_playwright, by_apt, by_playwright):
        if path := way():
            print(path)
            return
    sys.exit(
        "The browser tests need a Chromium, and none could be installed. Run one of\n"
        "    sudo apt-get install chromium\n"
        f"    {' '.join(PLAYWRIGHT)}\n"
        "or name one: CHROMIUM=/path/to/chrome make test-browser"
    )


if __name__ == "__main__":
    main()
