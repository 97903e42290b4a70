"""A client of the real server process, over its pipes, line by line."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import published

from running import Run

PATIENCE = 30  # seconds; a server that says nothing fails its test


class Wire:
    """One connection. Every line the server writes must be a message."""

    def __init__(self, run: Run, *args: str, cwd: Path | None = None, **env: str | None) -> None:
        self.process = subprocess.Popen(
            run.command("mcp", *args),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=run.environment(env),
            cwd=cwd or run.person,
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._ids = count(1)
        self._others: dict[object, Any] = {}
        self._errors: list[bytes] = []
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._hear, self._overhear)]
        for thread in self._threads:
            thread.start()

    @classmethod
    @contextmanager
    def factory(cls, run: Run) -> Iterator[Callable[..., Wire]]:
        """Give a way to start servers; those still running at the end are killed."""
        started: list[Wire] = []

        def start(*args: str, cwd: Path | None = None, **env: str | None) -> Wire:
            started.append(cls(run, *args, cwd=cwd, **env))
            return started[-1]

        try:
            yield start
        finally:
            for wire in started:
                wire.kill()

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, Any] | None = None, *, modern: bool = False) -> dict[str, Any]:
        """Send a request and return it."""
        request = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": dict(params or {})}
        if modern:
            request["params"]["_meta"] = published.meta()
        self.write(json.dumps(request).encode() + b"\n")
        return request

    def read(self) -> Any:
        """Return the next message of the server."""
        line = self._lines.get(timeout=PATIENCE)
        assert line is not None, "the server closed its output"
        return json.loads(line)

    def reply_to(self, request: dict[str, Any]) -> Any:
        """Return the reply to a request, keeping those to others."""
        while request["id"] not in self._others:
            said = self.read()
            self._others[said["id"]] = said
        reply = self._others.pop(request["id"])
        published.check(request, reply)
        return reply

    def result(self, method: str, params: dict[str, Any] | None = None, *, modern: bool = False) -> Any:
        reply = self.reply_to(self.send(method, params, modern=modern))
        assert "result" in reply, reply
        return reply["result"]

    def greet(self, version: str = published.LEGACY, **capabilities: Any) -> Any:
        client = {"name": "test", "version": "1"}
        answer = self.result(
            "initialize", {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}
        )
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return answer

    def texts(self, tool: str, **arguments: Any) -> list[str]:
        """Return the texts with which a tool answered."""
        answer = self.result("tools/call", {"name": tool, "arguments": arguments}, modern=True)
        assert not answer["isError"], answer
        return [item["text"] for item in answer["content"]]

    def call(self, tool: str, **arguments: Any) -> Any:
        return json.loads(self.texts(tool, **arguments)[0])

    def close(self) -> int:
        """Go as clients do, and return the exit status of the server."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.ended()

    def terminate(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        code = self.process.wait(timeout=PATIENCE)
        for thread in self._threads:
            thread.join(timeout=PATIENCE)
        return code

    @property
    def errors(self) -> str:
        """What the server wrote to standard error; whole once it ended."""
        return b"".join(self._errors).decode()

    def kill(self) -> None:
        self.process.kill()
        self.ended()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _overhear(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._errors.append(line)
