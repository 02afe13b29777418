"""Print the path of a server for the tests of rate limits, after installing it where that needs no password.

NGINX=$(python scripts/servers.py nginx)
HAPROXY=$(python scripts/servers.py haproxy)
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

OLDEST = {
    "nginx": (
        1,
        19,
        10,
    ),  # says how long a connection has been open, by the clock that it limits requests with
    "haproxy": (2, 4, 0),  # `date` in milliseconds
}


def suits(program: str, name: str) -> bool:
    """Tell if `program` is a server of this name that is new enough."""
    try:
        run = subprocess.run([program, "-v"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    version = re.search(rf"{name}(?:/| version )(\d+)\.(\d+)\.(\d+)", run.stdout + run.stderr, re.IGNORECASE)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST[name]


def of_the_system(name: str) -> str | None:
    """Return a server that the machine already has; Debian installs it outside the PATH of users."""
    candidates = [shutil.which(name), shutil.which(name, path="/usr/sbin")]
    return next((program for program in candidates if program and suits(program, name)), None)


def by_apt(name: str) -> str | None:
    """Install the distribution's server, when that needs no password."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    # In runlevel 1, of maintenance, a package that is installed does not start its server.
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", name]):
        print(f"{name}: apt-get {' '.join(command)}", file=sys.stderr, flush=True)
        done = subprocess.run(["apt-get", "-qq", *command], env=environment, stdout=sys.stderr, check=False)
        if done.returncode:
            return None
    return of_the_system(name)


def main() -> None:
    """Print the path, or leave with the command that would help."""
    if len(sys.argv) != 2 or sys.argv[1] not in OLDEST:
        sys.exit(f"Name a server: {' or '.join(OLDEST)}")
    name = sys.argv[1]
    oldest, variable = ".".join(map(str, OLDEST[name])), name.upper()
    if named := os.environ.get(variable):
        program = shutil.which(named)
        if program is None or not suits(program, name):
            sys.exit(
                f"{variable}={named} is no {name} {oldest} or newer. Name one that is, or unset {variable}."
            )
    else:
        program = of_the_system(name) or by_apt(name)
    if program is None:
        sys.exit(
            f"The rate limits are compared with a real {name}, {oldest} or newer. There is none; run one of\n"
            f"    sudo apt-get install --no-install-recommends {name}\n"
            f"    brew install {name}\n"
            f"or name one: {variable}=/path/to/{name}"
        )
    print(program)


if __name__ == "__main__":
    main()
