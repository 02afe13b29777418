from __future__ import annotations

import pytest

from hook_widgets.errors import InvalidDocument
from tests.versioning.compat.openapi.descriptions import OK, api, changes_of, get, rules, summarize

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
BEARER = {"type": "http", "scheme": "bearer"}
HERE = "GET /orders"


def secured(*requirements, schemes=None, **more):
    """Return a document whose only operation has these security requirements."""
    definitions = {"key": KEY, "bearer": BEARER, "oauth": oauth()} if schemes is None else schemes
    return get({**OK, "security": list(requirements)}, components={"securitySchemes": definitions}, **more)


def oauth(**flows):
    flow = {"tokenUrl": "https://id.example/token", "scopes": {"read": "", "write": ""}}
    return {"type": "oauth2", "flows": flows or {"clientCredentials": flow}}


def with_oauth(scheme):
    return secured({"oauth": []}, schemes={"oauth": scheme})


def test_another_scheme_instead_of_the_known_one_breaks():
    old, new = secured({"key": []}), secured({"bearer": []})
    assert ("authentication-changed", True, HERE) in summarize(old, new)
    assert "key was enough; now bearer is needed." == changes_of(old, new)[0].detail


def test_the_name_of_a_scheme_may_begin_with_x():
    old, new = (secured({"x-key": []}, schemes={"x-key": scheme}) for scheme in (KEY, BEARER))
    assert ("authentication-changed", True, HERE) in summarize(
        secured({"bearer": []}), secured({"x-key": []}, schemes={"bearer": BEARER, "x-key": KEY})
    )
    assert [] != rules(old, new)


def test_an_alternative_that_is_added_breaks_nobody_and_one_that_is_removed_breaks():
    one, two = secured({"key": []}), secured({"key": []}, {"bearer": []})
    assert [("authentication-added", False, HERE)] == summarize(one, two)
    assert [("authentication-removed", True, HERE)] == summarize(two, one)


def test_a_second_scheme_that_is_needed_beside_the_known_one_breaks_and_back_it_does_not():
    one, both = secured({"key": []}), secured({"key": [], "bearer": []})
    assert ("authentication-changed", True) in rules(one, both)
    assert not any(breaking for _, breaking in rules(both, one))


@pytest.mark.parametrize("anonymous", [[], [{}]])
def test_credentials_that_are_newly_needed_break_and_back_they_do_not(anonymous):
    assert [("authentication-required", True, HERE)] == summarize(secured(*anonymous), secured({"key": []}))
    assert [("authentication-optional", False, HERE)] == summarize(secured({"key": []}), secured(*anonymous))


def test_credentials_that_were_optional_and_become_needed_break():
    old, new = secured({}, {"key": []}), secured({"key": []})
    assert [("authentication-required", True, HERE)] == summarize(old, new)
    assert [("authentication-optional", False, HERE)] == summarize(new, old)


def test_a_scope_that_is_newly_needed_breaks_and_back_it_does_not():
    less, more = secured({"oauth": ["read"]}), secured({"oauth": ["read", "write"]})
    assert [("scope-required", True, HERE)] == summarize(less, more)
    assert "oauth needs the scope write now." == changes_of(less, more)[0].detail
    assert [("scope-not-required", False, HERE)] == summarize(more, less)


def test_a_scheme_that_is_gone_and_still_required_is_reported():
    old, new = secured({"key": []}), secured({"key": []}, schemes={})
    assert [("component-changed", False, "security scheme key")] == summarize(old, new)[:1]


def test_the_order_of_scopes_and_alternatives_does_not_count():
    old = secured({"oauth": ["read", "write"]}, {"key": []})
    assert [] == rules(old, secured({"key": []}, {"oauth": ["write", "read"]}))


def test_security_of_the_document_counts_for_operations_without_their_own():
    schemes = {"securitySchemes": {"key": KEY}}
    api_wide = get(components=schemes, security=[{"key": []}])
    own = secured({"key": []}, schemes={"key": KEY})
    assert [] == rules(api_wide, own)
    assert [("authentication-required", True, HERE)] == summarize(get(components=schemes), api_wide)
    opened = get({**OK, "security": []}, components=schemes, security=[{"key": []}])
    assert [("authentication-optional", False, HERE)] == summarize(api_wide, opened)


def test_a_scheme_with_another_name_is_the_same():
    old = secured({"key": []}, schemes={"key": KEY})
    assert [] == rules(old, secured({"apiKey": []}, schemes={"apiKey": dict(KEY)}))


def test_a_scheme_whose_name_has_another_case_is_compared():
    old, new = (
        secured({name: []}, schemes={name: {**KEY, "name": header}})
        for name, header in (("apiKey", "X-Key"), ("APIKey", "X-Token"))
    )
    assert [("authentication-changed", True, "security scheme APIKey")] == summarize(old, new)


def test_schemes_whose_names_differ_in_case_only_are_two():
    both = {"key": KEY, "Key": BEARER}
    old, new = (secured({name: []}, schemes=both) for name in both)
    assert [("authentication-changed", True, HERE)] == summarize(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (KEY, {**KEY, "in": "query"}),
        (KEY, {**KEY, "name": "X-Token"}),
        (KEY, BEARER),
        (BEARER, {"type": "http", "scheme": "basic"}),
        ({"type": "openIdConnect", "openIdConnectUrl": "https://a.example"}, {"type": "openIdConnect"}),
    ],
)
def test_a_scheme_that_sends_credentials_otherwise_breaks_and_is_reported_once(old, new):
    documents = [
        api(
            {path: {"get": {**OK, "security": [{"it": []}]}} for path in ("/a", "/b")},
            components={"securitySchemes": {"it": scheme}},
        )
        for scheme in (old, new)
    ]
    for changes in (summarize(*documents), summarize(*reversed(documents))):
        assert {("authentication-changed", True, "security scheme it")} == set(changes)


@pytest.mark.parametrize(
    ("old", "new"), [(KEY, {**KEY, "name": "x-key"}), (BEARER, {**BEARER, "scheme": "Bearer"})]
)
def test_headers_and_http_schemes_are_case_insensitive(old, new):
    assert [] == rules(*(secured({"it": []}, schemes={"it": scheme}) for scheme in (old, new)))


def test_the_form_of_a_token_is_documentation():
    jwt = {**BEARER, "bearerFormat": "JWT"}
    changes = rules(*(secured({"it": []}, schemes={"it": scheme}) for scheme in (BEARER, jwt)))
    assert [("documentation-changed", False)] == changes


def test_a_flow_that_is_removed_breaks_and_one_that_is_added_does_not():
    flow = {"authorizationUrl": "https://id.example/ask", "scopes": {}}
    one, two = with_oauth(oauth(implicit=flow)), with_oauth(oauth(implicit=flow, password=flow))
    where = "security scheme oauth, flow password"
    assert [("authentication-added", False, where)] == summarize(one, two)
    assert [("authentication-removed", True, where)] == summarize(two, one)


@pytest.mark.parametrize("url", ["tokenUrl", "refreshUrl"])
def test_another_address_for_tokens_breaks(url):
    # refreshUrl: OpenAPITools/openapi-diff, core/src/test/resources/bc_oauthflow_refresh_url_changed.yaml
    old, new = (
        with_oauth(oauth(clientCredentials={"scopes": {}, url: address}))
        for address in ("https://a", "https://b")
    )
    where = "security scheme oauth, flow clientCredentials"
    assert [("authentication-changed", True, where)] == summarize(old, new)


def test_an_address_for_refreshing_tokens_that_is_newly_named_breaks_nobody():
    old, new = (
        with_oauth(oauth(clientCredentials={"tokenUrl": "https://a", "scopes": {}, **more}))
        for more in ({}, {"refreshUrl": "https://b"})
    )
    assert [] == summarize(old, new)
    assert [True] == [breaking for _, breaking, _ in summarize(new, old)]


def test_a_scope_that_is_gone_from_a_scheme_breaks_and_a_new_one_does_not():
    one, two = (
        with_oauth(oauth(clientCredentials={"tokenUrl": "https://a", "scopes": scopes}))
        for scopes in ({"read": ""}, {"read": "", "write": ""})
    )
    where = "security scheme oauth, flow clientCredentials"
    assert [("scope-removed", True, where)] == summarize(two, one)
    assert [("scope-added", False, where)] == summarize(one, two)


def test_a_scheme_that_comes_or_goes_with_its_use_is_reported_where_it_is_used():
    one = secured({"key": []}, schemes={"key": KEY})
    two = secured({"key": []}, {"bearer": []}, schemes={"key": KEY, "bearer": BEARER})
    assert [("authentication-added", False, HERE)] == summarize(one, two)
    assert [("authentication-removed", True, HERE)] == summarize(two, one)


def test_a_scheme_that_no_operation_uses_breaks_nobody():
    none = secured({"key": []}, schemes={"key": KEY})
    old, new = (secured({"key": []}, schemes={"key": KEY, "spare": scheme}) for scheme in (oauth(), BEARER))
    for pair in ((old, new), (none, old), (old, none)):
        assert [("component-changed", False, "security scheme spare")] == summarize(*pair)


@pytest.mark.parametrize("security", ["key", {"key": []}, ["key"], [{"key": "read"}], [{"key": [1]}]])
def test_security_of_the_wrong_form_is_rejected_with_its_place(security):
    with pytest.raises(InvalidDocument, match="the new document, /paths/~1orders/get/security"):
        changes_of(get(), get({**OK, "security": security}))


def test_a_further_scheme_beside_the_known_one_is_no_further_way_in():
    old, new = secured({"key": []}), secured({"key": [], "bearer": []})

    assert [("authentication-changed", True, HERE)] == summarize(old, new)


def test_the_name_of_a_header_is_reported_as_it_is_written():
    old = secured({"key": []}, schemes={"key": KEY})
    new = secured({"key": []}, schemes={"key": {**KEY, "name": "X-Api-Key"}})

    assert "name was X-Key and is X-Api-Key now." == changes_of(old, new)[0].detail


def test_what_replaces_the_known_way_in_is_reported_once():
    old = secured({"key": []})
    assert [("authentication-changed", True, HERE)] == summarize(old, secured({"bearer": []}))
    further = {("authentication-added", False, HERE), ("scope-required", True, HERE)}
    assert further <= set(
        summarize(secured({"oauth": ["read"]}), secured({"oauth": ["read", "write"]}, {"key": []}))
    )


@pytest.mark.parametrize("new", [BEARER, oauth()])
def test_a_scheme_of_another_type_is_reported_once(new):
    old = secured({"key": []}, schemes={"key": KEY})
    changes = summarize(old, secured({"key": []}, schemes={"key": new}))
    assert [("authentication-changed", True, "security scheme key")] == changes
