"""The results of a sweep: points by limit and traffic, the knee of a curve, the limit that is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.units import Number, Quantity, number, share


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPoint:
    """The decisions of one limit about one traffic, in numbers. All are exact.

    Attributes:
        limiter: the limit.
        traffic: name of the traffic; empty if there was only one, without a name.
        offered: number of requests.
        rejected_by: number of requests that each layer rejected, in the order of the layers.
        wait_mean_s: mean wait of the admitted requests, in seconds; None if none was admitted.
        wait_max_s: longest wait, likewise.
    """

    limiter: Limiter
    traffic: str
    offered: int
    rejected_by: tuple[int, ...]
    wait_mean_s: float | None
    wait_max_s: float | None

    @property
    def rejected(self) -> int:
        """Number of rejected requests."""
        return sum(self.rejected_by)

    @property
    def admitted(self) -> int:
        """Number of admitted requests."""
        return self.offered - self.rejected

    @property
    def rejected_fraction(self) -> float:
        """Rejected requests divided by all; 0 if there are none."""
        return self.rejected / self.offered if self.offered else 0.0


@dataclass(frozen=True, slots=True)
class Sweep:
    """The points of a sweep: for each traffic in order, each limit in order.

    Attributes:
        points: the points.
    """

    points: tuple[SweepPoint, ...]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[SweepPoint]:
        return iter(self.points)

    def curves(self) -> dict[tuple[str, str], tuple[SweepPoint, ...]]:
        """Return the points by name of the traffic, and name of the limiter or else ``"TokenBucket"`` etc."""
        curves: dict[tuple[str, str], tuple[SweepPoint, ...]] = {}
        for point in self.points:
            key = point.traffic, point.limiter.name or type(point.limiter).__name__
            curves[key] = (*curves.get(key, ()), point)
        return curves

    def knee(
        self, by: Callable[[Limiter], Number | None], *, traffic: str = "", name: str = ""
    ) -> SweepPoint | None:
        """Return the point from which on a larger limit helps less: the one farthest below the chord.

        That is the knee of Satopää and others, "Finding a Kneedle in a Haystack" (2011), without smoothing.

        Args:
            by: the size of a limit, such as ``lambda limiter: limiter.capacity``.
            traffic: name of the traffic; needed if there are several.
            name: name of the limiters, or their class such as ``"TokenBucket"``; needed if there are several.

        Returns:
            The point; None if all points lie on their chord.

        Raises:
            InvalidLimit: several curves, or none, have these names, or a limit has no size.
        """
        places, points = self._places(by, traffic, name)
        (left, top, _), (right, bottom, _) = places[0], places[-1]
        if left == right:
            return None

        def below(place: tuple[Fraction, Fraction, int]) -> Fraction:
            size, fraction, _ = place
            return top + (bottom - top) * (size - left) / (right - left) - fraction

        lowest = max(places, key=below)
        return points[lowest[2]] if below(lowest) > 0 else None

    def smallest(
        self,
        by: Callable[[Limiter], Number | None],
        most_rejected: Quantity = "0.1%",
        *,
        traffic: str = "",
        name: str = "",
    ) -> SweepPoint | None:
        """Return the point of the smallest limit that, as all larger ones, rejects at most a share.

        Args:
            by: the size of a limit, as for `knee`.
            most_rejected: that share of all requests, such as ``"0.1%"`` or 0.001.
            traffic: name of the traffic; needed if there are several.
            name: name of the limiters, or their class; needed if there are several.

        Returns:
            The point; None if the largest limit rejects more.

        Raises:
            InvalidLimit: several curves, or none, have these names, or a limit has no size.
        """
        most, result = share(most_rejected, "most_rejected"), None
        places, points = self._places(by, traffic, name)
        for _, fraction, k in reversed(places):
            if fraction > most:
                break
            result = points[k]
        return result

    def _places(
        self, by: Callable[[Limiter], Number | None], traffic: str, name: str
    ) -> tuple[list[tuple[Fraction, Fraction, int]], tuple[SweepPoint, ...]]:
        """Return size, rejected fraction and index of each point of one curve, by size, and its points."""
        curves = [
            points
            for (of_traffic, of_limiters), points in self.curves().items()
            if traffic in ("", of_traffic) and name in ("", of_limiters)
        ]
        if len(curves) != 1:
            raise InvalidLimit(f"{len(curves)} curves have these names; give traffic and name of one")
        sizes = [by(point.limiter) for point in curves[0]]
        places = sorted(
            (number(size, "size"), Fraction(point.rejected, point.offered or 1), k)
            for k, (size, point) in enumerate(zip(sizes, curves[0], strict=True))
            if size is not None
        )
        if len(places) < len(sizes):
            raise InvalidLimit("a limit has no such size; give another function")
        return places, curves[0]
