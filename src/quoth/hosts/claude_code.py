"""Link Claude Code: a workspace's `.mcp.json` is written; for all workspaces its own command is printed.

Looked at in November 2026 with version 2.1.332: `.mcp.json` is strict JSON (a byte order mark is read, a comment is
not), and that of a folder above counts too. Every running session rewrites `~/.claude.json`: only the host may edit it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SourceId
from quoth.core.links import Level, Refusal, Server, Target
from quoth.core.ports import Linker
from quoth.hosts._servers import JsonServers


class ClaudeCode(JsonServers):
    """The linker of Claude Code."""

    agent = "Claude Code"
    program = "claude"
    source = SourceId("claude-code")

    def folder(self, env: Mapping[str, str], home: Path) -> Path:
        said = env.get("CLAUDE_CONFIG_DIR", "").strip()
        return Path(said) if said else home / ".claude"

    def target(self, level: Level, *, workspace: Path, env: Mapping[str, str], home: Path) -> Target | Refusal:
        if level is Level.WORKSPACE:
            return Target(workspace / ".mcp.json")
        around = self.folder(env, home) if env.get("CLAUDE_CONFIG_DIR", "").strip() else home
        return Target(around / ".claude.json", private=True, by_hand="every running session of Claude Code rewrites it")

    def commands(self, server: Server) -> tuple[Sequence[str], Sequence[str]]:
        scope = ("--scope", "user", server.name)
        variables = [word for name, value in server.env.items() for word in ("-e", f"{name}={value}")]
        return ("claude", "mcp", "add", *scope, *variables, "--", *server.command), ("claude", "mcp", "remove", *scope)

    def confirm(self, level: Level) -> str:
        if level is Level.GLOBAL:
            return "Claude Code asks before each tool until you allow it."
        return (
            "Start `claude` there and approve the server when it asks; it asks again for each tool until you allow it."
        )

    def environment(self, env: Mapping[str, str]) -> Mapping[str, str]:
        return env


LINKER: Linker = ClaudeCode()
