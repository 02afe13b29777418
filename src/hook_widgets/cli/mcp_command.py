"""The command that serves the tools for coding agents."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    allow_secret_env: Annotated[
        list[str],
        typer.Option(
            "--allow-secret-env",
            metavar="NAME[=PROVIDER]",
            help="An environment variable whose secret an agent may use, for one provider if named. "
            "A provider that sends the secret itself must be named.",
        ),
    ] = [],
) -> None:
    """Serve tools for a coding agent (MCP). It uses stdin and stdout, and checks on this machine only."""
    from hook_widgets._optional import require
    from hook_widgets.cli.mcp_server.allowed_secrets import AllowedSecrets
    from hook_widgets.errors import HookWidgetsError

    secrets = AllowedSecrets(allow_secret_env)
    module = "hook_widgets.cli.mcp_server.server"
    server = require(module, "mcp", "hook-widgets mcp", HookWidgetsError, pip="pip")
    server.build_server(secrets).run()
