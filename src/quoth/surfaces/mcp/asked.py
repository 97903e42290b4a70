"""A request together with what its era says of the client, its parameters read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quoth.surfaces.mcp.connection import Connection, Running
from quoth.surfaces.mcp.dialect import Client, Question
from quoth.surfaces.mcp.messages import Request
from quoth.surfaces.mcp.protocol import InvalidParams, JsonObject

if TYPE_CHECKING:
    from quoth.core.model import Json

_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class NeedsInput(Exception):
    """Raised when a modern call can only go on with answers that the client must bring in a new request."""

    def __init__(self, questions: Mapping[str, Question], keep: Json) -> None:
        super().__init__("input required")
        self.questions = questions
        self.keep = keep


@dataclass(frozen=True, slots=True)
class Asked:
    request: Request
    connection: Connection
    running: Running
    is_modern: bool
    client: Client
    capabilities: JsonObject

    def param(self, name: str) -> Json:
        return self.request.params.get(name)

    def text(self, name: str) -> str:
        """Return a parameter that must be a text.

        Raises:
            InvalidParams: it is missing or something else.
        """
        value = self.param(name)
        if not isinstance(value, str):
            raise InvalidParams(f"`{name}` must be a string")
        return value

    def arguments(self) -> JsonObject:
        value = self.param("arguments")
        if value is not None and not isinstance(value, Mapping):
            raise InvalidParams("`arguments` must be an object")
        return value or {}

    def replies(self) -> Mapping[str, JsonObject]:
        """Return what the client brings as answers to questions of an earlier round."""
        said = self.request.params.get("inputResponses", {})
        if not isinstance(said, Mapping) or not all(isinstance(each, Mapping) for each in said.values()):
            raise InvalidParams("`inputResponses` must be an object of objects")
        return {name: each for name, each in said.items() if isinstance(each, Mapping)}

    def belongs_to(self) -> Json:
        """Return what a sealed state is bound to: who asks, and for what."""
        named = _NAMED.get(self.request.method)
        name = self.text(named) if named else None
        return [self.connection.principal, self.request.method, name, self.arguments()]


def client_of(said: Json) -> Client:
    info = said if isinstance(said, Mapping) else {}
    name, version = info.get("name"), info.get("version")
    return Client(name if isinstance(name, str) else "", version if isinstance(version, str) else "")
