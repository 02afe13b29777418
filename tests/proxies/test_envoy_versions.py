"""The routes that a plan writes for Envoy, in an Envoy: its responses are those of the plan."""

from __future__ import annotations

import http.client
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hook_widgets.versioning import Api
from hook_widgets.versioning.planning.installation import envoy_config
from hook_widgets.versioning.planning.sample_exchange import exchange
from tests.proxies.test_envoy import BOOTSTRAP, MANAGER
from tests.proxies.traffic import Server, free_ports
from tests.support.releases import BROWNOUT, RELEASES

API = Api(
    name='Olga\'s "Orders" at 5 $ a\\month, 100% für alle',
    base_url="https://api.example.com",
    prefix="/shop.de/api",
    migration_guide="https://docs.example.com/%7Eguides/v{old}-to-v{new}?it's",
    warn=True,
    releases=RELEASES,
)
TIMES = {
    "before the announcement": datetime(2026, 5, 1, tzinfo=UTC),
    "deprecated": datetime(2026, 11, 20, tzinfo=UTC),
    "in a brownout": BROWNOUT,
    "removed": datetime(2028, 6, 1, tzinfo=UTC),
}
OWN = {"date", "server", "transfer-encoding", "content-length", "x-envoy-upstream-service-time"}
PLAIN = {("content-type", "text/plain")}
LISTENER = """\
  - address: {{socket_address: {{address: 127.0.0.1, port_value: {port}}}}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": {manager}
          stat_prefix: p{port}
          http_filters:
          - name: envoy.filters.http.router
            typed_config: {{"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
{routes}
"""
CLUSTER = """\
  clusters:
  - name: backend
    load_assignment:
      cluster_name: backend
      endpoints:
      - lb_endpoints:
        - endpoint: {{address: {{socket_address: {{address: 127.0.0.1, port_value: {port}}}}}}}
"""
BACKEND = '- {match: {prefix: /}, direct_response: {status: 200, body: {inline_string: "ok"}}}\n'


def get(port: int, path: str) -> tuple[int, set[tuple[str, str]], str]:
    """Return status, headers that are not Envoy's own, and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    with connection.getresponse() as response:
        body = response.read().decode()
    connection.close()
    fields = {(name.lower(), value) for name, value in response.getheaders() if name.lower() not in OWN}
    return response.status, fields, body


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory):
    """The port of an Envoy for each of the times."""
    folder: Path = tmp_path_factory.mktemp("envoy")
    backend, *others = free_ports(1 + len(TIMES))
    routes = {backend: BACKEND} | {
        port: envoy_config(API, at) for port, at in zip(others, TIMES.values(), strict=True)
    }
    listeners = [
        LISTENER.format(
            port=port,
            manager=MANAGER,
            routes="".join(f"              {line}\n" for line in text.splitlines()),
        )
        for port, text in routes.items()
    ]
    (folder / "envoy.yaml").write_text(BOOTSTRAP + "".join(listeners) + CLUSTER.format(port=backend))
    command = [
        os.environ.get("ENVOY") or "envoy", "-c", "envoy.yaml", "--concurrency", "1", "--disable-hot-restart",
        "-l", "warning",
    ]  # fmt: skip
    with Server(command, folder, [backend, *others]):
        yield dict(zip(TIMES, others, strict=True))


@pytest.mark.parametrize("name", TIMES)
def test_envoy_sends_the_headers_and_bodies_of_the_plan(name: str, ports: dict[str, int]):
    at, differing = TIMES[name], []
    for major in API.supported(at) if at.year < 2028 else (1, 2, 11):
        expected = exchange(API, major, at, resource="/")
        headers = {(field.lower(), value) for field, value in expected.headers}
        headers |= set() if expected.body else PLAIN
        for resource in ("/orders", "/orders/17?full=1&sort=a%20b", "", "?a=1"):
            response = get(ports[name], API.path(major, resource))
            if response != (expected.status, headers, expected.body or "ok"):
                differing.append((major, resource, response, headers, expected.body))

    assert [] == differing


def test_the_path_of_another_version_that_begins_alike_is_not_that_version(ports: dict[str, int]):
    assert 404 == get(ports["deprecated"], "/shop.de/api/v11/orders")[0]
    assert 404 == get(ports["deprecated"], "/shop.de/api/v1x")[0]
