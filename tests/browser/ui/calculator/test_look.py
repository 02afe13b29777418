"""The calculator's look, names and keys: axe, widths, themes, tabs by keyboard, shadow roots."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, expect

from hook_widgets.ratelimit.limiters.algorithm import WAITING_LABEL, LimitAlgorithm
from hook_widgets.ratelimit.planning.inputs import ScenarioInputs, inputs_of
from hook_widgets.ratelimit.traffic.workload import TrafficPattern
from tests.browser.ui.calculator.page import Calculator, CalculatorHost, OpenCalculator
from tests.browser.ui.fake_host import LOOKS

_LONG = "a-very-long-name-of-a-limit-" * 6


def test_axe_finds_nothing_in_any_tab_and_look(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.root.get_by_text("What each input means").click()
    results = page.violations_in_every_look(widget)

    assert {} == {where: violations for where, violations in results.items() if violations}
    assert len(LOOKS) * len(widget.tabs) == len(results)


@pytest.mark.long
@pytest.mark.parametrize("state", ["error", "compare", "limits", "locked", "static", "first error"])
def test_axe_finds_nothing_in_the_rarer_states(calculators: OpenCalculator, state: str):
    page = calculators()
    traits: dict[str, object] = {}
    if state == "limits":
        traits = {"limits": [["hourly", "5000/hour"], ["reads", "900/min"]]}
    if state == "locked":
        traits = {"locked": ["preset", "limits", "cushion", "seed", "compare"]}
    if state == "first error":
        traits = {"seed": "x"}
    widget = page.mount(traits=traits, kernel=state != "static")
    if state not in ("static", "first error"):
        widget.wait_until_fresh()
    if state == "error":
        widget.field("Cushion below the limit").fill("x")
        expect(widget.picture).to_have_css("opacity", "0.7")
    if state == "first error":
        expect(widget.field("Seed")).to_have_attribute("aria-invalid", "true")
    if state == "compare":
        widget.compare.click()
        widget.wait_until_fresh()
        widget.tab("Table").click()

    results = []
    for theme in ("light", "dark"):
        page.look(theme, widget.root)
        if state not in ("static", "error", "first error"):
            widget.wait_until_fresh()
        # What is stale is dimmed on purpose: its contrast is not that of text to be read.
        results += [
            f"{theme}: {each}"
            for each in page.violations(widget.root)
            if state != "error" or "color-contrast" not in each
        ]
    assert [] == results


@pytest.mark.long
def test_the_name_of_a_limit_and_its_slider_do_not_overlap_at_any_width(calculators: OpenCalculator):
    page = calculators(width=360)
    widget = page.shown(traits={"limits": [["hourly", "100000/hour"], ["b", "900/min"]]})
    for width in (360, 800, 1400):
        page.widen(width)
        name = widget.field("Name of limit 1").bounding_box()
        slider = widget.slider("Rate of hourly").bounding_box()

        assert name is not None
        assert slider is not None
        beside = name["x"] + name["width"] <= slider["x"]
        assert beside or name["y"] + name["height"] <= slider["y"], width


def test_a_closed_select_shows_the_whole_name_at_any_width(calculators: OpenCalculator):
    page = calculators(width=320)
    widget = page.shown()
    names = {
        "Algorithm": [*(each.label for each in LimitAlgorithm), WAITING_LABEL, "Not known: all five"],
        "Traffic pattern": [each.value for each in TrafficPattern],
    }
    cut = {}
    for width in (320, 360, 480, 600, 640, 700, 768, 800, 900, 1000, 1100, 1440, 1920):
        page.widen(width)
        for label, titles in names.items():
            if lacking := widget.lacking(label, titles):
                cut[width, label] = lacking

    assert {} == cut


def test_nothing_sticks_out_at_any_width(calculators: OpenCalculator):
    page = calculators(width=360)
    limits = [[_LONG, "100000/hour"], ["b", "900/min"]]
    widget = page.shown(traits={"limits": limits, "compare": True})
    results = page.sticks_out(widget, (360, 640, 800, 1400))

    assert {} == {where: sticking for where, sticking in results.items() if sticking}


def top_of(widget: Calculator, region: str) -> float:
    box = widget.root.get_by_role("region", name=region, exact=True).bounding_box()
    assert box is not None
    return box["y"]


def test_narrow_is_one_column_with_the_picture_first(calculators: OpenCalculator):
    page = calculators(width=1100)
    widget = page.shown()
    assert top_of(widget, "Inputs") == top_of(widget, "Result")
    page.page.set_viewport_size({"width": 500, "height": 900})

    tops = [top_of(widget, name) for name in ("Result", "What it means", "Inputs", "Tables and code")]
    assert sorted(tops) == tops


def test_in_one_column_keys_go_from_the_result_to_the_inputs_and_links_both_ways(
    calculators: OpenCalculator,
):
    page = calculators(width=360)
    widget = page.shown()
    result, inputs = (widget.root.get_by_role("region", name=name) for name in ("Result", "Inputs"))
    widget.button("Go to inputs").press("Tab")
    expect(result.locator(":focus")).to_have_count(1)

    widget.button("Go to inputs").click()
    expect(inputs).to_be_focused()
    widget.button("Go to result").click()
    expect(result).to_be_focused()
    expect(result).to_be_in_viewport()


def test_what_two_views_show_is_announced_once_in_the_one_with_the_focus(calculators: OpenCalculator):
    page = calculators()
    page.mount(views=2)
    first, second = (Calculator(page.page.locator(".hw").nth(n)) for n in range(2))
    first.wait_until_fresh()
    page.page.evaluate(
        """() => {
            window.announced = [];
            document.querySelectorAll('.hw').forEach((view, n) => {
                const region = view.querySelector('[role=status]');
                const note = () => region.textContent && announced.push([n, region.textContent]);
                const all = { childList: true, subtree: true, characterData: true };
                new MutationObserver(note).observe(region, all);
            });
        }"""
    )
    for at, (view, text) in enumerate(((first, "1"), (second, "2000"))):
        view.enter("Burst", text)
        page.page.wait_for_function(f"announced.some(([n]) => n === {at})")

    # a view is told 0.7 s after a change: the other one has had the same time by then
    said = [n for n, _ in page.page.evaluate("announced")]
    assert [0, 1] == said


@pytest.mark.long
def test_every_target_is_large_enough(calculators: OpenCalculator):
    widget = calculators(width=360).shown(traits={"limits": [["a", "10/s"], ["b", "20/s"]]})
    small = widget.root.locator("button, input, select, summary").evaluate_all(
        """all => all.filter(el => el.checkVisibility()).flatMap(el => {
            const { width, height } = el.getBoundingClientRect();
            return width < 24 || height < 24 ? [`${el.tagName} ${el.id} ${width} ${height}`] : [];
        })"""
    )

    assert [] == small


def test_the_tabs_go_by_arrow_keys(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    widget.tab("Table").focus()
    seen = []
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"):
        page.page.keyboard.press(key)
        seen.append(widget.root.locator("[role=tab][aria-selected=true]").inner_text())
        expect(widget.root.locator("[role=tab]:focus")).to_have_text(seen[-1])

    assert ["All numbers", "Response headers", "Formulas", "Table", "Formulas", "Table"] == seen


def test_the_tables_have_captions_and_headings(calculators: OpenCalculator):
    widget = calculators().shown()
    widget.tab("Table").click()
    table = widget.root.get_by_role("table", name="What the picture shows")
    expect(table.get_by_role("columnheader")).to_have_text(["What", "Value"])
    expect(table.get_by_role("row", name="Rejected (429) 120")).to_be_visible()
    widget.tab("Response headers").click()

    expect(widget.panel()).to_contain_text("429 Too Many Requests")
    expect(widget.panel().get_by_role("row", name="Retry-After 4")).to_be_visible()


@pytest.mark.long
def test_a_plain_key_on_a_slider_stays_in_the_widget(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    page.page.evaluate("window.heard = []; addEventListener('keydown', event => heard.push(event.key))")
    slider = widget.slider("Burst")
    slider.press("ArrowLeft")
    slider.press("ArrowUp")

    expect(slider).to_have_attribute("data-lm-suppress-shortcuts", "true")
    assert [] == page.page.evaluate("heard")


def test_a_held_key_asks_for_quick_pictures_until_it_comes_up(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(traits={"steady": "1/s"})
    widget.slider("Steady traffic").focus()
    before = len(page.asked("frame"))
    for _ in range(10):
        page.page.keyboard.down("ArrowRight")
    assert {True} == {frame["quick"] for frame in page.asked("frame")[before:]}
    page.page.keyboard.up("ArrowRight")
    widget.wait_until_fresh()

    assert [{"steady": "11/s"}] == page.updates()


@pytest.mark.long
def test_the_help_of_an_input_is_there_for_everybody(calculators: OpenCalculator):
    widget = calculators().shown()
    capacity = widget.field("Bucket capacity")
    expect(capacity).to_have_accessible_description("How many requests may go at once after a pause.")
    widget.root.get_by_text("What each input means").click()

    expect(widget.root.get_by_role("definition").filter(has_text="after a pause")).to_be_visible()


@pytest.mark.long
def test_the_widget_works_in_a_shadow_root(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown(shadow=True)
    widget.slider("Burst").press("Home")
    widget.wait_until_fresh()

    assert "10px" == widget.root.evaluate("element => getComputedStyle(element).borderRadius")
    assert [] == page.violations(widget.root)
    assert "1" == page.trait("burst")


def picture_of_theme(page: CalculatorHost) -> str:
    return str(page.asked("frame")[-1]["theme"])


def test_the_picture_has_the_theme_of_the_page(calculators: OpenCalculator):
    page = calculators(color_scheme="dark")
    page.page.evaluate("delete document.body.dataset.jpThemeLight")
    widget = page.shown()

    expect(widget.root).to_have_attribute("data-theme", "dark")
    assert "dark" == picture_of_theme(page)


@pytest.mark.long
def test_the_values_of_the_picture_are_saved(calculators: OpenCalculator):
    page = calculators()
    widget = page.shown()
    with page.page.expect_download() as download:
        widget.button("Save CSV").click()

    assert "rate-limit.csv" == download.value.suggested_filename


@pytest.mark.long
def test_tabs_have_the_whole_width_below_inputs_and_picture(calculators: OpenCalculator):
    page = calculators(width=1440)
    widget = page.shown()
    wide, inputs = (box_of(widget, name) for name in ("Tables and code", "Inputs"))

    assert wide["width"] > 3 * inputs["width"]
    assert inputs["y"] + inputs["height"] == pytest.approx(wide["y"], abs=2)


def box_of(widget: Calculator, region: str) -> FloatRect:
    box = widget.root.get_by_role("region", name=region).first.bounding_box()
    assert box is not None
    return box


def test_no_label_of_an_input_wraps_in_a_window_of_1440_pixels(calculators: OpenCalculator):
    """JupyterLab leaves about 1,000 pixels of 1440."""
    page = calculators(width=1440)
    label = page.shown().root.locator(".hw-control > label").first
    labels = [entry.label for entry in inputs_of(ScenarioInputs).values()]
    for width in (950, 1000, 1064, 1280, 1300, 1440):
        page.widen(width)
        heights = {
            text: label.evaluate(
                "(label, text) => { label.textContent = text; return label.offsetHeight; }", text
            )
            for text in ("x", *labels)
        }
        assert {heights["x"]} == set(heights.values()), (width, heights)


@pytest.mark.long
def test_code_is_copied(calculators: OpenCalculator):
    page = calculators()
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    widget = page.shown()
    widget.tab("Use it").click()
    widget.button("Copy Throttle calls").click()

    expect(widget.panel()).to_contain_text("Copied")
    assert "limiter = AsyncLimiter(9, 1.125)\n" == page.page.evaluate("navigator.clipboard.readText()")


def test_a_server_is_chosen_and_its_configuration_copied(calculators: OpenCalculator):
    page = calculators()
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    widget = page.shown()
    widget.tab("Use it").click()
    target = widget.panel().get_by_label("Server or library")

    expect(target).to_have_value("nginx")
    expect(widget.panel()).to_contain_text(
        "Differs from the simulation (1)Times are whole milliseconds: 1 ms"
    )
    widget.button("Copy the configuration").click()
    expect(widget.panel()).to_contain_text("Copied")
    copied = page.page.evaluate("navigator.clipboard.readText()")
    target.select_option("traefik")
    expect(widget.panel()).to_contain_text("let the limit apply to each IP address")
    expect(widget.button("Copy the configuration")).to_have_count(0)
    target.select_option("governor")
    expect(widget.panel()).to_contain_text("RateLimiter::direct(quota)")
    expect(widget.panel()).to_contain_text("Decides exactly as the simulation.")

    assert "limit_req zone=limit1 burst=299 nodelay;\n" == copied


@pytest.mark.long
def test_a_time_in_the_table_stays_on_one_line_in_a_narrow_widget(calculators: OpenCalculator):
    widget = calculators(width=360).shown()
    widget.tab("Table").click()
    first = widget.root.locator(".hw-facts-table tbody th").first
    one_line = first.bounding_box()
    first.evaluate("element => { element.textContent = '1 h 15 min'; }")
    box = first.bounding_box()

    assert one_line
    assert box
    assert one_line["height"] == box["height"]


def test_a_number_stays_whole_between_the_side_bars_of_a_phone(calculators: OpenCalculator):
    """JupyterLab leaves 220 pixels of 360."""
    widget = calculators(width=220).shown()
    value = widget.root.locator(".hw-cards dt + dd").first
    heights = []
    for text in ("8", "28.3/min"):
        value.evaluate("(element, text) => { element.textContent = text; }", text)
        box = value.bounding_box()
        heights.append(box and box["height"])

    assert heights[0] == heights[1]
