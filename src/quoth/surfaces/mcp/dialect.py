"""What a dialect is made of: a published tool contract as data. Adding one is adding a file to `dialects/`.

`S` is what its tools ask: the services of the door that serves it. The protocol core knows nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from quoth.surfaces.mcp.agents import agent_name
from quoth.surfaces.mcp.messages import dumps
from quoth.surfaces.mcp.protocol import JsonObject, MissingCapability
from quoth.surfaces.mcp.schema import Arguments

if TYPE_CHECKING:
    from quoth.core.model import Json

S = TypeVar("S")

READS: JsonObject = {"readOnlyHint": True}
"""The annotations of a tool that changes nothing."""

ADDS: JsonObject = {"readOnlyHint": False, "destructiveHint": False}
"""Those of a tool that only adds to what is there."""

FORGETS: JsonObject = {"readOnlyHint": False, "destructiveHint": True}
"""Those of a tool that takes something away."""

_CAPABILITY = {"elicitation/create": "elicitation", "roots/list": "roots", "sampling/createMessage": "sampling"}


class NotAnswered(Exception):
    """Raised when a person or client did not answer a question: no way to ask, an error, too late, cancelled."""


@dataclass(frozen=True, slots=True)
class Client:
    """The program at the other end, by its own words: display only, never identity."""

    name: str = ""
    version: str = ""

    @property
    def agent(self) -> str | None:
        return agent_name(self.name)


@dataclass(frozen=True, slots=True)
class Question:
    """Something only the client can answer, as a request to it: a form for the person, a sample, its roots."""

    method: str
    params: JsonObject = field(default_factory=dict)

    @property
    def capability(self) -> str:
        return _CAPABILITY[self.method]


@dataclass(frozen=True, slots=True)
class Call(Generic[S]):
    """One call of a tool, prompt or resource.

    `replies` are the client's answers to questions of an earlier round and `kept` what was sealed with them; without
    `kept` a reply proves nothing.
    """

    services: S
    client: Client
    capabilities: JsonObject
    asker: Callable[[Mapping[str, Question], Json], Mapping[str, JsonObject]]
    is_cancelled: Callable[[], bool]
    replies: Mapping[str, JsonObject] = field(default_factory=dict)
    kept: Json = None

    def can_ask(self, question: Question) -> bool:
        return question.capability in self.capabilities

    def ask(self, questions: Mapping[str, Question], *, keep: Json = None) -> Mapping[str, JsonObject]:
        """Return the client's answers; where clients are stateless the call ends here and begins again with them.

        Raises:
            MissingCapability: the client did not say that it can answer such a question.
            NotAnswered: there is no way to ask now, or no answer came.
        """
        missing = sorted({each.capability for each in questions.values() if not self.can_ask(each)})
        if missing:
            raise MissingCapability(missing)
        return self.asker(questions, keep)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers. `structured` is absent or contains the text, because some hosts show a model only that."""

    content: Sequence[JsonObject]
    structured: Json = None
    is_error: bool = False

    def shape(self) -> dict[str, Json]:
        said: dict[str, Json] = {"content": self.content, "isError": self.is_error}
        return said if self.structured is None else {**said, "structuredContent": self.structured}


def text(words: str) -> JsonObject:
    return {"type": "text", "text": words}


def json_answer(value: Json, *notes: str) -> Answer:
    """Answer with one JSON text, and a text of its own for each note."""
    return Answer([text(dumps(value)), *map(text, notes)])


def failed(sentence: str) -> Answer:
    return Answer([text(sentence)], is_error=True)


@dataclass(frozen=True, slots=True)
class Tool(Generic[S]):
    """One tool. `schema` is the JSON schema of its arguments; `run` gets them checked, with the schema's defaults.

    Those that it `ignores` are not even checked: they are in the schema because the contract shows them.
    """

    name: str
    description: str
    schema: JsonObject
    run: Callable[[Call[S], Arguments], Answer]
    annotations: JsonObject = field(default_factory=dict)
    meta: JsonObject = field(default_factory=dict)
    ignores: frozenset[str] = frozenset()

    def shape(self) -> dict[str, Json]:
        optional = {"annotations": self.annotations, "_meta": self.meta}
        said: dict[str, Json] = {"name": self.name, "description": self.description, "inputSchema": self.schema}
        return {**said, **{name: value for name, value in optional.items() if value}}


@dataclass(frozen=True, slots=True)
class Prompt(Generic[S]):
    """A prompt. `arguments` says each name and whether it is required; `run` returns the messages."""

    name: str
    description: str
    run: Callable[[Call[S], Mapping[str, Json]], Sequence[JsonObject]]
    arguments: Mapping[str, bool] = field(default_factory=dict)

    def shape(self) -> dict[str, Json]:
        arguments: Json = [{"name": name, "required": required} for name, required in self.arguments.items()]
        return {"name": self.name, "description": self.description, "arguments": arguments}


@dataclass(frozen=True, slots=True)
class Resources(Generic[S]):
    """Things with an address. `read` returns the contents, or None when nothing has that address."""

    all: Callable[[Call[S]], Sequence[JsonObject]]
    read: Callable[[Call[S], str], Sequence[JsonObject] | None]
    templates: Sequence[JsonObject] = ()


@dataclass(frozen=True, slots=True)
class Dialect(Generic[S]):
    """A tool contract. `instructions` reach the model before any tool does; hosts cut them at 512 characters."""

    name: str
    instructions: str
    tools: Sequence[Tool[S]]
    prompts: Sequence[Prompt[S]] = ()
    resources: Resources[S] | None = None
    complete: Callable[[Call[S], JsonObject], Sequence[str]] | None = None

    def tool(self, name: str) -> Tool[S] | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def prompt(self, name: str) -> Prompt[S] | None:
        return next((prompt for prompt in self.prompts if prompt.name == name), None)

    def capabilities(self) -> JsonObject:
        has = {"tools": True, "prompts": self.prompts, "resources": self.resources, "completions": self.complete}
        return {name: {} for name, there in has.items() if there}
