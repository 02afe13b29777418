"""Requests in the forms that public repositories have them, with what their authors expect."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks.recordings import RecordedRequest, read_recording

POSTMAN: list[dict[str, Any]] = [
    {"mode": "urlencoded", "urlencoded": [{"key": "foo", "value": "b r"}, {"key": "x", "disabled": True}]},
    {"mode": "formdata", "formdata": [{"key": "foo", "value": "bar", "type": "text"}]},
    {"mode": "graphql", "graphql": {"query": "{ a }", "variables": ""}},
    {"mode": "file", "file": {"src": "a.json"}},
    {"mode": "raw", "raw": "hello world!"},
]


def request_of(value: object) -> RecordedRequest:
    (exchange,) = read_recording(value if isinstance(value, str) else json.dumps(value)).exchanges
    return exchange.request


def test_an_event_of_vpc_lattice_has_path_and_query():
    """`aws-powertools/powertools-lambda-python`, tests/events/vpcLatticeEvent.json."""
    event = {
        "raw_path": "/testpath",
        "method": "GET",
        "headers": {"x-forwarded-for": "10.213.229.10", "host": "test.vpc-lattice-svcs.us-east-2.on.aws"},
        "query_string_parameters": {"order-id": "1"},
        "body": "eyJ0ZXN0IjogImV2ZW50In0=",
        "is_base64_encoded": True,
    }
    request = request_of(event)
    assert request.url == "https://test.vpc-lattice-svcs.us-east-2.on.aws/testpath?order-id=1"
    assert (request.method, request.body) == ("GET", b'{"test": "event"}')


def test_an_event_of_an_http_api_has_its_cookies_and_an_empty_body():
    """`dougmoscrop/serverless-http`, lib/provider/aws/create-request.js, joins the cookies with ``; ``."""
    event = {
        "version": "2.0",
        "rawPath": "/my/path",
        "rawQueryString": "",
        "cookies": ["cookie1", "cookie2=b"],
        "headers": {"host": "id.execute-api.us-east-1.amazonaws.com", "x-signature": "00"},
        "requestContext": {"http": {"method": "POST"}},
        "isBase64Encoded": False,
    }
    request = request_of(event)
    assert request.headers["Cookie"] == "cookie1; cookie2=b"
    assert request.body == b""
    del event["isBase64Encoded"]  # an event of an authorizer, which gets no body
    assert request_of(event).body is None


def test_a_body_that_cloudfront_cut_off_has_a_note():
    """Lambda@Edge event structure in the guide of Amazon CloudFront: ``inputTruncated``."""
    body = {"action": "read-only", "data": "e30=", "encoding": "base64", "inputTruncated": True}
    headers = {"host": [{"key": "Host", "value": "d.cloudfront.net"}]}
    event = {"method": "POST", "uri": "/x", "querystring": "", "headers": headers, "body": body}
    request = request_of({"Records": [{"cf": {"request": event}}]})
    assert request.body == b"{}"
    assert any("cut off" in note for note in request.notes)


def test_what_a_function_responds_has_a_note():
    """`aws/aws-lambda-go`, events/testdata/apigw-response.json."""
    response = {
        "statusCode": 200,
        "headers": {"Content-Type": "text/plain", "X-A": "b"},
        "body": "Hello World",
    }
    assert any("response" in note for note in request_of(response).notes)


def test_an_event_of_eventbridge_is_no_mapping_of_headers():
    """`aws/aws-lambda-java-libs`, aws-lambda-java-tests/src/test/resources/cloudwatch_event.json."""
    event = {"version": "0", "detail-type": "Scheduled Event", "source": "aws.events", "detail": {}}
    with pytest.raises(ValueError, match="not a request"):
        request_of(event)


def test_a_raw_url_is_taken_before_one_without_its_query():
    """`curlconverter/curlconverter`, test/fixtures/json/get_with_env_var.json."""
    url = "http://localhost:28139/v2/images"
    value = {"url": url, "raw_url": f"{url}?type=distribution", "method": "get", "headers": {"X-A": "b"}}
    request = request_of(value)
    assert (request.method, request.url) == ("GET", f"{url}?type=distribution")


def test_har_with_the_parts_of_a_multipart_body_has_no_body():
    """`Kong/httpsnippet`, src/fixtures/requests/multipart-form-data.json."""
    request = request_of(
        {
            "method": "POST",
            "url": "http://mockbin.com/har",
            "headers": [{"name": "Content-Type", "value": "multipart/form-data"}],
            "postData": {"mimeType": "multipart/form-data", "params": [{"name": "foo", "value": "bar"}]},
        }
    )
    assert request.body is None
    assert any("multipart" in note for note in request.notes)


@pytest.mark.parametrize(
    ("body", "expected"), list(zip(POSTMAN, [b"foo=b+r", None, None, None, b"hello world!"], strict=True))
)
def test_a_body_of_a_collection_of_postman_is_read_or_unknown(body, expected):
    """`Kong/insomnia`, importers/fixtures/postman/complex-v2_1-input.json."""
    header = [{"key": "X-A", "value": "b"}, {"key": "X-Off", "value": "c", "disabled": True}]
    request = {"method": "POST", "header": header, "url": {"raw": "https://x.example/h"}, "body": body}
    other = {"method": "GET", "header": [], "url": {"host": "x.example"}}
    recording = read_recording(json.dumps({"info": {}, "item": [{"request": request}, {"request": other}]}))
    assert recording.exchanges[0].request.headers.multi_items() == [("X-A", "b")]
    assert recording.exchanges[0].request.body == expected
    assert (expected == b"hello world!") != bool(recording.exchanges[0].request.notes)
    assert any("1 entries" in note for note in recording.notes)


def test_json_with_items_that_are_no_requests_is_no_har_file():
    with pytest.raises(ValueError, match="not a request"):
        request_of({"name": "a", "item": [{"id": 1}]})


def test_line_ends_after_a_request_without_a_length_are_no_body():
    """RFC 9112, section 6.3; `curlconverter/curlconverter`, test/fixtures/http/delete.txt ends like this."""
    request = request_of("DELETE /page HTTP/1.1\nHost: localhost:28139\nAccept: */*\n\n\n")
    assert request.body == b""
    assert not any("line ends" in note for note in request.notes)


URL = "https://x.example/h"
# The forms of `curlconverter/curlconverter` (test/fixtures) and `Kong/httpsnippet` (src/targets).
CODE = {
    "fetch, a comment": (
        f"fetch('{URL}', {{\n  method: 'POST',\n  headers: {{\n    'X-A': 'b' // note\n  }},\n"
        '  // body: \'{ "drink": "coffe" }\',\n  body: \'{"drink":"coffe"}\'\n});'
    ),
    "fetch, an expression": (
        f"fetch('{URL}', {{\n  method: 'POST',\n  headers: {{\n    'X-A': 'b',\n"
        "    'Authorization': 'Basic ' + btoa('a:b'),\n    'X-T': `t=${time}`\n  },\n"
        '  body: \'{"drink":"coffe"}\'\n});'
    ),
    "requests": (
        f"response = requests.post('{URL}', headers={{'X-A': 'b', 'X-T': f't={{time}}'}}, "
        'data=\'{"drink":"coffe"}\')'
    ),
    "requests, an expression": (
        f"requests.post(\n    '{URL}',\n    headers={{\n        'X-A': 'b',  # note\n"
        "        'X-T': 'Bearer ' + token,\n        'X-U': 'sha256=%s' % sig,\n    },\n"
        '    data=\'{"drink":"coffe"}\',\n)'
    ),
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE)
def test_a_call_in_program_code_is_read(code):
    request = request_of(code)
    assert (request.method, request.url) == ("POST", URL)
    assert request.headers.multi_items() == [("X-A", "b")]
    assert request.body == b'{"drink":"coffe"}'
    assert ("+" in code or "{time}" in code) == any("left out" in note for note in request.notes)


def test_the_options_of_axios_are_read_and_its_method_has_capitals():
    call = f"axios.post('{URL}', {{id: 1}}, {{headers: {{'X-A': 'b', 'Content-Type': 'application/json'}}}})"
    options = f"const options = {{method: 'post', url: '{URL}', headers: {{'X-A': 'b'}}, data: '{{}}'}};"
    for code in (call, options):
        request = request_of(code)
        assert (request.method, request.url, request.headers["X-A"]) == ("POST", URL, "b")
    assert request_of(call).body is None
    assert request.body == b"{}"


@pytest.mark.parametrize(
    "code",
    [
        f'HttpResponse<String> response = Unirest.post("{URL}")\n  .header("X-A", "b")\n  .asString();',
        (
            f'var request = HttpRequest.newBuilder()\n  .uri(URI.create("{URL}"))\n  .header("X-A", "b")\n'
            '  .method("POST", HttpRequest.BodyPublishers.ofString("{}"))\n  .build();'
        ),
        f'client.prepare("POST", "{URL}")\n  .setHeader("X-A", "b")\n  .setBody("{{}}")\n  .execute();',
    ],
)
def test_the_url_and_method_of_a_call_that_sets_headers_are_read(code):
    """`Kong/httpsnippet`, src/targets/java/{unirest,nethttp,asynchttp}/fixtures."""
    request = request_of(code)
    assert (request.method, request.url, request.headers.multi_items()) == ("POST", URL, [("X-A", "b")])


# Files of the folders go, java, javascript-xhr, ruby, swift and php there.
@pytest.mark.parametrize(
    "code",
    [
        'req.Header.Set("X-A", "b")\nreq.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))\n',
        '.header("X-A", "b")\n.header("Authorization", "Bearer " + System.getenv("TOKEN"))\n',
        "xhr.setRequestHeader('X-A', 'b');\nxhr.setRequestHeader('Authorization', 'Basic ' + btoa('a:b'));",
        'req["X-A"] = "b"\nreq["Authorization"] = "Bearer #{token}"\n',
        'request.addHeader("X-A", "b")\nrequest.addHeader("Authorization", "Basic \\(login)")\n',
        "curl_setopt($ch, CURLOPT_HTTPHEADER, [\n  'Authorization: Bearer ' . getenv('T'),\n  'X-A: b',\n]);",
        'curl_setopt($ch, CURLOPT_HTTPHEADER, array(\n    "Authorization: Bearer $token",\n    "X-A: b"\n));',
    ],
)
def test_a_value_that_a_program_computes_is_left_out_and_a_note_says_so(code):
    request = request_of(code)
    assert request.headers.multi_items() == [("X-A", "b")]
    assert any("Authorization" in note for note in request.notes)


def interaction(body: object) -> dict[str, Any]:
    """Return a request and its response as VCR, vcrpy and Betamax record them."""
    request = {"method": "POST", "uri": URL, "headers": {"X-A": ["b", "c"]}, "body": body}
    response = {
        "status": {"code": 429, "message": "Slow"},
        "headers": {"Retry-After": ["3"]},
        "body": {"string": "no", "encoding": "utf-8"},
    }
    return {"request": request, "response": response}


@pytest.mark.parametrize(
    "cassette",
    [
        {"http_interactions": [], "recorded_with": "betamax/0.8.2"},
        {"version": 1, "interactions": []},
    ],
    ids=["Betamax", "vcrpy"],
)
def test_all_requests_of_a_cassette_are_read(cassette):
    """`betamaxpy/betamax`, tests/cassettes; `kevin1024/vcrpy`, tests/fixtures/migration/new_cassette.json."""
    bodies = [
        "a=1",
        None,
        {"encoding": "utf-8", "string": "a=1"},
        {"base64_string": "YT0x", "encoding": "utf-8"},
    ]
    recorded = [interaction(body) for body in bodies]
    name = next(name for name, member in cassette.items() if member == [])
    exchanges = read_recording(json.dumps(cassette | {name: recorded})).exchanges
    assert [each.request.body for each in exchanges] == [b"a=1", b"", b"a=1", b"a=1"]
    for each in exchanges:
        assert (each.request.method, each.request.url) == ("POST", URL)
        assert each.request.headers.multi_items() == [("X-A", "b"), ("X-A", "c")]
        assert each.response is not None
        assert (each.response.status, each.response.reason, each.response.body) == (429, "Slow", b"no")
        assert each.response.headers["Retry-After"] == "3"
    with pytest.raises(InvalidArgument, match=r"request|a body"):  # without headers
        read_recording(json.dumps(cassette))


def test_a_body_with_interactions_is_no_cassette():
    body = {"headers": {"X-Signature": "00"}, "body": "{}", "interactions": [{"id": 1}]}
    assert request_of({"event": body}).headers["X-Signature"] == "00"


@pytest.mark.parametrize(
    "text",
    [
        "---\nhttp_interactions:\n- request:\n    method: post\n    uri: http://x.example/\n",
        "interactions:\n- request:\n    body: null\n    headers:\n      X-A: [b]\n",
        "version: 1\ninteractions:\n- request:\n    body: null\n",
        "---\nversion: 2\ninteractions:\n    - id: 0\n      request:\n        proto: HTTP/1.1\n",
        "\n-\n    request:\n        method: GET\n        url: 'http://x.example/'\n",
        (
            "http_interactions:\n- request:\n    method: GET\n  response:\n    body:\n"
            '      string: "{\\"headers\\": {\\"X-A\\": \\"b\\"}}"\n'
        ),
    ],
    ids=["VCR", "vcrpy", "vcrpy, version first", "go-vcr", "php-vcr", "vcr of R, of an echo"],
)
def test_a_cassette_in_yaml_is_named(text):
    """`vcr/vcr`, spec/fixtures/cassette_spec; `ropensci/vcr`, tests/testthat/_vcr/integration.yml."""
    with pytest.raises(InvalidArgument, match="cassette in YAML"):
        read_recording(text)


@pytest.mark.parametrize(
    "request_pattern",
    [
        {"method": "POST", "urlPath": "/hook"},
        {"method": "POST", "url": "/hook", "headers": {"X-Signature": {"equalTo": "00"}}},
        {"method": "POST", "url": "/hook", "bodyPatterns": [{"equalToJson": "{}"}]},
    ],
)
@pytest.mark.parametrize("several", [False, True])
def test_a_stub_of_wiremock_is_named(request_pattern, several):
    """wiremock.org, "Stubbing": its patterns are no request, which is in GET /__admin/requests."""
    stub = {"request": request_pattern, "response": {"status": 200}}
    with pytest.raises(InvalidArgument, match="stub of WireMock"):
        read_recording(json.dumps({"mappings": [stub]} if several else stub))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("body", ["", "{}", '{"error": {"code": 429}}'])
def test_a_response_is_named(end, body):
    """RFC 9112, section 4: a response begins with its status."""
    lines = ["HTTP/1.1 429 Too Many Requests", "Content-Type: application/json", "X-Signature: 00"]
    head = end.join(lines)
    for text in (f"{head}{end}{end}{body}", head):
        with pytest.raises(InvalidArgument, match="this is a response"):
            read_recording(text)
    # A request that follows it is read.
    request = request_of(f"{head}{end}{end}POST /hook HTTP/1.1{end}X-Signature: 11{end}{end}")
    assert request.headers["X-Signature"] == "11"


@pytest.mark.parametrize("name", ["status", "statusCode", "status_code"])
def test_an_object_with_a_status_and_no_method_is_rather_a_response(name):
    """axios-http.com, "Response Schema"; `psf/requests` and HTTPX have status_code."""
    response = {name: 429, "headers": {"content-type": "application/json", "retry-after": "30"}, "body": "{}"}
    assert any("rather a response" in note for note in request_of(response).notes)
    recorded = response | {"method": "POST", "url": URL}  # of a log, which has the status, too
    assert not any("response" in note for note in request_of(recorded).notes)
    assert not any("response" in note for note in request_of(response | {name: "paid"}).notes)


def test_a_response_in_a_log_of_curl_is_named():
    with pytest.raises(InvalidArgument, match="this is a response"):
        read_recording("< HTTP/2 429 \n< content-type: application/json\n< retry-after: 30\n")
