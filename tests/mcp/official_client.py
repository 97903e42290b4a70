"""Connect the official Python client to a server: `python official_client.py quoth mcp` prints what it saw in each era.

`python official_client.py --write quoth mcp` lets it remember, read and forget.

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


def connected(mode: str, command: list[str]) -> Client:
    return Client(StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ)), mode=mode)


async def seen(mode: str, command: list[str]) -> dict[str, Any]:
    async with connected(mode, command) as client:
        listed = await client.list_tools()
        found = await client.call_tool("search", {"query": "parser"})
        refused = await client.call_tool("get", {"id": "codex:none"})
        return {
            "tools": [tool.name for tool in listed.tools],
            "found": found.content[0].text,
            "refused": [refused.is_error, refused.content[0].text],
            "version": client.protocol_version,
        }


async def kept(mode: str, command: list[str]) -> list[Any]:
    """Return what was answered to remembering, reading, forgetting and reading again."""
    async with connected(mode, command) as client:
        done = await client.call_tool("remember", {"text": f"Said in the era {mode}.", "uncited": "known"})
        entry = json.loads(done.content[0].text)["entry"]["id"]
        got = await client.call_tool("get", {"id": entry})
        gone = await client.call_tool("forget", {"id": entry, "reason": "asked for"})
        refused = await client.call_tool("get", {"id": entry})
        texts = [answer.content[0].text for answer in (done, got, gone)]
        return [entry, *map(json.loads, texts), [refused.is_error, refused.content[0].text]]


async def main(command: list[str]) -> None:
    ask = kept if command[0] == "--write" else seen
    print(json.dumps({mode: await ask(mode, command[ask is kept :]) for mode in MODES}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
