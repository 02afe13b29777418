"""The MCP server ``hook-widgets mcp``: tools with which a coding agent proves the receiver that it writes.

`tools` and `checking` are plain functions; only `server` imports the SDK, which is the extra ``[mcp]``.
"""
