"""Hold replies against the protocol's own schema, as the official package publishes it."""

from __future__ import annotations

from typing import Any

from mcp_types import methods

MODERN = "2026-07-28"
LEGACY = "2025-11-25"

_PREFIX = "io.modelcontextprotocol/"


def meta(version: str = MODERN, client: str = "test", **capabilities: Any) -> dict[str, Any]:
    """Return what a modern request says of itself."""
    return {
        f"{_PREFIX}protocolVersion": version,
        f"{_PREFIX}clientCapabilities": capabilities,
        f"{_PREFIX}clientInfo": {"name": client, "version": "1"},
    }


def is_modern(request: dict[str, Any]) -> bool:
    params = request.get("params")
    return isinstance(params, dict) and f"{_PREFIX}protocolVersion" in (params.get("_meta") or {})


def check(request: dict[str, Any], reply: dict[str, Any]) -> None:
    """Fail unless the reply is what the schema of its version says."""
    assert reply["jsonrpc"] == "2.0"
    assert reply["id"] == request["id"]
    assert ("result" in reply) != ("error" in reply)
    if "error" in reply:
        assert isinstance(reply["error"]["code"], int)
        assert reply["error"]["message"]
    elif (request["method"], MODERN if is_modern(request) else LEGACY) in methods.SERVER_RESULTS:
        methods.validate_server_result(request["method"], MODERN if is_modern(request) else LEGACY, reply["result"])
    else:
        assert isinstance(reply["result"], str), "only the text of a tool called by its name has no schema"
