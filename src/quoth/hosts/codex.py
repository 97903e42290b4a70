"""Link Codex: a table in `config.toml`, of a workspace's `.codex` or of the person's.

Looked at in November 2026 with version 0.171: a workspace's file counts once the person trusts the workspace. `codex
mcp` writes all tables of servers anew, moves them together and drops comments above them. Markers around ours would end
up around somebody else's, so that a table is known by its header alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from quoth.core.ids import SourceId
from quoth.core.links import Level, Refusal, Server, Target
from quoth.core.ports import Linker
from quoth.hosts._servers import TomlServers

# A server of Codex sees nothing else of the person's environment.
_PASSED = (
    "HOME",
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "SYSTEMROOT",
)


class Codex(TomlServers):
    """The linker of Codex."""

    agent = "Codex"
    program = "codex"
    source = SourceId("codex")

    def folder(self, env: Mapping[str, str], home: Path) -> Path:
        said = env.get("CODEX_HOME", "").strip()
        return Path(said) if said else home / ".codex"

    def target(self, level: Level, *, workspace: Path, env: Mapping[str, str], home: Path) -> Target | Refusal:
        folder = self.folder(env, home)
        if level is Level.GLOBAL:
            return Target(folder / "config.toml", private=True)
        if workspace / ".codex" == folder:
            return Refusal("this folder is no workspace for Codex, its own settings are here; pass `--global`")
        return Target(workspace / ".codex" / "config.toml")

    def commands(self, server: Server) -> tuple[Sequence[str], Sequence[str]]:
        variables = [word for name, value in server.env.items() for word in ("--env", f"{name}={value}")]
        added = ("codex", "mcp", "add", server.name, *variables, "--", *server.command)
        return added, ("codex", "mcp", "remove", server.name)

    def confirm(self, level: Level) -> str:
        if level is Level.GLOBAL:
            return "Codex asks, tool by tool, when it first uses one."
        return "Start `codex` there and trust the workspace, or its file is not read; then Codex asks for each tool."

    def environment(self, env: Mapping[str, str]) -> Mapping[str, str]:
        return {name: env[name] for name in _PASSED if name in env}


LINKER: Linker = Codex()
