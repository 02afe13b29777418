"""Clients as small whole numbers, for machine code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True, eq=False)
class ClientCodes:
    """The client of each request as a number from 0.

    Attributes:
        codes: array of these numbers, without a sign, so that machine code need not check for negative ones.
        count: more than the largest of them.
    """

    codes: Any
    count: int

    @classmethod
    def of(cls, clients: Any) -> ClientCodes:
        """Return the numbers of clients; small whole numbers in an array stay as they are."""
        import numpy

        if isinstance(clients, numpy.ndarray):
            largest = int(clients.max(initial=0))
            if clients.min(initial=0) >= 0 and largest <= 2 * len(clients):
                return cls(clients.astype(numpy.uint32), largest + 1)
            clients = clients.tolist()
        numbers = {client: k for k, client in enumerate(dict.fromkeys(clients))}
        codes = numpy.fromiter(map(numbers.__getitem__, clients), numpy.uint32, len(clients))
        return cls(codes, len(numbers))

    @cached_property
    def order(self) -> Any:
        """Indexes of the requests, grouped by client, each group in order of arrival."""
        import numpy

        few = self.count <= 65_536  # numpy sorts two bytes by counting, which is ten times as fast
        return numpy.argsort(self.codes.astype(numpy.uint16) if few else self.codes, kind="stable")

    @cached_property
    def positions(self) -> Any:
        """Index of each request in `order`."""
        import numpy

        positions = numpy.empty(len(self.codes), numpy.int64)
        positions[self.order] = numpy.arange(len(self.codes))
        return positions

    @cached_property
    def starts(self) -> Any:
        """Index in `order` of the first request of each client."""
        import numpy

        counts = numpy.bincount(self.codes, minlength=self.count)
        return numpy.cumsum(counts) - counts


class ClientNumbers:
    """The numbers of the clients of a stream: the same client has the same number in each chunk.

    Attributes:
        count: more than the largest number so far.
    """

    _MAX_GAP = 1_000_000  # whole numbers in an array stay if they are not much larger than those so far

    def __init__(self) -> None:
        self.count: int = 0
        self._numbers: dict[Any, int] | None = None

    def codes(self, clients: Any) -> Any:
        """Return an array with the number of each client."""
        import numpy

        if isinstance(clients, numpy.ndarray):
            largest = int(clients.max(initial=0))
            if self._numbers is None and 0 <= clients.min(initial=0) <= largest <= self.count + self._MAX_GAP:
                self.count = max(self.count, largest + 1)
                return clients.astype(numpy.uint32)
            clients = clients.tolist()
        if self._numbers is None:
            self._numbers = {client: client for client in range(self.count)}
        for client in dict.fromkeys(clients):
            self._numbers.setdefault(client, len(self._numbers))
        self.count = len(self._numbers)
        return numpy.fromiter(map(self._numbers.__getitem__, clients), numpy.uint32, len(clients))
