"""Print the path of an nginx for the tests of rate limits, after installing one where that needs no password.

NGINX=$(python scripts/nginx.py)
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

OLDEST = (1, 19, 10)
"""The first that says how long a connection has been open, by the clock that it limits requests with."""


def suits(program: str) -> bool:
    """Tell if `program` is an nginx that is new enough."""
    try:
        run = subprocess.run([program, "-v"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    version = re.search(r"nginx/(\d+)\.(\d+)\.(\d+)", run.stderr)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST


def of_the_system() -> str | None:
    """Return an nginx that the machine already has; Debian installs it outside the PATH of users."""
    candidates = [shutil.which("nginx"), shutil.which("nginx", path="/usr/sbin")]
    return next((program for program in candidates if program and suits(program)), None)


def by_apt() -> str | None:
    """Install the distribution's nginx, when that needs no password."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    # In runlevel 1, of maintenance, a package that is installed does not start its server.
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", "nginx"]):
        print(f"nginx: apt-get {' '.join(command)}", file=sys.stderr, flush=True)
        done = subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=sys.stderr, check=False)
        if done.returncode:
            return None
    return of_the_system()


def main() -> None:
    """Print the path, or leave with the command that would help."""
    oldest = ".".join(map(str, OLDEST))
    if named := os.environ.get("NGINX"):
        program = shutil.which(named)
        if program is None or not suits(program):
            sys.exit(f"NGINX={named} is no nginx {oldest} or newer. Name one that is, or unset NGINX.")
    else:
        program = of_the_system() or by_apt()
    if program is None:
        sys.exit(
            f"The rate limits are compared with a real nginx, {oldest} or newer. There is none; run one of\n"
            "    sudo apt-get install --no-install-recommends nginx\n"
            "    brew install nginx\n"
            "or name one: NGINX=/path/to/nginx make test-nginx"
        )
    print(program)


if __name__ == "__main__":
    main()
