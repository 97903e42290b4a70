"""Ask the worker of a home: how near texts are to a question. It is a favour: whatever goes wrong, nobody notices."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.core.candidates import Compared
from quoth.core.errors import Busy
from quoth.core.vectors import LONGEST, Near, TextKey, Use
from quoth.remotes._places import LOCK, folder, found

if TYPE_CHECKING:
    from quoth.core.model import Json

_PATIENCE_MS = 60  # DESIGN §7
_ANNOUNCED = 0.01  # seconds to say what will be asked
_PAUSE = 0.02  # seconds between two looks for a worker that starts
_WORD = 0.5  # seconds for a word about itself
_LEAVING = 30.0  # seconds until it has left: it finishes the texts that it reads just now


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """`identity` says which program and embedder is meant: a worker of another one leaves, and is replaced.

    `start` starts a worker; None where nobody should.
    """

    home: Path
    identity: str
    start: Callable[[], None] | None

    def compare(
        self,
        text: str,
        *,
        nearest: int,
        also: Collection[TextKey] = (),
        among: Collection[TextKey] | None = None,
        use: Use = "query",
        wait_ms: int | None = None,
    ) -> Compared | None:
        """Ask; as `core.candidates.Meaning`. Who says how long it may take waits for a worker that is only starting."""
        deadline = time.monotonic() + (_PATIENCE_MS if wait_ms is None else wait_ms) / 1000
        asked = partial(self._compared, text, nearest, also, among, use)
        while True:
            compared = asked(seconds=deadline - time.monotonic())
            is_over = wait_ms is None or self.start is None or time.monotonic() + _PAUSE > deadline
            if compared or is_over:
                return compared
            time.sleep(_PAUSE)

    def _compared(
        self,
        text: str,
        nearest: int,
        also: Collection[TextKey],
        among: Collection[TextKey] | None,
        use: Use,
        *,
        seconds: float,
    ) -> Compared | None:
        if found(self.home) is None:
            self._start()
            return None
        from quoth.remotes._line import packed

        request: dict[str, Json] = {
            "ask": "compare",
            "text": text[:LONGEST],
            "nearest": nearest,
            "also": packed(also),
            "among": None if among is None else packed(among),
            "use": use,
        }
        return _compared(self._asked(request, seconds=seconds))

    def expect(self, text: str) -> None:
        """Say that a question will be compared in a moment, so that it is read while its words are looked for."""
        if found(self.home) is not None:
            request: dict[str, Json] = {"ask": "expect", "text": text[:LONGEST], "use": "query"}
            self._asked(request, seconds=_ANNOUNCED, waits=False, starts=False)

    def wake(self) -> None:
        """Say that there may be new texts; where no worker is, start one."""
        if found(self.home) is None:
            self._start()
        else:
            self._asked({"ask": "wake"}, seconds=_WORD, waits=False)

    def ping(self) -> Mapping[str, Json] | None:
        """Return what the worker says of itself; None when there is none."""
        said = self._asked({"ask": "ping"}, seconds=_WORD, starts=False)
        return said if said and "pid" in said else None

    def stop(self) -> bool:
        """Make the worker leave and wait until it has; False when there was none.

        Raises:
            Busy: it goes on.
        """
        from filelock import FileLock, Timeout

        deadline, is_told = time.monotonic() + _LEAVING, False
        while folder(self.home).is_dir():
            is_told = is_told or bool(self._asked({"ask": "leave"}, seconds=_WORD, starts=False))
            try:
                with FileLock(folder(self.home) / LOCK, timeout=_PAUSE, mode=0o600):
                    return is_told
            except Timeout as error:  # it finishes, or it only starts and can't be told yet
                if time.monotonic() > deadline:
                    raise Busy("embedding") from error
            except OSError:  # the home is gone
                break
        return is_told

    def _asked(
        self, request: Mapping[str, Json], *, seconds: float, waits: bool = True, starts: bool = True
    ) -> dict[str, Json] | None:
        """Return what is answered, in time and in its form; None otherwise."""
        if found(self.home) is None:
            return None
        from quoth.remotes import _line

        if not _line.is_possible():
            return None
        deadline = time.monotonic() + seconds
        try:
            line = _line.connect(self.home, seconds=max(0.0001, seconds))
        except OSError:
            if starts:
                self._start()  # it was killed, or it leaves just now
            return None
        with line, suppress(OSError, ValueError):
            _line.send(line, {**request, "for": self.identity})
            if waits:
                return dict(_line.receive(line, seconds=deadline - time.monotonic()))  # type: ignore[arg-type]  # JSON
        return None

    def _start(self) -> None:
        if self.start and self.home.is_dir():
            self.start()


def _compared(said: Mapping[str, Json] | None) -> Compared | None:
    from quoth.remotes._line import unpacked

    match said:
        case {"model": str(model), "keys": keys, "cosines": list(cosines), "scale": list(scale)}:
            with suppress(ValueError, TypeError):
                near = [Near(key, float(cosine)) for key, cosine in zip(unpacked(keys), _numbers(cosines), strict=True)]
                return Compared(model, near, [_point(point) for point in scale])
    return None


def _numbers(said: object) -> list[float]:
    if not isinstance(said, list) or not all(isinstance(number, (int, float)) for number in said):
        raise ValueError
    return said


def _point(said: object) -> tuple[float, float]:
    cosine, relevance = _numbers(said)
    return cosine, relevance
