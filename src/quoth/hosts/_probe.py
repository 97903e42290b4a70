"""Start a server as a host would, and ask it for its tools. Its store is empty: a look must not read or write logs."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from quoth.core.links import Answer

_SECONDS = 15
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "quoth-doctor", "version": "1"},
}
_ASKED: Sequence[Mapping[str, object]] = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
)


def ask(command: Sequence[str], env: Mapping[str, str], *, seconds: float = _SECONDS) -> Answer:
    """Start a server, list its tools and let it end. Whatever goes wrong is in the answer; nothing is left running."""
    lines = "".join(json.dumps(message) + "\n" for message in _ASKED).encode()
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
            done = subprocess.run(
                command,
                input=lines,
                env={**env, "HOME": empty, "USERPROFILE": empty, "QUOTH_HOME": empty},
                cwd=empty,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return Answer(failure=f"no answer within {seconds:g} seconds")
    except OSError as error:
        return Answer(failure=(error.strerror or "the system refused").lower())
    return _answer(done.stdout, done.returncode)


def _answer(out: bytes, code: int) -> Answer:
    for line in out.splitlines():
        try:
            reply = json.loads(line)
        except ValueError:
            return Answer(failure="it answered something else than the protocol")
        if isinstance(reply, dict) and reply.get("id") == 2:
            return _tools(reply)
    return Answer(failure=f"it ended with status {code} before it listed its tools")


def _tools(reply: Mapping[str, object]) -> Answer:
    result = reply.get("result")
    tools = result.get("tools") if isinstance(result, dict) else None
    return Answer(len(tools)) if isinstance(tools, list) else Answer(failure="it did not list its tools")
