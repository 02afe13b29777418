"""Lay out a picture of versions: a lane for each version above a common axis of dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from hook_widgets._plotting.ellipsis import shortened
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning.date_formatting import day, local, zone_name, zone_of
from hook_widgets.versioning.planning.plotting.view_model import legend
from hook_widgets.versioning.planning.plotting.view_model.items import (
    Box,
    Item,
    Line,
    Picture,
    Shape,
    Sign,
    Text,
)
from hook_widgets.versioning.planning.plotting.view_model.lanes import Bar, Lane, lanes
from hook_widgets.versioning.planning.plotting.view_model.outline import outline
from hook_widgets.versioning.planning.plotting.view_model.scale import DateAxis, Tick, Window, days, ticks
from hook_widgets.versioning.planning.plotting.view_model.strip import Strip
from hook_widgets.versioning.planning.plotting.view_model.theme import Theme
from hook_widgets.versioning.release import Status

LEAST_PX: Final = 240
"""The least width of a picture for a screen, in CSS pixels."""

_EDGE_PX: Final = 10.0
_TITLE_PX, _TIME_PX, _LANE_PX, _AXIS_PX, _BOTTOM_PX = 26.0, 22.0, 48.0, 24.0, 8.0
_NAMES_PX, _WIDE_NAMES_PX, _WIDE_PX = 84.0, 124.0, 560.0
_MOST_FOR_NAMES: Final = 0.36
_LARGE_PX, _TEXT_PX, _SMALL_PX = 13.0, 11.0, 10.0
_TICK_EVERY_PX: Final = 44.0
_BETWEEN_PX: Final = 6.0
_HALF_PX: Final = 10.0  # half of the height of a bar
_RAISED_PX: Final = 6.0  # bars leave room for the dates below them
_BESIDE_PX: Final = 5.0
_LEGEND_TOP_PX, _ROW_PX = 6.0, 19.0
_REMOVED_PX, _REMOVED_DASHES = 2.0, (2.0, 4.0)
_HATCHED: Final = frozenset({Status.PREVIEW, Status.DEPRECATED})


def layout(
    api: Api,
    at: datetime,
    colours: Theme,
    width_px: Callable[..., float],
    *,
    width: float,
    height: float | None = None,
    title: bool = True,
) -> Picture:
    """Return the picture of an API at a time.

    Args:
        api: the API.
        at: the time shown.
        colours: the theme.
        width_px: function that measures a text, with the keyword arguments ``bold`` and ``size_px``.
        width: width of the picture, in pixels.
        height: its height; None for the height that the versions need.
        title: whether it has the API's name and the zone of the dates.
    """
    return _Layout(api, at, colours, width_px, width).picture(height, title=title)


@dataclass
class _Layout:
    api: Api
    at: datetime
    colours: Theme
    width_px: Callable[..., float]
    width: float

    def picture(self, height: float | None, *, title: bool) -> Picture:
        rows, zone = lanes(self.api, self.at), zone_of(self.api, self.at)
        right = self.width - _EDGE_PX
        samples = legend.arrange(self.api, _EDGE_PX, right, self._px)
        foot = _AXIS_PX + _LEGEND_TOP_PX + _ROW_PX * (samples[-1].row + 1) + _BOTTOM_PX
        top = _TITLE_PX * title + _TIME_PX
        if height is None:
            height = round(top + _LANE_PX * len(rows) + foot)
        bottom = top + max(height - top - foot, 8.0)
        names = max(_WIDE_NAMES_PX if self.width >= _WIDE_PX else _NAMES_PX, *map(self._standing_px, rows))
        names = min(names, _MOST_FOR_NAMES * self.width)
        left = _EDGE_PX + names + 8
        axis = DateAxis(window=Window.of(self.api, self.at), left=left, width=max(right - left, 1.0))
        marked = ticks(axis.window, zone, max(int(axis.width / _TICK_EVERY_PX), 1))
        lane_px = (bottom - top) / len(rows)
        middles = [top + (k + 0.5) * lane_px for k in range(len(rows))]
        beside: list[Item] = list(self._title(zone_name(zone), right)) if title else []
        beside += self._tick_labels(marked, axis, bottom + 16)
        beside.append(self._time(axis, top - 8, f"as of {day(local(self.at, zone))}"))
        panel = list(self._grid(marked, axis, top, bottom))
        signs: list[Item] = []
        texts: list[Item] = []
        for lane, middle in zip(rows, middles, strict=True):
            y = middle - _RAISED_PX
            beside += self._name(lane, middle, names)
            panel += self._bars(lane, axis, y, texts)
            signs += (
                Sign(axis.px(mark.at), y, mark.step)
                for mark in lane.marks
                if mark.step is not None and axis.shows(mark.at)
            )
            texts += self._dates(lane, axis, y + _HALF_PX + 12)
        x = axis.px(days(self.at))
        now = Line((x, top - 4), (x, bottom), self.colours.text, 1.5, (6.0, 4.0))
        beside += self._legend(samples, bottom + _AXIS_PX + _LEGEND_TOP_PX)
        band = (_EDGE_PX / 2, self.width - _EDGE_PX)
        return Picture(
            width=self.width,
            height=height,
            axis=axis,
            top=top,
            bottom=bottom,
            ground=[Box(band[0], y - lane_px / 2, band[1], lane_px, self.colours.band) for y in middles[::2]],
            panel=[*panel, *texts, *signs, now],
            beside=beside,
        )

    def _px(self, words: str, size_px: float = _TEXT_PX, *, bold: bool = False) -> float:
        return self.width_px(words, bold=bold, size_px=size_px)

    def _standing_px(self, lane: Lane) -> float:
        return self._px(lane.version, _LARGE_PX, bold=True) + _BETWEEN_PX + self._px(lane.status.value) + 2

    def _shortened(self, words: str, room: float, size_px: float, *, bold: bool = False) -> str:
        return shortened(words, room, self.width_px, bold=bold, size_px=size_px)

    def _title(self, zone: str, right: float) -> Iterator[Item]:
        name = self._shortened(self.api.name, right - _EDGE_PX - 80, _LARGE_PX, bold=True)
        yield Text(_EDGE_PX, 18, f"{name}: versions", self.colours.text, _LARGE_PX, bold=True)
        after = _EDGE_PX + self._px(f"{name}: versions", _LARGE_PX, bold=True) + 8
        if after + self._px(more := f"dates in {zone}") <= right:
            yield Text(after, 18, more, self.colours.dim, _TEXT_PX)

    def _tick_labels(self, marked: Sequence[Tick], axis: DateAxis, y: float) -> Iterator[Item]:
        strip = Strip(axis.left - 24, self.width - 2, gap=5)
        for tick in sorted(marked, key=lambda tick: not tick.year):  # years first: they must not be left out
            x = strip.place(axis.px(tick.at), self._px(tick.text, bold=tick.year))
            if x is not None:
                colour = self.colours.text if tick.year else self.colours.dim
                yield Text(x, y, tick.text, colour, _TEXT_PX, bold=tick.year)

    def _grid(self, marked: Sequence[Tick], axis: DateAxis, top: float, bottom: float) -> Iterator[Item]:
        for tick in marked:
            x = axis.px(tick.at)
            yield Line((x, top), (x, bottom), self.colours.line, 1.5 if tick.year else 1.0)
        yield Line((axis.left, bottom), (axis.right, bottom), self.colours.line, 1.5)

    def _time(self, axis: DateAxis, y: float, words: str) -> Text:
        """Return the text above the line of the time shown."""
        wide = self._px(words, bold=True)
        x = max(min(axis.px(days(self.at)) - wide / 2, axis.right - wide), _EDGE_PX)
        return Text(x, y, words, self.colours.text, _TEXT_PX, bold=True)

    def _name(self, lane: Lane, y: float, room: float) -> Iterator[Item]:
        name = self._shortened(lane.version, room, _LARGE_PX, bold=True)
        yield Text(_EDGE_PX, y - 2, name, self.colours.text, _LARGE_PX, bold=True)
        after = self._px(name, _LARGE_PX, bold=True) + _BETWEEN_PX
        if after + self._px(lane.status.value) <= room + 1:
            yield Text(_EDGE_PX + after, y - 2, lane.status.value, self.colours.dim, _TEXT_PX)
        note = self._shortened(lane.note, room, _SMALL_PX)
        yield Text(_EDGE_PX, y + 13, note, self.colours.dim, _SMALL_PX)

    def _bars(self, lane: Lane, axis: DateAxis, y: float, texts: list[Item]) -> Iterator[Item]:
        """Yield the bars of a lane, and add their labels to `texts`.

        A bar is torn if it began before the window, and pointed if it continues after.
        """
        for bar in lane.bars:
            left, right = axis.clipped(bar.begin, bar.end)
            words = "removed, 410" if bar.kind is Status.REMOVED else bar.kind.value
            wide = self._px(words, _SMALL_PX)
            x = self._place_of_label(bar, lane, axis, wide)
            if bar.kind is Status.REMOVED:
                ends = [left, right] if x is None else [left, x - _BESIDE_PX, x + wide + _BESIDE_PX, right]
                for begin, end in zip(ends[::2], ends[1::2], strict=True):
                    if end - begin > 1:
                        yield self._removed(begin, end, y)
            elif right - left >= 0.5:
                torn, pointed = bar.begin < axis.window.begin, bar.end > axis.window.end
                corners = outline(left, right, _HALF_PX, torn=torn, pointed=pointed)
                yield Shape(bar.kind, [(x, y + down) for x, down in corners])
            if x is not None:
                if bar.kind in _HATCHED:  # a plain background, without the hatch
                    yield Box(x - 3, y - 6.5, wide + 6, 13, self.colours.fills[bar.kind])
                texts.append(Text(x, y + 3.6, words, self.colours.text, _SMALL_PX))

    def _removed(self, begin: float, end: float, y: float) -> Line:
        return Line((begin, y), (end, y), self.colours.edges[Status.REMOVED], _REMOVED_PX, _REMOVED_DASHES)

    def _place_of_label(self, bar: Bar, lane: Lane, axis: DateAxis, wide: float) -> float | None:
        """Place the label of a bar in the widest gap between the marks and the line of the time shown."""
        left, right = axis.clipped(bar.begin, bar.end)
        now = axis.px(days(self.at))
        strip = Strip(left + 8, right - 8, gap=3)
        strip.keep_free(now - 1, now + 1)
        marks = [axis.px(mark.at) for mark in lane.marks]
        for x in marks:
            strip.keep_free(x - 6, x + 6)
        inside = [x for x in (*marks, now) if left < x < right]
        gaps = sorted(pairwise(sorted([left, *inside, right])), key=lambda gap: gap[0] - gap[1])
        places = (strip.place((begin + end) / 2, wide) for begin, end in gaps)
        return next((place for place in places if place is not None), None)

    def _dates(self, lane: Lane, axis: DateAxis, y: float) -> Iterator[Item]:
        """Yield the dates below a bar, as far as they fit, the most important ones first."""
        strip = Strip(axis.left + 2, axis.right - 2)
        strip.keep_free(axis.px(days(self.at)), axis.px(days(self.at)), gap=2)
        for mark in lane.marks:
            if axis.shows(mark.at):
                x = strip.place(axis.px(mark.at), self._px(mark.text, _SMALL_PX))
                if x is not None:
                    yield Text(x, y, mark.text, self.colours.dim, _SMALL_PX)

    def _legend(self, samples: Sequence[legend.Sample], top: float) -> Iterator[Item]:
        for entry, row, begin, end in samples:
            y = top + _ROW_PX * (row + 0.5)
            if not isinstance(entry, Status):
                yield Sign((begin + end) / 2, y, entry)
            elif entry is Status.REMOVED:
                yield self._removed(begin, end, y)
            else:
                yield Shape(entry, [(begin, y - 6), (end, y - 6), (end, y + 6), (begin, y + 6)])
            yield Text(end + legend.NAME_PX, y + 4, legend.words(entry), self.colours.dim, _TEXT_PX)
