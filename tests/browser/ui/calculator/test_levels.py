"""Limits for each user, IP address or endpoint: the select beside a limit and the inputs that it needs."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.ui.calculator.page import OpenCalculator


def test_a_limit_applies_to_all_requests_until_a_level_is_chosen(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    level = widget.field("Applies to")

    expect(level).to_have_value("")
    expect(widget.field("Users")).to_have_count(0)
    level.select_option("each user")
    widget.wait_until_fresh()

    assert [["hourly", "100000/hour per user"]] == page.trait("limits")
    expect(widget.field("Rate limit")).to_have_value("100000/hour")
    expect(widget.field("Users")).to_be_visible()
    expect(widget.field("Share of the busiest")).to_be_visible()
    expect(widget.field("IP addresses")).to_have_count(0)

    level.select_option("all requests")
    widget.wait_until_fresh()
    assert [["hourly", "100000/hour"]] == page.trait("limits")
    expect(widget.field("Users")).to_have_count(0)


@pytest.mark.long
def test_the_rate_and_its_slider_keep_the_level(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.field("Applies to").select_option("each IP")
    widget.field("Rate limit").fill("500/hour")
    widget.field("Rate limit").press("Enter")
    widget.wait_until_fresh()
    assert [["hourly", "500/hour per ip"]] == page.trait("limits")

    widget.slider("Rate limit").press("ArrowRight")
    widget.wait_until_fresh()
    assert [["hourly", "1000/hour per ip"]] == page.trait("limits")


def test_a_level_that_is_typed_is_chosen(calculators: OpenCalculator):
    widget = calculators().shown()
    widget.field("Rate limit").fill("100/min per user")

    expect(widget.field("Rate limit")).to_have_value("100/min")
    expect(widget.field("Applies to")).to_have_value("user")


@pytest.mark.long
def test_each_of_several_limits_has_its_level(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.button("Add a limit").click()
    widget.root.get_by_label("Rate of limit 2").fill("5/s")
    widget.root.get_by_label("Applies to (limit 2)").select_option("each endpoint")
    widget.wait_until_fresh()

    assert [["hourly", "100000/hour"], ["", "5/s per endpoint"]] == page.trait("limits")
    expect(widget.root.get_by_label("Applies to (hourly)")).to_have_value("")


@pytest.mark.long
def test_a_number_that_is_set_stays_in_sight_without_its_limit(calculators: OpenCalculator):
    widget = calculators().shown()
    widget.field("Applies to").select_option("each user")
    widget.field("Users").fill("12")
    widget.field("Applies to").select_option("all requests")

    expect(widget.field("Users")).to_have_value("12")
