"""The tools as a server of the official SDK, over standard input and output."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Annotated, Any, Literal

import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from hook_widgets import __version__
from hook_widgets.cli.mcp_server.allowed_secrets import AllowedSecrets
from hook_widgets.cli.mcp_server.checking import Checking
from hook_widgets.cli.mcp_server.tools import TOOLS, Name, Url
from hook_widgets.cli.setup_options import OwnerNames
from hook_widgets.errors import HookWidgetsError
from hook_widgets.receivers import Progress

INSTRUCTIONS = (
    "Facts about webhook providers, and proof that a receiver on this machine is right. Secrets are never "
    "arguments: secret_env is the name of an environment variable of this server that the user allowed. "
)
SecretName = Annotated[
    str, Field(max_length=200, description="A name that the user allowed; never a secret.")
]
Budget = Annotated[float, Field(ge=1, le=120, description="The time limit of the run, in seconds.")]
Recording = Annotated[
    str, Field(max_length=1_000_000, description="Raw HTTP, a curl command, HAR, JSON or header lines.")
]
Ids = Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=200)]
Parts = Annotated[dict[Annotated[str, Field(max_length=200)], SecretName], Field(max_length=20)]
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_SENDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


def build_server(secrets: AllowedSecrets) -> MCPServer[Any]:
    """Return the server."""
    allowed = f"Allowed: {', '.join(secrets.names)}." if secrets.names else "None is allowed now."
    server: MCPServer[Any] = MCPServer(
        "hook-widgets", version=__version__, instructions=INSTRUCTIONS + allowed, log_level="WARNING"
    )
    for tool in TOOLS:
        server.add_tool(_reporting(tool), annotations=_READS)
    checking = Checking(secrets)

    @server.tool(annotations=_SENDS)
    async def check_receiver(
        context: Context[Any, Any],
        provider: Name,
        url: Url,
        secret_env: SecretName,
        suite: Literal["standard", "full"] = "standard",
        only: Ids = [],
        skip: Ids = [],
        event: Name = "",
        oracle_url: Url = "",
        unconfigured_url: Url = "",
        other_secret_env: SecretName = "",
        previous_secret_env: SecretName = "",
        retired_secret_env: SecretName = "",
        part_env: Parts = {},
        budget_s: Budget = 60.0,
    ) -> dict[str, Any]:
        """Check a webhook receiver on this machine: about 200 good, changed and forged requests.

        oracle_url is a URL of this machine that responds with the number of times the work was done. only
        and skip take ids such as B11, or areas such as B. The report quotes nothing that was received.
        unconfigured_url is the same receiver without its secret (B6); other_secret_env is the secret of
        another endpoint (B15), previous_secret_env and retired_secret_env those of a rotation (E3, E4);
        part_env maps a field such as verify_token to the variable with its value (H1, H2).
        """

        def report(step: Progress) -> None:
            anyio.from_thread.run(context.report_progress, step.done, step.total, step.result.id)

        return await _in_thread(
            functools.partial(
                checking.check_receiver,
                provider,
                url,
                secret_env,
                suite=suite,
                only=only,
                skip=skip,
                event=event,
                oracle_url=oracle_url,
                owner=OwnerNames(
                    other_secret_env=other_secret_env,
                    previous_secret_env=previous_secret_env,
                    retired_secret_env=retired_secret_env,
                    part_env=part_env,
                    unconfigured_url=unconfigured_url,
                ),
                budget_s=budget_s,
                on_progress=report,
            )
        )

    @server.tool(annotations=_SENDS)
    async def why_rejected(
        provider: Name, url: Url, secret_env: SecretName, event: Name = "", budget_s: Budget = 60.0
    ) -> dict[str, Any]:
        """Find out why a receiver on this machine rejects good requests, with at most 15 requests."""
        run = functools.partial(
            checking.why_rejected, provider, url, secret_env, event=event, budget_s=budget_s
        )
        return await _in_thread(run)

    @server.tool(annotations=_READS)
    def diagnose_request(provider: Name, request: Recording, secret_env: SecretName) -> dict[str, Any]:
        """Verify one recorded request, and find out why it does not verify; nothing is sent."""
        return _reporting(checking.diagnose_request)(provider, request, secret_env)

    return server


def _reporting(function: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Return a function whose expected errors are the tool's message."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> dict[str, Any]:
        try:
            return function(*args, **options)
        except HookWidgetsError as error:
            raise ToolError(str(error)) from None

    return call


async def _in_thread(run: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Run in a thread that stops before its next request when the call is cancelled."""
    ended = threading.Event()
    try:
        return await anyio.to_thread.run_sync(
            functools.partial(_reporting(run), stop=ended.is_set), abandon_on_cancel=True
        )
    finally:
        ended.set()
