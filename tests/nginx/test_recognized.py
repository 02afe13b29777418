"""The limiter of a real nginx, seen from outside by the statuses alone."""

from __future__ import annotations

import time
from http.client import HTTPConnection

from hook_widgets.ratelimit import TokenBucket
from hook_widgets.ratelimit.configs import export_config
from hook_widgets.ratelimit.inference import BucketRegion, probe_limit
from tests.nginx.server import Nginx


def test_an_exported_limit_for_all_requests_counts_on_a_server_without_a_name(tmp_path):
    http, _, location = export_config(TokenBucket(3, "1/min"), "nginx").text.partition("# in a location")
    zones = [line for line in http.splitlines() if line.startswith("limit_req_zone")]

    with Nginx(tmp_path, zones, {"limited": location.replace("\n", " ")}) as nginx:
        connection = HTTPConnection("127.0.0.1", nginx.port, timeout=30)
        statuses = []
        for _ in range(5):
            connection.request("GET", "/limited")
            with connection.getresponse() as response:
                response.read()
                statuses.append(response.status)
        connection.close()

    assert [429, 429] == statuses[3:]
    assert 429 not in statuses[:3]


def test_probes_recognize_a_bucket_of_burst_plus_one(tmp_path):
    zones = ["limit_req_zone $binary_remote_addr zone=here:1m rate=5r/s;"]
    directives = "limit_req zone=here burst=4 nodelay; limit_req_status 429;"

    with Nginx(tmp_path, zones, {"limited": directives}) as nginx:

        def send():
            connection = HTTPConnection("127.0.0.1", nginx.port, timeout=30)
            connection.connect()  # outside the measured time
            sent = time.monotonic()
            connection.request("GET", "/limited")
            response = connection.getresponse()
            answered = time.monotonic()
            connection.close()
            return sent, answered, response.status, {}

        result = probe_limit(send, allow_traffic=True, max_rejections=60, max_duration_s=60)

    assert [each.algorithms for each in result.classes] == [("token bucket, leaky bucket or GCRA",)]
    (region,) = result.classes[0].regions
    assert isinstance(region, BucketRegion)
    assert region.capacity[0] <= 5 <= region.capacity[1]
    assert region.refill_rate[0] <= 5 <= region.refill_rate[1]
