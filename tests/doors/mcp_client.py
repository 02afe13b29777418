"""The official client, over standard input and output of a real server process."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

T = TypeVar("T")


@dataclass(frozen=True)
class Reply:
    """The result of one tool: whether it is an error, its text, and its JSON."""

    error: bool
    text: str
    value: Any


def session(
    work: Callable[[Client], Awaitable[T]], environment: Mapping[str, str], arguments: Sequence[str] = ()
) -> tuple[T, str]:
    """Return the result of a function that uses a client, and what the server wrote to standard error."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "hook_widgets", "mcp", *arguments], env=dict(environment)
    )

    async def run() -> tuple[T, str]:
        with tempfile.TemporaryFile("w+") as log:
            async with Client(stdio_client(server, errlog=log)) as client:
                result = await work(client)
            log.seek(0)
            return result, log.read()

    return asyncio.run(run())


async def call(client: Client, tool: str, **arguments: Any) -> Reply:
    """Call one tool."""
    result = await client.call_tool(tool, arguments)
    text = "".join(part.text for part in result.content if part.type == "text")
    return Reply(bool(result.is_error), text, result.structured_content)
