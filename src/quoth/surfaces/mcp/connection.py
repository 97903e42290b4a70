"""One client for as long as it is connected: what `initialize` said, what is being answered, what we asked it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from quoth.surfaces.mcp.dialect import Client, NotAnswered, Question
from quoth.surfaces.mcp.messages import Id, Notification, Request, Response
from quoth.surfaces.mcp.protocol import InvalidRequest, JsonObject

if TYPE_CHECKING:
    from quoth.core.model import Json

Send: TypeAlias = Callable[[JsonObject], None]

PATIENCE = 60.0  # seconds that a person has to answer


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a client said of itself with `initialize`."""

    version: str | None = None
    client: Client = field(default_factory=Client)
    capabilities: JsonObject = field(default_factory=dict)


@dataclass(slots=True)
class Running:
    """A request that is being answered. `stop` ends a wait for the client early."""

    is_cancelled: bool = False
    stop: Callable[[], None] | None = None

    def cancel(self) -> None:
        self.is_cancelled = True
        if self.stop:
            self.stop()


@dataclass(slots=True)
class _Asked:
    arrived: threading.Event = field(default_factory=threading.Event)
    response: Response | None = None


class Connection:
    """`send` takes messages of our own to the client; None when the transport can only answer."""

    def __init__(self, send: Send | None = None, *, principal: str | None = None) -> None:
        self.greeting = Greeting()
        self.principal = principal
        self._send = send
        self._lock = threading.Lock()
        self._running: dict[Id, Running] = {}
        self._asked: dict[Id, _Asked] = {}
        self._numbers = count(1)

    def begin(self, request: Request) -> Running:
        """Note that a request is being answered, before anything else is read from the client.

        Raises:
            InvalidRequest: an unanswered request has the same id.
        """
        with self._lock:
            if request.id in self._running:
                refused = InvalidRequest("another request with this `id` is not answered yet")
                refused.id = request.id
                raise refused
            running = self._running[request.id] = Running()
        return running

    def end(self, request: Request) -> None:
        with self._lock:
            self._running.pop(request.id, None)

    def notice(self, notification: Notification) -> None:
        """Take note of what the client says without waiting for an answer."""
        given = notification.params.get("requestId")
        if notification.method == "notifications/cancelled" and isinstance(given, int | str):
            with self._lock:
                running = self._running.get(given)
            if running:
                running.cancel()

    def deliver(self, response: Response) -> None:
        """Hand an answer of the client to whoever asked; a late or unasked one is dropped."""
        with self._lock:
            asked = self._asked.pop(response.id, None)
        if asked:
            asked.response = response
            asked.arrived.set()

    def close(self) -> None:
        """Stop every wait for the client, which is gone."""
        with self._lock:
            self._send = None
            waiting = [*self._asked.values()]
        for asked in waiting:
            asked.arrived.set()

    def ask(self, questions: Mapping[str, Question], running: Running) -> Mapping[str, JsonObject]:
        """Ask the client in the middle of a call, one question after the other.

        Raises:
            NotAnswered: it can't be asked, answered with an error or not in time, or cancelled the call.
        """
        return {name: self._ask(question, running) for name, question in questions.items()}

    def _ask(self, question: Question, running: Running) -> JsonObject:
        number, asked = f"quoth-{next(self._numbers)}", _Asked()
        with self._lock:
            send, self._asked[number] = self._send, asked
        running.stop = asked.arrived.set
        try:
            if send is None or running.is_cancelled:
                raise NotAnswered("the client can't be asked")
            send({"jsonrpc": "2.0", "id": number, "method": question.method, "params": question.params})
            if not asked.arrived.wait(PATIENCE):
                send(_withdrawal(number))
        finally:
            running.stop = None
            with self._lock:
                self._asked.pop(number, None)
        if asked.response is None or asked.response.result is None:
            raise NotAnswered("the client did not answer")
        return asked.response.result


def _withdrawal(number: Json) -> JsonObject:
    params: JsonObject = {"requestId": number, "reason": "no answer in time"}
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
