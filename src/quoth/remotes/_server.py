"""Answer on the socket of the worker: one request a connection, each in a thread of its own, whatever it sends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from quoth.core.candidates import Meaning
from quoth.remotes import _line
from quoth.remotes._places import mark

if TYPE_CHECKING:
    import socket

    from quoth.core.model import Json

_AT_ONCE = 16  # requests; one more is turned away, so that no one who connects and is silent stops the others
_COMPARED = 8  # at once: where an embedder hangs, the rest can still be told to leave
_SILENCE = 2.0  # seconds for a request to come, and for its answer to be taken
_MOST = 1_000  # nearest texts that a question may ask for


class Comparing(Meaning, Protocol):
    """Compares, and can read a question before it is asked."""

    def expect(self, text: str) -> None: ...


class Asked(Protocol):
    """Who answers. Called in many threads at once."""

    def meaning(self) -> Comparing | None:
        """Return what compares; None while it is loading. It counts as a question."""

    def about(self) -> Mapping[str, Json]: ...

    def poke(self) -> None:
        """Hear that there may be new texts."""

    def leave(self) -> None: ...


class Server:
    """Listens from its making on. A request for another identity makes the worker leave: it is to be replaced."""

    def __init__(self, home: Path, identity: str, asked: Asked) -> None:
        """Begin to listen.

        Raises:
            OSError: no socket can be made.
        """
        self._home = home
        self._requests = _Requests(identity, asked)
        self._free = threading.BoundedSemaphore(_AT_ONCE)
        self._socket = _line.listen(home)
        self._mark = mark(home)
        threading.Thread(target=self._accept, name="accept", daemon=True).start()

    def close(self) -> None:
        """Stop listening; the file goes first, so that nobody comes any more. That of a home which took the place of
        this one stays."""
        with suppress(OSError):
            if mark(self._home) == self._mark:
                _line.forsake(self._home)
        self._socket.close()

    def _accept(self) -> None:
        while self._socket.fileno() >= 0:
            with suppress(OSError):  # it is closed, or whoever came is gone
                line, _ = self._socket.accept()
                if self._free.acquire(blocking=False):
                    threading.Thread(target=self._serve, args=(line,), daemon=True).start()
                else:
                    line.close()

    def _serve(self, line: socket.socket) -> None:
        try:
            with line, suppress(Exception):  # a request that can't be answered is not: the door goes on without
                said = self._requests.answer(_line.receive(line, seconds=_SILENCE))
                line.settimeout(_SILENCE)
                _line.send(line, said)
        finally:
            self._free.release()


@dataclass(frozen=True, slots=True)
class _Requests:
    identity: str
    asked: Asked
    free: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(_COMPARED))

    def answer(self, request: Mapping[str, object]) -> Mapping[str, Json]:
        """Answer, or raise anything for what is no request."""
        match request.get("ask"):
            case "ping":
                return self.asked.about()
            case "leave":
                return self._leave()
            case _ if request.get("for") != self.identity:
                return self._leave()
            case "wake":
                self.asked.poke()
                return {}
            case "expect":
                return self._if_free(self._expected, request)
            case "compare":
                return self._if_free(self._compared, request)
        raise ValueError

    def _if_free(
        self, answer: Callable[[Mapping[str, object]], Mapping[str, Json]], request: Mapping[str, object]
    ) -> Mapping[str, Json]:
        if not self.free.acquire(blocking=False):
            return {}
        try:
            return answer(request)
        finally:
            self.free.release()

    def _expected(self, request: Mapping[str, object]) -> Mapping[str, Json]:
        text, meaning = request.get("text"), self.asked.meaning()
        if meaning and isinstance(text, str) and request.get("use") == "query":
            meaning.expect(text)
        return {}

    def _leave(self) -> Mapping[str, Json]:
        self.asked.leave()
        return {"leaves": True}

    def _compared(self, request: Mapping[str, object]) -> Mapping[str, Json]:
        text, use, nearest, among = (request.get(name) for name in ("text", "use", "nearest", "among"))
        if not isinstance(text, str) or use not in {"query", "passage"} or not isinstance(nearest, int):
            raise ValueError
        also = _line.unpacked(request.get("also"))
        within = None if among is None else frozenset(_line.unpacked(among))
        meaning = self.asked.meaning()
        found = meaning and meaning.compare(text, nearest=min(nearest, _MOST), also=also, among=within, use=use)
        if not found:
            return {}
        return {
            "model": found.model,
            "keys": _line.packed([near.key for near in found.near]),
            "cosines": [near.cosine for near in found.near],
            "scale": [[*point] for point in found.scale],
        }
