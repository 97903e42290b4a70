"""The words of the Model Context Protocol: versions, metadata keys, and what a server may refuse, with its code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from quoth.core.model import Json

JsonObject: TypeAlias = "Mapping[str, Json]"

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions that begin with `initialize` and then belong to the connection, the newest last."""

MODERN = ("2026-07-28",)
"""Versions that every request names for itself."""

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT = "io.modelcontextprotocol/clientInfo"
SERVER = "io.modelcontextprotocol/serverInfo"


class Refused(Exception):
    """A request that gets an error of the protocol instead of a result. `id` is set when the request could be told."""

    code: ClassVar[int]
    id: int | str | None = None

    def __init__(self, message: str, data: JsonObject | None = None) -> None:
        super().__init__(message)
        self.data = data


class ParseFailed(Refused):
    """Raised for a line that is no JSON."""

    code = -32700

    def __init__(self, why: str) -> None:
        super().__init__(f"Parse error: {why}")


class InvalidRequest(Refused):
    """Raised for JSON that is no message of the protocol."""

    code = -32600

    def __init__(self, why: str) -> None:
        super().__init__(f"Invalid request: {why}")


class UnknownMethod(Refused):
    """Raised for a method that this server does not have in the era of the request."""

    code = -32601

    def __init__(self, method: str) -> None:
        super().__init__("Method not found", {"method": method[:200]})


class InvalidParams(Refused):
    """Raised for parameters that the protocol itself forbids; what a tool forbids is a tool error."""

    code = -32602


class Broken(Refused):
    """Raised when the server itself failed."""

    code = -32603


class MissingCapability(Refused):
    """Raised when a call has to ask something that its client did not say it can answer."""

    code = -32021

    def __init__(self, capabilities: Sequence[str]) -> None:
        required: JsonObject = {name: {} for name in capabilities}
        super().__init__(f"This needs the client capability {', '.join(required)}", {"requiredCapabilities": required})


class UnsupportedVersion(Refused):
    """Raised when a request names a version that is not one of the modern ones."""

    code = -32022

    def __init__(self, requested: str) -> None:
        super().__init__("Unsupported protocol version", {"supported": MODERN, "requested": requested[:200]})
