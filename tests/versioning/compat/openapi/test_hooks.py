from __future__ import annotations

from tests.versioning.compat.openapi.descriptions import NUMBER, OK, TEXT, api, post, rules, summarize
from tests.versioning.compat.openapi.test_endpoints import AT

ORDER = {"type": "object", "properties": {"total": NUMBER}}
MUST = {**ORDER, "required": ["total"]}
URL = "{$request.body#/url}"
WHERE = f"POST /orders, callback paid {URL}, POST"


def called(operation=OK, *, url=URL, name="paid"):
    return post({**OK, "callbacks": {name: {url: {"post": operation}}}})


def hooked(operation=OK, *, name="paid"):
    return api(openapi="3.1.0", webhooks={name: {"post": operation}})


def body(schema=ORDER, *, media="application/json", required=True):
    return {**OK, "requestBody": {"required": required, "content": {media: {"schema": schema}}}}


def test_a_callback_that_is_removed_breaks_and_one_that_is_added_does_not():
    assert [("callback-removed", True, WHERE)] == summarize(called(), post())
    assert [("callback-added", False, WHERE)] == summarize(post(), called())


def test_a_webhook_that_is_removed_breaks_and_one_that_is_added_does_not():
    none = api(openapi="3.1.0")
    assert [("callback-removed", True, "webhook paid, POST")] == summarize(hooked(), none)
    assert [("callback-added", False, "webhook paid, POST")] == summarize(none, hooked())


def test_a_webhook_may_go_when_its_announced_end_has_come():
    ending = {**OK, "deprecated": True, "x-sunset": "2026-06-30"}
    none = api(openapi="3.1.0")
    assert [("endpoint-deprecated", False, "webhook paid, POST")] == summarize(hooked(), hooked(ending))
    assert [("endpoint-removed-after-sunset", False)] == rules(hooked(ending), none, as_of=AT)
    assert [("callback-removed", True)] == rules(hooked(ending), none)


def test_a_callback_to_another_address_is_another_callback():
    changes = rules(called(), called(url="{$request.body#/hook}"))
    assert [("callback-removed", True), ("callback-added", False)] == changes


def test_the_service_writes_the_request_so_what_widens_breaks():
    for form in (called, hooked):
        may, must = form(body(ORDER)), form(body(MUST))
        assert [("property-optional", True)] == rules(must, may)
        assert [("property-required", False)] == rules(may, must)


def test_a_body_that_may_be_missing_breaks_and_one_that_is_always_there_does_not():
    may, must = hooked(body(required=False)), hooked(body())
    assert [("request-body-optional", True)] == rules(must, may)
    assert [("request-body-required", False)] == rules(may, must)
    assert [("required-request-body-added", False)] == rules(hooked(), must)
    assert [("request-body-removed", True)] == rules(must, hooked())


def test_the_receiver_of_a_webhook_cannot_choose_the_media_type():
    old = hooked(body())
    new = hooked(body(media="application/xml"))
    assert [("request-media-type-added", True), ("request-media-type-removed", False)] == rules(old, new)


def test_what_the_service_sends_in_parameters_may_grow_and_not_shrink():
    signed = {**OK, "parameters": [{"name": "X-Signature", "in": "header", "required": True, "schema": TEXT}]}
    may = {**OK, "parameters": [{"name": "X-Signature", "in": "header", "schema": TEXT}]}
    assert [("required-parameter-added", False)] == rules(hooked(), hooked(signed))
    assert [("parameter-removed", True)] == rules(hooked(signed), hooked())
    assert [("parameter-optional", True)] == rules(hooked(signed), hooked(may))
    assert [("parameter-required", False)] == rules(hooked(may), hooked(signed))


def test_a_bare_parameter_in_what_the_service_sends_breaks():
    plain, bare = (
        hooked({**OK, "parameters": [{"name": "flag", "in": "query", "schema": TEXT, **more}]})
        for more in ({}, {"allowEmptyValue": True})
    )
    assert [("empty-value-allowed", True)] == rules(plain, bare)
    assert [("empty-value-rejected", False)] == rules(bare, plain)


def test_the_client_writes_the_answer_so_what_narrows_breaks():
    def answer(schema, **header):
        response = {"description": "", "content": {"application/json": {"schema": schema}}, "headers": header}
        return hooked({"responses": {"200": response}})

    assert [("property-required", True)] == rules(answer(ORDER), answer(MUST))
    assert [("property-optional", False)] == rules(answer(MUST), answer(ORDER))
    answered = answer(ORDER, **{"X-Seen": {"required": True}})
    assert [("required-header-added", True)] == rules(answer(ORDER), answered)
    may = answer(ORDER, **{"X-Seen": {}})
    assert [("header-required", True)] == rules(may, answered)
    assert [("header-optional", False)] == rules(answered, may)


def test_callbacks_that_lead_back_to_their_operation_end():
    endless = {"callbacks": {"paid": {URL: {"$ref": "#/paths/~1orders"}}}}
    old, new = post({**OK, **endless}), post({**OK, **endless, "summary": "All"})
    assert ("documentation-changed", False) in rules(old, new)
    assert [] == rules(old, old | {"x-other": 1})


def test_a_callback_of_a_component_is_followed():
    used = post({**OK, "callbacks": {"paid": {"$ref": "#/components/callbacks/paid"}}})
    used["components"] = {"callbacks": {"paid": {URL: {"post": body(MUST)}}}}
    assert [] == rules(called(body(MUST)), used)
    assert [("property-optional", True, f"{WHERE}, request body, total")] == summarize(
        called(body(MUST)), called(body())
    )
