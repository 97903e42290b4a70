"""Connect the official Python client to a server: `python official_client.py quoth mcp` prints what it saw in each era.

A program of its own, because the client brings an event loop and warnings of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from mcp import Client, StdioServerParameters

MODES = ("legacy", "auto", "2026-07-28")


async def seen(mode: str, command: list[str]) -> dict[str, Any]:
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        listed = await client.list_tools()
        found = await client.call_tool("search", {"query": "parser"})
        refused = await client.call_tool("get", {"id": "codex:none"})
        return {
            "tools": [tool.name for tool in listed.tools],
            "found": found.content[0].text,
            "refused": [refused.is_error, refused.content[0].text],
            "version": client.protocol_version,
        }


async def main(command: list[str]) -> None:
    print(json.dumps({mode: await seen(mode, command) for mode in MODES}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
