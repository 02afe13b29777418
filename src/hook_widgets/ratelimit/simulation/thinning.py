"""Count requests and thin the level of a limit while walking through a stream, in columns of equal width."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

_NONE: Final = 2**63 - 1  # more than can be used
_FIRST, _LOWEST, _HIGHEST, _LAST = range(4)


class Charge(NamedTuple):
    """A charge to a limit: number of the request, its time, and what is used before and after it."""

    number: int
    time: int
    before: int
    after: int


@dataclass(slots=True)
class Column:
    """The requests of one column.

    Attributes:
        counts: number of admitted requests, then of those rejected by each layer.
        charges: by layer, the first, the one with least and that with most used, and the last charge.
    """

    counts: list[int]
    charges: dict[int, list[Charge]] = field(default_factory=dict)

    def merge(self, later: Column) -> None:
        """Add the requests of a later column. Of equal extremes the earlier one is kept."""
        self.counts = [a + b for a, b in zip(self.counts, later.counts, strict=True)]
        for k, theirs in later.charges.items():
            if k not in self.charges:
                self.charges[k] = theirs
                continue
            ours = self.charges[k]
            ours[_LAST] = theirs[_LAST]
            if theirs[_LOWEST].before < ours[_LOWEST].before:
                ours[_LOWEST] = theirs[_LOWEST]
            if theirs[_HIGHEST].after > ours[_HIGHEST].after:
                ours[_HIGHEST] = theirs[_HIGHEST]


class Columns:
    """At most `most` columns, whose width is doubled as time goes on: the same for any division into chunks.

    Attributes:
        first: time of the first request, at which the first column begins.
        columns: the columns with requests, by index.
    """

    def __init__(self, most: int, layers: int, first: int) -> None:
        self.first: int = first
        self.columns: dict[int, Column] = {}
        self._most, self._layers, self._shift = most, layers, 0

    @property
    def width(self) -> int:
        """Width of a column, in ticks."""
        return 1 << self._shift

    def add(self, times: Any, rejected_by: Any, charges: dict[int, tuple[Any, Any]], begin: int) -> None:
        """Add requests that are not empty.

        Args:
            times: their times, in an array.
            rejected_by: the index of the layer that rejected each, -1 if none did.
            charges: by layer, by how much each charge raises what is used, a number or an array, and what is
                used afterwards, -1 for requests that were not charged.
            begin: index of the first request in the stream.
        """
        import numpy

        self._widen(int(times[-1]))
        low, index = 0, int(times[0] - self.first) >> self._shift
        last = int(times[-1] - self.first) >> self._shift
        befores = {k: _before(step, after) for k, (step, after) in charges.items()}
        while low < len(times):
            edge = self.first + ((index + 1) << self._shift)
            high = len(times) if index == last else int(numpy.searchsorted(times, edge))
            rejections = rejected_by[low:high]
            column = Column([int(numpy.count_nonzero(rejections == k)) for k in range(-1, self._layers)])
            for k, (step, after) in charges.items():
                charged, varies = after[low:high] >= 0, isinstance(step, numpy.ndarray)
                first = int(charged.argmax())
                if charged[first]:
                    last_charge = high - low - 1 - int(charged[::-1].argmax())
                    extremes = int(befores[k][low:high].argmin()), int(after[low:high].argmax())
                    column.charges[k] = [
                        Charge(
                            begin + i,
                            int(times[i]),
                            int(after[i] - (step[i] if varies else step)),
                            int(after[i]),
                        )
                        for i in (low + first, low + extremes[0], low + extremes[1], low + last_charge)
                    ]
            self._put(index, column)
            low = high
            index = int(times[low] - self.first) >> self._shift if low < len(times) else last

    def _put(self, index: int, column: Column) -> None:
        if index in self.columns:
            self.columns[index].merge(column)
        else:
            self.columns[index] = column

    def _widen(self, last: int) -> None:
        """Double the width of columns until the last time is inside."""
        while (last - self.first) >> self._shift >= self._most:
            narrow, self.columns = self.columns, {}
            self._shift += 1
            for index, column in narrow.items():
                self._put(index >> 1, column)


def _before(step: Any, after: Any) -> Any:
    """Return an array that is least where least is used before a charge."""
    import numpy

    if isinstance(step, numpy.ndarray):
        return numpy.where(after < 0, _NONE, after - step)
    return after.view(numpy.uint64)  # -1 is the largest number


class WaitCounts:
    """Counts of waits: exact below 2^11 ticks, and rounded down by less than 0.1 % above."""

    _DIGITS: Final = 11

    def __init__(self) -> None:
        self._counts: Any = None
        self.largest: int = 0
        self.count: int = 0

    def add(self, waits: Any) -> None:
        """Add an array of waits, in ticks."""
        import numpy

        if not len(waits):
            return
        self.largest, self.count = max(self.largest, int(waits.max())), self.count + len(waits)
        shift = numpy.maximum(numpy.frexp(waits.astype(numpy.float64))[1] - self._DIGITS, 0)
        bins = (shift.astype(numpy.int64) << self._DIGITS) + (waits >> shift)
        counts = numpy.bincount(bins, minlength=(64 << self._DIGITS) + 1)
        self._counts = counts if self._counts is None else self._counts + counts

    def add_zeros(self, count: int) -> None:
        """Add so many waits of zero, if all are zero."""
        self.count += count

    def percentile(self, percent: int) -> int:
        """Return the wait that so many percent do not exceed (nearest rank), rounded down; 100 is exact."""
        import numpy

        if percent == 100 or self._counts is None:
            return self.largest
        rank = max(-(-self.count * percent // 100), 1)
        index = int(numpy.searchsorted(numpy.cumsum(self._counts), rank))
        shift, digits = divmod(index, 1 << self._DIGITS)
        return digits << shift
