"""Holds every Python receiver of a folder and answers the questions that come in lines (see runtimes.py)."""

import base64
import runpy
import sys
from pathlib import Path
from wsgiref.headers import Headers


def argument(word):
    value = base64.b64decode(word[1:])
    if word[0] == "b":
        return value
    if word[0] == "t":
        return value.decode()
    lines = value.decode(errors="surrogateescape").split("\n")  # as in aiohttp and Sanic
    return Headers(list(zip(lines[::2], lines[1::2], strict=False)))


receivers = {}
for path in Path(sys.argv[1]).glob("*.py"):
    receivers[path.stem] = runpy.run_path(str(path))["verify"]

for line in sys.stdin:
    name, *words = line.split()
    try:
        answer = str(receivers[name](*map(argument, words))).lower()
    except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
        answer = repr(error)
    print(answer, flush=True)
