"""The overlay that comes with a full frame: described, small, and only for a part that can be drawn."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from hook_widgets.widgets.calculator.overlay import part_of
from hook_widgets.widgets.calculator.widget import RateLimitCalculator
from tests.widgets.fake_tab import FakeTab

VIEW = {"width": 400, "height": 300, "dpr": 1, "theme": "light", "quick": False, "scales": ""}
_LARGEST_BYTES = 16_384  # of the values of one picture at 1,280 px


def asked(tab: FakeTab, **args: Any) -> tuple[dict[str, Any], list[bytes]]:
    """Return a frame and its buffers."""
    value = tab.ask("frame", **VIEW | args)["value"]
    return value, list(tab.replies.values())[-1][1]


@pytest.fixture
def tab() -> FakeTab:
    return FakeTab(RateLimitCalculator("10/s", burst_allowance=30, burst=40, duration_s=20))


def test_a_full_frame_has_an_overlay_and_a_quick_one_has_none(tab: FakeTab):
    value, buffers = asked(tab)
    counts = [series["count"] for lane in value["overlay"]["lanes"] for series in lane["series"]]

    assert (0, 20, False) == tuple(value["overlay"][name] for name in ("begin", "end", "part"))
    assert sum(counts) == len(struct.unpack(f"<{sum(counts)}f", buffers[1]))
    quick, only = asked(tab, quick=True)
    assert "overlay" not in quick
    assert 1 == len(only), "the slider sends no more than before"


def test_the_values_are_few_even_of_a_large_picture(tab: FakeTab):
    _, buffers = asked(tab, width=1280)

    assert len(buffers[1]) < _LARGEST_BYTES


def test_a_part_is_drawn_and_said(tab: FakeTab):
    value, _ = asked(tab, part=[9, 12.5])
    quick, _ = asked(tab, part=[9, 12.5], quick=True)
    beyond, _ = asked(tab, part=[90, 125])

    assert (9, 12.5, True) == tuple(value["overlay"][name] for name in ("begin", "end", "part"))
    assert quick["picture"]["quick"]
    assert (0, 20, False) == tuple(beyond["overlay"][name] for name in ("begin", "end", "part"))


@pytest.mark.parametrize(
    "part",
    [None, "x", [], [1], [1, 2, 3], [2, 1], [1, 1], [-1, 2], [True, 2], ["1", 2], [0, 1e300],
     [0, float("nan")], [float("inf"), 1], [0, 10**400], {"begin": 1}],
)  # fmt: skip
def test_an_invalid_part_is_ignored(part: Any):
    assert part_of({"part": part}) is None


def test_a_light_picture_has_no_overlay():
    widget = RateLimitCalculator("10/s", steady="5/s")
    widget._frames._light = True
    value, buffers = asked(FakeTab(widget), part=[1, 2])

    assert (False, 1) == ("overlay" in value, len(buffers))
