"""How hosts write down servers: members of a JSON object or tables of a TOML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from quoth.core.links import HOME, Server
from quoth.readers import edits_json, edits_toml

_COMMENT = "Written by `quoth link`, taken out by `quoth unlink`."


class JsonServers:
    """Servers as members of one object of a JSON file."""

    place: ClassVar[Sequence[str]] = ("mcpServers",)
    comments: ClassVar[bool] = False

    def servers(self, text: str) -> Mapping[str, Server]:
        return _servers(_inner(edits_json.plain(self._pairs(text)), self.place))

    def linked(self, text: str, server: Server) -> str:
        path = (*self.place, server.name)
        before = _inner(edits_json.plain(self._pairs(text)), path)
        if not isinstance(before, dict):
            return edits_json.with_member(text, path, _merged(None, server), comments=self.comments)
        for key, value in _merged(before, server).items():
            if before.get(key) != value:
                text = edits_json.with_member(text, (*path, key), value, comments=self.comments)
        return text

    def unlinked(self, text: str, name: str) -> str:
        return edits_json.without_member(text, (*self.place, name), comments=self.comments)

    def rest(self, text: str, name: str | None) -> object:
        return _without_pairs(self._pairs(text), (*self.place, name))

    def is_bare(self, text: str) -> bool:
        return self.rest(text, None) == edits_json.Pairs()

    def _pairs(self, text: str) -> Any:
        if not text.lstrip("\ufeff").strip():
            return edits_json.Pairs()
        return edits_json.pairs(text, comments=self.comments)


class TomlServers:
    """Servers as tables of a TOML file."""

    place: ClassVar[Sequence[str]] = ("mcp_servers",)

    def servers(self, text: str) -> Mapping[str, Server]:
        return _servers(_inner(edits_toml.values(text), self.place))

    def linked(self, text: str, server: Server) -> str:
        path = (*self.place, server.name)
        entry = _merged(_inner(edits_toml.values(text), path), server)
        ours = {key: value for key, value in entry.items() if key in ("command", "args", "env")}
        return edits_toml.with_table(text, path, ours, comment=_COMMENT)

    def unlinked(self, text: str, name: str) -> str:
        return edits_toml.without_table(text, (*self.place, name), comment=_COMMENT)

    def rest(self, text: str, name: str | None) -> object:
        return _without(edits_toml.values(text), (*self.place, name))

    def is_bare(self, text: str) -> bool:
        return not text.removeprefix("\ufeff").strip()


def _servers(table: object) -> Mapping[str, Server]:
    found = {name: _server(name, entry) for name, entry in table.items()} if isinstance(table, dict) else {}
    return {name: server for name, server in found.items() if server}


def _server(name: str, entry: object) -> Server | None:
    """Return the local server of an entry; remote ones and what no host could start are None."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return None
    words, env = entry.get("args", []), entry.get("env") or {}
    if not isinstance(words, list) or not isinstance(env, dict):
        return None
    return Server(name, (entry["command"], *map(str, words)), {str(key): str(value) for key, value in env.items()})


def _merged(entry: object, server: Server) -> dict[str, Any]:
    """Return an entry that starts the server and keeps what the person added to it."""
    before = dict(entry) if isinstance(entry, dict) else {}
    said = before.get("env")
    kept = {name: value for name, value in said.items() if name != HOME} if isinstance(said, dict) else {}
    program, *words = server.command
    env = {**kept, **server.env}
    return {**before, "command": program, "args": words, **({"env": env} if env or "env" in before else {})}


def _inner(value: object, path: Sequence[str]) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _without(value: object, path: Sequence[str | None]) -> object:
    """Return a value without what a path leads to, and without the place if nothing is left in it."""
    if not isinstance(value, dict) or path[0] not in value:
        return value
    inner = None if len(path) == 1 else _without(value[path[0]], path[1:])
    others = {name: each for name, each in value.items() if name != path[0]}
    return others if inner in (None, {}) else {**value, path[0]: inner}


def _without_pairs(value: Any, path: Sequence[str | None]) -> Any:
    """Do the same for objects with order and repeated names."""
    if not isinstance(value, edits_json.Pairs):
        return value
    if len(path) == 1:
        return edits_json.Pairs(pair for pair in value if pair[0] != path[0])
    shorter = [(name, _without_pairs(inner, path[1:]) if name == path[0] else inner) for name, inner in value]
    return edits_json.Pairs((name, inner) for name, inner in shorter if name != path[0] or inner != edits_json.Pairs())
