"""The configuration that a plan writes for nginx, in an nginx: its responses are those of the plan."""

from __future__ import annotations

import http.client
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning import Api, VersionLocation
from hook_widgets.versioning.planning.installation import nginx_config
from hook_widgets.versioning.planning.sample_exchange import exchange
from tests.nginx.server import Nginx
from tests.support.releases import BROWNOUT, RELEASES

API = Api(
    name='Olga\'s "Orders" at 5 $ a\\month, für alle',
    base_url="https://api.example.com",
    prefix="/shop.de/api",
    migration_guide="https://docs.example.com/$v{old}-to-v{new}?it's",
    warn=True,
    releases=RELEASES,
)
OWN = {"date", "server", "connection", "transfer-encoding", "content-length"}
PLAIN = {("content-type", "text/plain")}


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 5, 1, tzinfo=UTC),
        datetime(2026, 11, 20, tzinfo=UTC),
        BROWNOUT,
        datetime(2028, 6, 1, tzinfo=UTC),
    ],
    ids=["before the announcement", "deprecated", "in a brownout", "removed"],
)
def test_nginx_sends_the_headers_and_bodies_of_the_plan(tmp_path: Path, at: datetime):
    maps, _, server = nginx_config(API, at).partition("# in server")
    socket = f"unix:{tmp_path}/b"
    backend = f"upstream backend {{ server {socket}; }} server {{ listen {socket}; return 200 ok; }}"
    differing = []
    with Nginx(tmp_path, [maps, backend], {}, server) as nginx:
        for major in API.supported(at) if at.year < 2028 else (1, 2, 11):
            for resource in ("/orders", "/orders/17?full=1&sort=a%20b", "", "?a=1", "/a/b$c(d)/"):
                connection = http.client.HTTPConnection("127.0.0.1", nginx.port, timeout=30)
                connection.request("GET", API.path(major, resource))
                with connection.getresponse() as response:
                    body = response.read().decode()
                    fields = {(name.lower(), value) for name, value in response.getheaders()}
                connection.close()
                expected = exchange(API, major, at, resource=resource)
                headers = {(name.lower(), value) for name, value in expected.headers}
                headers |= set() if expected.body else PLAIN
                fields = {(name, value) for name, value in fields if name not in OWN}
                if (expected.status, headers, expected.body or "ok") != (response.status, fields, body):
                    differing.append((major, resource, headers ^ fields, expected.body, body))

    assert [] == differing


def test_a_target_of_which_nothing_is_known_leads_to_the_version_alone(tmp_path: Path):
    at = datetime(2028, 6, 1, tzinfo=UTC)
    maps, _, server = nginx_config(API, at).partition("# in server")
    with Nginx(tmp_path, [maps, "upstream backend { server 127.0.0.1:1; }"], {}, server) as nginx:
        connection = http.client.HTTPConnection("127.0.0.1", nginx.port, timeout=30)
        connection.request("GET", '/shop.de/api/v1/x"};y')
        with connection.getresponse() as response:
            body = response.read().decode()
        connection.close()

    assert 410 == response.status
    assert '"current_version": "https://api.example.com/shop.de/api/v2/"' in body
    assert "x" not in str(response.headers["Link"]).partition("successor")[0].rpartition("<")[2]


def test_without_versions_in_the_path_there_is_no_configuration():
    by_header = replace(API, precedence=(VersionLocation.HEADER,))

    with pytest.raises(InvalidApi, match="version in the path"):
        nginx_config(by_header, BROWNOUT)
