"""Know an agent by the name its program gives itself over the protocol (ORI-73)."""

from __future__ import annotations

import re

_KNOWN = {
    "claude-ai": "claude",
    "claude-code": "claude-code",
    "codex-mcp-client": "codex",
    "cursor-vscode": "cursor",
    "gemini-cli-mcp-client": "gemini-cli",
    "github-copilot-developer": "copilot-cli",
    "opencode": "opencode",
}
_OUTSIDE = re.compile(r"[^a-z0-9]+")
_LONGEST = 40


def agent_name(client: str) -> str | None:
    """Return the agent a client program belongs to: a known one, else its own name in `a-z 0-9 -`."""
    plain = _OUTSIDE.sub("-", client.strip().lower()).strip("-")
    if plain in _KNOWN:
        return _KNOWN[plain]
    return plain[:_LONGEST].strip("-") or None
