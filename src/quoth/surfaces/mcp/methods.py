"""The methods that both eras share: what a dialect has, listed and used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from quoth.core.errors import QuothError
from quoth.surfaces.mcp import schema
from quoth.surfaces.mcp.asked import Asked, NeedsInput
from quoth.surfaces.mcp.dialect import Answer, Call, Dialect, Question, Tool, failed
from quoth.surfaces.mcp.paging import PAGE, page
from quoth.surfaces.mcp.protocol import InvalidParams, JsonObject, Refused, UnknownMethod
from quoth.surfaces.mcp.sealing import Seal

if TYPE_CHECKING:
    from quoth.core.model import Json

S = TypeVar("S")

Method: TypeAlias = Callable[[Asked], "Mapping[str, Json]"]


class Methods(Generic[S]):
    """`report` is told of what failed unexpectedly; the client gets no details."""

    def __init__(self, dialect: Dialect[S], services: S, seal: Seal, report: Callable[[Exception], None]) -> None:
        self._dialect = dialect
        self._services = services
        self._seal = seal
        self._report = report

    def table(self) -> dict[str, Method]:
        """Return the methods by name; what the dialect does not have is no method."""
        table: dict[str, Method] = {"tools/list": self._tools, "tools/call": self._call}
        if self._dialect.prompts:
            table |= {"prompts/list": self._prompts, "prompts/get": self._prompt}
        if self._dialect.resources:
            table |= {
                "resources/list": self._resources,
                "resources/templates/list": self._templates,
                "resources/read": self._read,
            }
        if self._dialect.complete:
            table["completion/complete"] = self._complete
        return table

    def tool_as_method(self, asked: Asked) -> Json:
        """Answer a call of a tool's name with the text alone (ENG-6)."""
        tool = self._dialect.tool(asked.request.method)
        if tool is None:
            raise UnknownMethod(asked.request.method)
        arguments = {name: value for name, value in asked.request.params.items() if name != "_meta"}
        return self._used(tool, asked, arguments).content[0].get("text")

    # --- tools ---

    def _tools(self, asked: Asked) -> JsonObject:
        return page("tools", [tool.shape() for tool in self._dialect.tools], asked.param("cursor"))

    def _call(self, asked: Asked) -> JsonObject:
        name = asked.text("name")
        tool = self._dialect.tool(name)
        if tool is None:
            raise InvalidParams(f"Unknown tool: {name[:200]}")
        return self._used(tool, asked, asked.arguments()).shape()

    def _used(self, tool: Tool[S], asked: Asked, arguments: JsonObject) -> Answer:
        """Run a tool; whatever a model can mend is an answer that says so."""
        call = self._made(asked)
        try:
            taken = {name: value for name, value in arguments.items() if name not in tool.ignores}
            return tool.run(call, schema.check(taken, tool.schema))
        except (schema.WrongArguments, QuothError) as error:
            return failed(str(error))
        except (Refused, NeedsInput):
            raise
        except Exception as error:  # a tool's failure is never one of the protocol (ORI-16)
            self._report(error)
            return failed(f"Something unexpected happened ({type(error).__name__}). `quoth doctor` may say more.")

    # --- prompts, resources, completions ---

    def _prompts(self, asked: Asked) -> JsonObject:
        return page("prompts", [prompt.shape() for prompt in self._dialect.prompts], asked.param("cursor"))

    def _prompt(self, asked: Asked) -> JsonObject:
        name, arguments = asked.text("name"), asked.arguments()
        prompt = self._dialect.prompt(name)
        if prompt is None:
            raise InvalidParams(f"Unknown prompt: {name[:200]}")
        if missing := [each for each, required in prompt.arguments.items() if required and each not in arguments]:
            raise InvalidParams(f"The prompt needs the argument {missing[0]}")
        return {"messages": prompt.run(self._made(asked), arguments)}

    def _resources(self, asked: Asked) -> JsonObject:
        resources = self._dialect.resources
        return page("resources", resources.all(self._made(asked)) if resources else (), asked.param("cursor"))

    def _templates(self, asked: Asked) -> JsonObject:
        resources = self._dialect.resources
        return page("resourceTemplates", resources.templates if resources else (), asked.param("cursor"))

    def _read(self, asked: Asked) -> JsonObject:
        uri, resources = asked.text("uri"), self._dialect.resources
        contents = resources.read(self._made(asked), uri) if resources else None
        if contents is None:
            raise InvalidParams("Resource not found", {"uri": uri})
        return {"contents": contents}

    def _complete(self, asked: Asked) -> JsonObject:
        complete = self._dialect.complete
        values = list(complete(self._made(asked), asked.request.params) if complete else ())
        return {"completion": {"values": values[:PAGE], "total": len(values), "hasMore": len(values) > PAGE}}

    # --- asking back ---

    def _made(self, asked: Asked) -> Call[S]:
        """Make the call of a request, with what an earlier round brought."""
        running, params = asked.running, asked.request.params
        kept = None
        if asked.is_modern and "requestState" in params:
            kept = self._seal.open(params["requestState"], belongs_to=asked.belongs_to())
        return Call(
            self._services,
            asked.client,
            asked.capabilities,
            asker=self._asker(asked),
            is_cancelled=lambda: running.is_cancelled,
            replies=asked.replies() if asked.is_modern else {},
            kept=kept,
        )

    def _asker(self, asked: Asked) -> Callable[[Mapping[str, Question], Json], Mapping[str, JsonObject]]:
        """Return how to ask: in the middle of the call, or by ending it until the client comes back with answers."""
        if not asked.is_modern:
            return lambda questions, _: asked.connection.ask(questions, asked.running)
        replies = asked.replies()

        def ask(questions: Mapping[str, Question], keep: Json) -> Mapping[str, JsonObject]:
            if not questions.keys() <= replies.keys():
                raise NeedsInput(questions, keep)
            return {name: replies[name] for name in questions}

        return ask
