"""A client in the same process: speaks to the protocol core alone, every reply held against the published schema."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Any, Generic, TypeVar

import published

from quoth.surfaces.mcp import messages
from quoth.surfaces.mcp.connection import Connection
from quoth.surfaces.mcp.dialect import Dialect
from quoth.surfaces.mcp.messages import Request
from quoth.surfaces.mcp.sealing import Seal
from quoth.surfaces.mcp.server import Server

S = TypeVar("S")


class Hands:
    """A clock that stands still until it is moved, in seconds."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class Memory(Generic[S]):
    """Asks in the modern era unless told otherwise, under a name. `says` answers the server's questions in the legacy
    era."""

    def __init__(
        self, dialect: Dialect[S] | None, services: S, *, clock: Hands | None = None, name: str = "test"
    ) -> None:
        assert dialect is not None
        self.name = name
        self.failures: list[Exception] = []
        self.sent: deque[Any] = deque()
        self.says: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None
        seal = Seal(now=clock or Hands(), random=lambda size: bytes(next(_SEQUENCE) % 256 for _ in range(size)))
        self.server = Server(dialect, services, version="1", seal=seal, report=self.failures.append)
        self.connection = Connection(self._hear)
        self._ids = count(1)

    def reply(self, method: str, params: dict[str, Any] | None = None, *, modern: bool = True, **can: Any) -> Any:
        """Return the whole reply; keywords are capabilities of the client."""
        request = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": dict(params or {})}
        if modern:
            request["params"]["_meta"] = published.meta(client=self.name, **can)
        parsed = messages.message(messages.decode(json.dumps(request).encode()))
        assert isinstance(parsed, Request)
        reply = self.server.answer(parsed, self.connection)
        if reply is not None:
            reply = json.loads(messages.encode(reply))
            published.check(request, reply)
        return reply

    def result(self, method: str, params: dict[str, Any] | None = None, *, modern: bool = True, **can: Any) -> Any:
        return self.reply(method, params, modern=modern, **can)["result"]

    def error(self, method: str, params: dict[str, Any] | None = None, *, modern: bool = True, **can: Any) -> Any:
        return self.reply(method, params, modern=modern, **can)["error"]

    def greet(self, name: str | None = None, **capabilities: Any) -> Any:
        """Begin in the legacy era."""
        client = {"name": self.name if name is None else name, "version": "1"}
        asked = {"protocolVersion": published.LEGACY, "capabilities": capabilities, "clientInfo": client}
        return self.result("initialize", asked, modern=False)

    def call(self, tool: str, *, modern: bool = True, **arguments: Any) -> Any:
        """Return what a tool answered, read from its one JSON text."""
        content = self.used(tool, modern=modern, **arguments)
        assert not content["isError"], content
        assert len(content["content"]) == 1
        return json.loads(content["content"][0]["text"])

    def refusal(self, tool: str, *, modern: bool = True, **arguments: Any) -> str:
        """Return the sentence with which a tool refused."""
        content = self.used(tool, modern=modern, **arguments)
        assert content["isError"], content
        assert "structuredContent" not in content
        return str(content["content"][0]["text"])

    def used(self, tool: str, *, modern: bool = True, **arguments: Any) -> Any:
        return self.result("tools/call", {"name": tool, "arguments": arguments}, modern=modern)

    def _hear(self, message: Any) -> None:
        said = json.loads(messages.encode(message))
        self.sent.append(said)
        answer = self.says(said)
        if answer is not None:
            response = messages.message({"jsonrpc": "2.0", "id": said["id"], **answer})
            self.connection.deliver(response)


_SEQUENCE = count()
