"""Answer requests of both eras of the protocol for one dialect: pure, synchronous, no I/O of its own.

A request whose `_meta` names a version belongs to the modern era and stands alone; any other one belongs to its
connection, which began with `initialize`. The era is decided request by request, so both may mix on one connection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from quoth.surfaces.mcp import messages
from quoth.surfaces.mcp.asked import Asked, NeedsInput, client_of
from quoth.surfaces.mcp.connection import Connection, Greeting, Running
from quoth.surfaces.mcp.dialect import Dialect
from quoth.surfaces.mcp.messages import Request
from quoth.surfaces.mcp.methods import Method, Methods
from quoth.surfaces.mcp.protocol import (
    CAPABILITIES,
    CLIENT,
    LEGACY,
    MODERN,
    SERVER,
    VERSION,
    Broken,
    InvalidParams,
    JsonObject,
    Refused,
    UnknownMethod,
    UnsupportedVersion,
)
from quoth.surfaces.mcp.sealing import Seal

if TYPE_CHECKING:
    from quoth.core.model import Json

S = TypeVar("S")

_PUBLIC: JsonObject = {"ttlMs": 300_000, "cacheScope": "public"}
_PRIVATE: JsonObject = {"ttlMs": 0, "cacheScope": "private"}
_CACHED = {
    "server/discover": _PUBLIC,
    "tools/list": _PUBLIC,
    "prompts/list": _PUBLIC,
    "resources/list": _PRIVATE,
    "resources/templates/list": _PRIVATE,
    "resources/read": _PRIVATE,
}
_ASKING_SERVICES = {"tools/call", "prompts/get", "resources/list", "resources/read", "completion/complete"}


class Server(Generic[S]):
    """Serves a dialect. `report` is told of what failed unexpectedly; the client gets no details."""

    def __init__(
        self, dialect: Dialect[S], services: S, *, version: str, seal: Seal, report: Callable[[Exception], None]
    ) -> None:
        self._dialect = dialect
        self._info: JsonObject = {"name": dialect.name, "version": version}
        self._seal = seal
        self._report = report
        self._methods = Methods(dialect, services, seal, report)
        both = self._methods.table()
        self._legacy: Mapping[str, Method] = {**both, "initialize": self._initialize, "ping": lambda _: {}}
        self._modern: Mapping[str, Method] = {**both, "server/discover": self._discover}

    def is_quick(self, request: Request) -> bool:
        """Say whether the answer needs no service, so that it can be given before the next message is read."""
        return request.method not in _ASKING_SERVICES and self._dialect.tool(request.method) is None

    def answer(
        self, request: Request, connection: Connection, running: Running | None = None, *, is_modern: bool = False
    ) -> JsonObject | None:
        """Return the reply, or None when the client cancelled. `is_modern` when the transport knows the era."""
        running = running or Running()
        try:
            reply = messages.result(request.id, self._result(request, connection, running, is_modern=is_modern))
        except Refused as refused:
            reply = messages.failure(refused, request.id)
        except Exception as error:  # a request that fails must not end the server
            self._report(error)
            reply = messages.failure(Broken("Internal error"), request.id)
        return None if running.is_cancelled else reply

    def _result(self, request: Request, connection: Connection, running: Running, *, is_modern: bool) -> Json:
        meta = request.params.get("_meta", {})
        if not isinstance(meta, Mapping):
            raise InvalidParams("`_meta` must be an object")
        if is_modern or VERSION in meta or CAPABILITIES in meta:
            return self._modern_result(request, connection, running, meta)
        said = connection.greeting
        client = client_of(meta[CLIENT]) if CLIENT in meta else said.client
        asked = Asked(request, connection, running, False, client, said.capabilities)
        method = self._legacy.get(request.method)
        return method(asked) if method else self._methods.tool_as_method(asked)

    def _modern_result(self, request: Request, connection: Connection, running: Running, meta: JsonObject) -> Json:
        capabilities = _capabilities(meta)
        method = self._modern.get(request.method)
        if method is None:
            raise UnknownMethod(request.method)
        asked = Asked(request, connection, running, True, client_of(meta.get(CLIENT)), capabilities)
        stamp: JsonObject = {"_meta": {SERVER: self._info}}
        try:
            return {"resultType": "complete", **_CACHED.get(request.method, {}), **method(asked), **stamp}
        except NeedsInput as needed:
            return {"resultType": "input_required", **self._questions(asked, needed), **stamp}

    def _questions(self, asked: Asked, needed: NeedsInput) -> JsonObject:
        said: dict[str, Json] = {
            "inputRequests": {name: {"method": q.method, "params": q.params} for name, q in needed.questions.items()}
        }
        if needed.keep is not None:
            said["requestState"] = self._seal.close(needed.keep, belongs_to=asked.belongs_to())
        return said

    def _initialize(self, asked: Asked) -> JsonObject:
        given, capabilities = asked.param("protocolVersion"), asked.param("capabilities")
        version = given if isinstance(given, str) and given in LEGACY else LEGACY[-1]
        said = capabilities if isinstance(capabilities, Mapping) else {}
        asked.connection.greeting = Greeting(version, client_of(asked.param("clientInfo")), said)
        return {"protocolVersion": version, "serverInfo": self._info, **self._about()}

    def _discover(self, _: Asked) -> JsonObject:
        return {"supportedVersions": MODERN, **self._about()}

    def _about(self) -> JsonObject:
        return {"capabilities": self._dialect.capabilities(), "instructions": self._dialect.instructions}


def _capabilities(meta: JsonObject) -> JsonObject:
    """Check what every modern request must say for itself and return what its client can do."""
    version, capabilities = meta.get(VERSION), meta.get(CAPABILITIES)
    if not isinstance(version, str):
        raise InvalidParams(f"`_meta` must have {VERSION}")
    if version not in MODERN:
        raise UnsupportedVersion(version)
    if not isinstance(capabilities, Mapping):
        raise InvalidParams(f"`_meta` must have {CAPABILITIES}")
    return capabilities
