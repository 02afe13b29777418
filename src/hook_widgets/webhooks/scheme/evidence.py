"""The evidence for a provider's headers and bodies, and the confidence that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from hook_widgets.webhooks.scheme.record import Limit, Record

#: Evidence for the signatures: the provider's own library, another one, documentation; or a neutral kind.
SchemeConfidence = Literal["sdk", "peer", "docs", "seed"]
HeaderConfidence = Literal["captured", "source", "docs", "unconfirmed", "seed"]
BodyConfidence = Literal["model", "source", "captured", "docs", "unconfirmed", "seed"]


@dataclass(frozen=True, kw_only=True)
class Confidence(Record):
    """The best evidence for each part of a provider's requests; a part says nothing about the others.

    Attributes:
        scheme: evidence for the signature: ``"sdk"`` (the provider's own library accepts it), ``"peer"``
            (another library does), ``"docs"`` (documentation or source code), or ``"seed"`` (a neutral kind,
            which stands for no sender; then all three are ``"seed"``).
        headers: evidence for the other headers: ``"captured"`` (a recorded delivery), ``"source"`` (the
            sender's source code), ``"docs"`` (documentation), or ``"unconfirmed"``.
        bodies: evidence for the fields of most bodies: ``"model"`` (a library's types parse them),
            ``"source"``, ``"captured"``, ``"docs"``, or ``"unconfirmed"``.
    """

    scheme: SchemeConfidence
    headers: HeaderConfidence
    bodies: BodyConfidence


@dataclass(frozen=True, kw_only=True)
class BodyModel(Record):
    """Types of a library that parse a provider's bodies and know all their fields.

    Attributes:
        name: the types, as the library names them.
        misses: the events that they do not describe.
    """

    name: Annotated[str, Limit(min_length=1)]
    misses: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PartEvidence(Record):
    """Evidence beyond documentation for the headers, or for the fields of the bodies.

    Attributes:
        recorded: the recorded deliveries that they were compared with.
        code: the places in the sender's source code that write them.
        unconfirmed: True if no source was found, not even documentation.
    """

    recorded: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    unconfirmed: bool = False


@dataclass(frozen=True, kw_only=True)
class Evidence(Record):
    """Evidence for a provider's headers and bodies; the signature's is its `confidence`.

    Attributes:
        headers: the evidence for the headers.
        bodies: the evidence for the fields of the bodies.
        model: the types that parse the bodies, if a library has some.
    """

    headers: PartEvidence = PartEvidence()
    bodies: PartEvidence = PartEvidence()
    model: BodyModel | None = None

    def confidence(
        self, scheme: SchemeConfidence, *, documented: bool, headers_known: bool, events: int
    ) -> Confidence:
        """Derive the confidence of all three parts.

        Args:
            scheme: the evidence for the signature.
            documented: True if the provider has documentation.
            headers_known: False if no header but those of the signature has a source.
            events: the number of its events; types that describe fewer than half of them do not count.
        """
        if scheme == "seed":
            return Confidence(scheme="seed", headers="seed", bodies="seed")
        headers: HeaderConfidence = "unconfirmed"
        if self.headers.recorded:
            headers = "captured"
        elif self.headers.code:
            headers = "source"
        elif documented and headers_known and not self.headers.unconfirmed:
            headers = "docs"
        bodies: BodyConfidence = "unconfirmed"
        if self.model is not None and 2 * len(self.model.misses) < events:
            bodies = "model"
        elif self.bodies.code:
            bodies = "source"
        elif self.bodies.recorded:
            bodies = "captured"
        elif documented and not self.bodies.unconfirmed:
            bodies = "docs"
        return Confidence(scheme=scheme, headers=headers, bodies=bodies)
