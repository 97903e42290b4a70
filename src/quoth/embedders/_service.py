"""Ask a service for vectors, over HTTP, as OpenAI's is asked. Texts leave the machine: the person chose so. Secrets in
them do not, as far as they are recognised."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import Any, NoReturn
from urllib.parse import urlsplit

from quoth._version import __version__
from quoth.core.errors import EmbedderFailed
from quoth.core.redact import redact_part
from quoth.core.vectors import LONGEST, Use, Vectors, tidy, unit

_WINDOW = 4_000  # characters: services read some 8,000 tokens, and a Chinese character can be two
_STEP = 3_600
_WINDOWS = 2
_TOGETHER = 32
_LARGEST = 64 << 20
_BOTH_WAYS = 2  # `SHUT_RDWR` of every system
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_AGENT = f"quoth/{__version__}"  # some services refuse what Python's libraries call themselves
_REMEDY = "See `quoth config` for its address, key and model."


@dataclass(frozen=True)
class Service:
    """An address with a model. Redirections are not followed, so that the key goes nowhere else."""

    name: str
    url: str
    """The address of the embeddings, such as `https://host/v1/embeddings`."""
    asked_model: str
    key: str | None = field(default=None, repr=False)
    wanted: int | None = None
    """The dimensions to ask for, where a service lets one choose."""
    patience: float = 30

    scale = ((0.20, 0.0), (0.40, 0.3), (0.60, 0.8), (0.80, 1.0))
    """A guess: models differ, and no table was fitted for one of a service. Words count beside it all the same."""

    @property
    def model(self) -> str:
        spelled = re.sub(r"[^a-z0-9.]+", "-", self.asked_model.lower()).strip("-.")[:32]
        where = hashlib.sha256(f"{self.url} {self.asked_model}".encode()).hexdigest()[:8]
        return f"{self.name}-{spelled}-{self.dimensions}-{where}-1"

    @cached_property
    def dimensions(self) -> int:
        """Return what was asked for, or else what the service answers: it is asked once."""
        if self.wanted is not None:
            return self.wanted
        (first,) = self._rows(["dimensions"], "query")
        return len(first)

    def check(self) -> None:
        connection, _ = self._connection()
        connection.close()

    def embed(self, texts: Sequence[str], *, use: Use) -> Sequence[Vectors]:
        windows = [[*_windows(tidy(redact_part(text, 0, LONGEST).text), use)] for text in texts]
        flat = [window for some in windows for window in some]
        size = self.dimensions if flat else 0
        rows = iter([self._vector(row, size) for row in self._rows(flat, use)])
        return [Vectors(size or 1, b"".join(next(rows) for _ in some)) for some in windows]

    def options(self, use: Use) -> Mapping[str, object]:
        """Return what a request says beside its texts."""
        size = {} if self.wanted is None else {"dimensions": self.wanted}
        return {"encoding_format": "float", **size}

    def _rows(self, texts: Sequence[str], use: Use) -> Iterator[Sequence[float]]:
        for at in range(0, len(texts), _TOGETHER):
            some = texts[at : at + _TOGETHER]
            body = {"model": self.asked_model, **self.options(use), "input": some}
            yield from self._parsed(self._answer(json.dumps(body).encode()), len(some))

    def _answer(self, body: bytes) -> bytes:
        connection, path = self._connection()
        deadline = time.monotonic() + self.patience
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": _AGENT}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            with closing(connection), _hanging_up(connection, self.patience):
                connection.request("POST", path, body, headers)
                with connection.getresponse() as response:
                    return self._content(response, deadline)
        except (OSError, HTTPException, ValueError) as error:  # a key that can't be in a header is a ValueError
            self._fail(f"it does not answer ({type(error).__name__})")

    def _content(self, response: HTTPResponse, deadline: float) -> bytes:
        """Return an answer, however slowly it drips, within bounds."""
        if response.status != 200:
            self._fail(f"it answers with status {response.status}")
        content = bytearray()
        while len(content) <= _LARGEST and (piece := response.read1(1 << 20)):
            content += piece
        if len(content) > _LARGEST or time.monotonic() >= deadline:
            self._fail("its answer is too long, or takes too long")
        return bytes(content)

    def _connection(self) -> tuple[HTTPConnection, str]:
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            self._fail("its address is no address")
        if not self.key and self.url == getattr(type(self), "url", None):  # one at an address of yours may need none
            self._fail("it needs a key: set QUOTH_EMBEDDER_KEY")
        if parts.username or parts.password or not host or parts.scheme not in {"http", "https"}:
            self._fail("its address must be like https://host/v1/embeddings, without a name or password")
        if parts.scheme == "http" and host not in _LOOPBACK:
            self._fail("texts go to another machine over https alone")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        return kind(host, port, timeout=self.patience), parts._replace(
            scheme="", netloc="", fragment=""
        ).geturl() or "/"

    def _parsed(self, content: bytes, count: int) -> Sequence[Sequence[float]]:
        """Return the rows in the order of the texts."""
        try:
            data: list[dict[str, Any]] = json.loads(content)["data"]
            placed = {
                int(one.get("index", place)): [float(x) for x in one["embedding"]] for place, one in enumerate(data)
            }
            return [placed[place] for place in range(count)]
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            self._fail("its answer has no vectors in it")

    def _vector(self, row: Sequence[float], size: int) -> bytes:
        found = unit(row)
        if found is None or found.dimensions != size:
            self._fail("it answers with vectors of another size, or without direction")
        return found.data

    def _fail(self, why: str) -> NoReturn:
        # What went wrong inside may spell the key, a text or an answer: no trace of it goes on.
        raise EmbedderFailed(self.name, why, _REMEDY) from None


@contextmanager
def _hanging_up(connection: HTTPConnection, seconds: float) -> Iterator[None]:
    """End a conversation that takes longer in all: each piece of an answer may come in time, and the whole never."""

    def hang_up() -> None:
        with suppress(OSError, ValueError):  # it is over already
            if connection.sock:
                connection.sock.shutdown(_BOTH_WAYS)

    timer = Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _windows(text: str, use: Use) -> Iterator[str]:
    """Yield the first parts of a tidy text that are read at once; a question has one at most."""
    most = 1 if use == "query" else _WINDOWS
    for start in range(0, min(most * _STEP, max(1, len(text) - (_WINDOW - _STEP))) if text else 0, _STEP):
        yield text[start : start + _WINDOW]
