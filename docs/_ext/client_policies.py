"""The directive `client-policies`: a table of the named retry policies, from their records."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hook_widgets.ratelimit.clients import ClientPolicy, client_policies


def table() -> Iterator[str]:
    """Yield the lines of a Markdown table of all named policies."""
    yield "| name | retries | Retry-After | waits before the first four retries | source | remarks |"
    yield "|---|---|---|---|---|---|"
    for name, policy in client_policies().items():
        cells = (
            f"`{name}`",
            str(policy.max_retries),
            policy.retry_after.use.value,
            _waits(policy),
            policy.source,
            policy.note,
        )
        yield f"| {' | '.join(cells)} |"


def _waits(policy: ClientPolicy) -> str:
    """Return the shortest and the longest waits after a rejection, in seconds."""
    ranges = []
    longest = 0.0
    for retry in range(min(policy.max_retries, 4)):
        shortest = policy.backoff.wait_s(retry, 0.0, longest)
        longest = policy.backoff.wait_s(retry, 1.0, longest)
        ranges.append(f"{shortest:g}" if shortest == longest else f"{shortest:g} to {longest:g}")
    return f"{', '.join(ranges)} s" if ranges else "none"


class ClientPolicies(SphinxDirective):
    """Put the table into the page."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        return self.parse_text_to_nodes("\n".join(table()))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("client-policies", ClientPolicies)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
