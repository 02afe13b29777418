"""That the notebooks need no network is proved where there is none: what asks for one fails there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from scripts import notebooks as runner


def ran(tmp_path: Path, code: str) -> runner.Run:
    path = tmp_path / "asking.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(code, id="only")]), path)
    return asyncio.run(runner.run(path))


@pytest.mark.parametrize(
    "code",
    [
        "socket.create_connection(('192.0.2.1', 443), 1)",  # RFC 5737, RFC 3849: addresses for examples
        "socket.create_connection(('2001:db8::1', 443), 1)",
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'?', ('192.0.2.53', 53))",
        "asyncio.run(asyncio.open_connection('192.0.2.1', 443))",
        "socket.gethostbyname('hooks.example.com')",
    ],
)
def test_what_a_kernel_starts_has_no_network_either(code: str):
    asked = subprocess.run(
        [sys.executable, "-c", f"import asyncio, socket; {code}"], check=False, stderr=subprocess.PIPE
    )

    assert 1 == asked.returncode
    assert b"Network is unreachable" in asked.stderr


def test_a_notebook_that_needs_a_network_fails(tmp_path: Path):
    result = ran(tmp_path, "import urllib.request; urllib.request.urlopen('https://example.com/')")

    assert "Network is unreachable" in result.failure


def test_a_notebook_that_goes_on_without_the_network_it_asked_for_is_reported_too(tmp_path: Path):
    asking = "from hook_widgets.webhooks import provider, send, Secret\n"
    asking += "draft = provider('generic').draft(url='https://hooks.example.com/')\n"
    result = ran(tmp_path, asking + "print(send(draft.sign(Secret('demo_not_a_secret'))).error is not None)")

    assert "" == result.failure
    (warning,) = result.warnings
    assert "socket.getaddrinfo asked for 'hooks.example.com'" in warning


def test_this_machine_is_within_reach(tmp_path: Path):
    asking = "from hook_widgets.webhooks import Receiver, Secret, provider, send\n"
    asking += "with Receiver('generic', Secret('demo_not_a_secret')) as receiver:\n"
    asking += "    request = provider('generic').draft(url=receiver.url).sign(Secret('demo_not_a_secret'))\n"
    result = ran(tmp_path, asking + "    print(send(request).status)")

    assert ("", ()) == (result.failure, result.warnings)
    assert "200\n" == result.notebook.cells[0].outputs[0].text
