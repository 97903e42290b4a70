"""Serve one client over two pipes: one message a line, and nothing but messages on the output.

The reading thread answers what needs no service at once and gives every other request a thread, so that a slow call
never keeps a ping, a cancellation or an answer to a question waiting.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Generic, TypeVar

from quoth.surfaces.mcp import messages
from quoth.surfaces.mcp.connection import Connection, Running
from quoth.surfaces.mcp.messages import Notification, Request, Response
from quoth.surfaces.mcp.protocol import InvalidRequest, JsonObject, ParseFailed, Refused
from quoth.surfaces.mcp.server import Server

if TYPE_CHECKING:
    from quoth.core.model import Json

S = TypeVar("S")

LONGEST = 8 << 20  # bytes of a message; a longer one is refused without being held in memory
_AT_ONCE = 64  # calls; the next message waits until one of them is done
_BATCHED = "2025-03-26"  # the one version whose clients may send several messages in a list
_BATCH = 100


class Output:
    """Writes whole lines to a file descriptor; a client that is gone is no error."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def send(self, message: Json) -> None:
        data = memoryview(messages.encode(message) + b"\n")
        with self._lock:
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError:
                return


class Stdio(Generic[S]):
    """One connection. `has_listed` is set when the client got its first list of tools."""

    def __init__(self, server: Server[S], output: Output) -> None:
        self.has_listed = threading.Event()
        self._server = server
        self._output = output
        self._connection = Connection(output.send)
        self._room = threading.Semaphore(_AT_ONCE)
        self._threads: set[threading.Thread] = set()

    def serve(self, stream: BinaryIO) -> None:
        """Answer until the client closes its end."""
        for line in lines(stream):
            if line is None:
                self._refuse(ParseFailed(f"a message may have at most {LONGEST} bytes"))
            elif line.strip():
                self._take(line)

    def drain(self, seconds: float) -> bool:
        """Let running calls finish, but wait for nothing that the client would have to say; True when all did."""
        self._connection.close()
        end, running = time.monotonic() + seconds, [*self._threads]
        for thread in running:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in running)

    def _take(self, line: bytes) -> None:
        try:
            value = messages.decode(line)
            if isinstance(value, list) and self._connection.greeting.version == _BATCHED:
                self._take_batch(value)
            else:
                self._dispatch(messages.message(value))
        except Refused as refused:
            self._refuse(refused)

    def _dispatch(self, message: Request | Notification | Response) -> None:
        match message:
            case Notification():
                self._connection.notice(message)
            case Response():
                self._connection.deliver(message)
            case Request():
                running = self._connection.begin(message)
                if self._server.is_quick(message):
                    self._answer(message, running)
                else:
                    self._start(message, running)

    def _start(self, request: Request, running: Running) -> None:
        def work() -> None:
            try:
                self._answer(request, running)
            finally:
                self._room.release()
                self._threads.discard(thread)

        self._room.acquire()
        thread = threading.Thread(target=work, name=f"call {request.method}", daemon=True)
        self._threads.add(thread)
        thread.start()

    def _answer(self, request: Request, running: Running) -> None:
        reply = self._server.answer(request, self._connection, running)
        self._connection.end(request)
        if reply is not None:
            self._output.send(reply)
        if request.method == "tools/list":
            self.has_listed.set()

    def _refuse(self, refused: Refused) -> None:
        self._output.send(messages.failure(refused, refused.id))

    # --- lists of messages, which one old version knows ---

    def _take_batch(self, values: list[Json]) -> None:
        if not 0 < len(values) <= _BATCH:
            raise InvalidRequest(f"a list has 1 to {_BATCH} messages")
        if replies := [reply for value in values if (reply := self._one_of_batch(value)) is not None]:
            self._output.send(replies)

    def _one_of_batch(self, value: Json) -> JsonObject | None:
        try:
            message = messages.message(value)
        except Refused as refused:
            return messages.failure(refused, refused.id)
        if isinstance(message, Request):
            return self._server.answer(message, self._connection)
        self._dispatch(message)
        return None


def lines(stream: BinaryIO, *, longest: int = LONGEST) -> Iterator[bytes | None]:
    """Yield the lines of a stream, the last one also without its end; None for one that is too long."""
    while line := stream.readline(longest + 1):
        if len(line) <= longest or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(1 << 16)
        yield None
