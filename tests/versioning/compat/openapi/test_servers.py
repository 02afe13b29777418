from __future__ import annotations

import pytest

from tests.versioning.compat.openapi.descriptions import OK, api, changes_of, get, rules, summarize


def served(*urls, **variables):
    return get(servers=[{"url": url, "variables": variables} for url in urls])


def test_a_removed_server_breaks_and_an_added_one_does_not():
    two, one = served("https://a.example/v1", "https://b.example/v1"), served("https://a.example/v1")
    assert [("server-removed", True, "")] == summarize(two, one)
    assert [("server-added", False, "")] == summarize(one, two)


@pytest.mark.parametrize(
    "url",
    ["https://A.example/v1", "HTTPS://a.example/v1/", "https://a.example/v1//", "https://a.example:443/v1"],
)
def test_an_address_may_be_written_in_another_way(url):
    assert [] == rules(served("https://a.example/v1"), served(url))


@pytest.mark.parametrize("url", ["https://a.example/v1", "http://a.example/v1", "//A.example/v1/"])
def test_an_address_without_a_scheme_is_the_same_with_one(url):
    assert [] == rules(served("//a.example/v1"), served(url))
    assert [] == rules(served(url), served("//a.example/v1"))
    assert ("server-removed", True) in rules(served("//b.example/v1"), served(url))


def test_another_port_is_another_address():
    assert ("server-removed", True) in rules(served("https://a.example"), served("https://a.example:8443"))
    assert ("server-removed", True) in rules(served("https://a.example"), served("https://a.example:80"))


def test_the_letters_of_a_path_count():
    assert ("server-removed", True) in rules(served("https://a.example/v1"), served("https://a.example/V1"))


def test_to_name_servers_for_the_first_time_breaks_nobody():
    assert [("server-added", False)] == rules(get(), served("https://a.example"))


def test_a_value_that_a_variable_loses_is_an_address_that_is_gone():
    both = served("https://{area}.example", area={"enum": ["eu", "us"], "default": "eu"})
    one = served("https://{region}.example", region={"enum": ["eu"], "default": "eu"})
    assert [("server-removed", True)] == rules(both, one)
    assert [("server-added", False)] == rules(one, both)
    assert [] == rules(one, served("https://eu.example"))


@pytest.mark.parametrize("values", [{}, {"enum": ["eu", "us"]}])
def test_another_default_of_a_variable_is_reported_and_its_addresses_stay(values):
    # pb33f/libopenapi, what-changed/model/breaking_rules.go, ServerVariable: a change of the default is one
    old, new = (served("https://{area}.example", area={**values, "default": area}) for area in ("eu", "us"))
    assert [("default-changed", False)] == rules(old, new)
    assert [] == rules(old, old)


def test_an_open_variable_may_have_another_name():
    old = served("https://{shop}.example", shop={"default": "a"})
    assert [] == rules(old, served("https://{store}.example", store={"default": "a"}))


def test_a_template_with_too_many_addresses_is_compared_as_it_is_written():
    names = {f"v{index}": {"enum": ["a", "b"], "default": "a"} for index in range(9)}
    url = "https://" + ".".join(f"{{{name}}}" for name in names)
    assert [] == rules(served(url, **names), served(url, **names))
    assert ("server-removed", True) in rules(served(url, **names), served(url + ".example", **names))
    changes = changes_of(served(url, **names), served(url, **{**names, "v3": {"enum": ["a"]}}))
    assert ["server-removed", "server-added"] == [change.rule for change in changes][:2]
    assert len(changes[0].detail) < 100


def test_an_operation_or_path_with_servers_of_its_own_is_reported_by_itself():
    here = [{"url": "https://a.example"}]
    api_wide = get(servers=here)
    own = get({**OK, "servers": [{"url": "https://b.example"}]}, servers=here)
    assert [("server-removed", True, "GET /orders"), ("server-added", False, "GET /orders")] == summarize(
        api_wide, own
    )
    same = api({"/orders": {"get": OK, "servers": here}}, servers=here)
    assert [] == rules(api_wide, same)


def test_what_is_said_about_a_server_is_documentation():
    old = get(servers=[{"url": "https://a.example"}])
    new = get(servers=[{"url": "https://a.example", "description": "Production"}])
    assert [("documentation-changed", False)] == rules(old, new)
