"""Serve the samples on free ports of this machine, each by the server that its framework uses."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from werkzeug.serving import make_server

from tests.sdk.reference_verifiers.node import FOLDER


@contextmanager
def wsgi(application: Any, path: str = "/hooks") -> Iterator[str]:
    """Serve a WSGI application, and give the URL of a path."""
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = make_server("127.0.0.1", 0, application, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{path}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def asgi(application: Any) -> Iterator[str]:
    """Serve an ASGI application, and give the URL of its path."""
    server = uvicorn.Server(uvicorn.Config(application, host="127.0.0.1", port=0, log_level="critical"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/hooks"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def node(secrets: dict[str, str]) -> Iterator[dict[str, str]]:
    """Run samples.mjs as it is deployed, and give the URLs by provider."""
    program = os.environ.get("NODE") or shutil.which("node")
    assert program, "no Node: `make test-sdk` brings one"
    with subprocess.Popen(
        [program, "samples.mjs", json.dumps(secrets)],
        cwd=FOLDER,
        env={**os.environ, "NODE_ENV": "production"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.stdin.close()
