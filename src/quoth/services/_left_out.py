"""Remember that sessions inside a database were left out, so that they are read once nothing excludes them any more.

A note stands among a stream's mirrored rows, ahead of the first row that came behind what was left out: a killed pass
and a rebuild know it, too. It names the exclusions, hashed, and nothing of what they hide. `null` in their place says
that everything below is read from the beginning again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

import orjson

from quoth.core.model import Form, Json, StreamState
from quoth.core.ports import Allows, everywhere
from quoth.services.exclude import Gate

AGAIN = b'{"left_out":null}'

_KEY = "left_out"
_NOTE = re.compile(rb'\{"left_out":(?:null|\["[0-9a-f]+"(?:,"[0-9a-f]+")*\])\}')  # a torn row may begin like one


@dataclass(frozen=True, slots=True)
class Watch:
    """Asks the gate for the sessions of one file; `seen` are exclusions that hid one, `told` those in the mirror."""

    gate: Gate
    told: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    @property
    def allows(self) -> Allows:
        return self._allows if self.gate.hides_directories else everywhere

    def noted(self, rows: Iterable[bytes]) -> Iterator[bytes]:
        """Yield rows, each behind a note of what was left out before it."""
        for row in rows:
            yield from self._notes()
            yield row
        yield from self._notes()

    def _allows(self, directory: str | None) -> bool:
        hidden_by = self.gate.hides(directory)
        if hidden_by is not None:
            self.seen.add(hidden_by)
        return hidden_by is None

    def _notes(self) -> Iterator[bytes]:
        if new := self.seen - self.told:
            self.told.update(new)
            yield orjson.dumps({_KEY: sorted(new)})


def is_note(row: bytes) -> bool:
    return _NOTE.fullmatch(row) is not None


def after(note: bytes, known: Collection[str]) -> set[str]:
    """Return under which exclusions something is left out, behind a note."""
    return set() if note == AGAIN else {*known, *_names(orjson.loads(note))}


def of(memory: Json) -> set[str]:
    """Return under which exclusions something was left out, as a stream's memory says."""
    return set(_names(memory))


def is_outdated(state: StreamState, present: Collection[str]) -> bool:
    """Tell whether something was left out of a stream under an exclusion that is there no more."""
    return state.stream.form is Form.ROWS and not of(state.progress.parser) <= set(present)


def remembered(known: Collection[str]) -> dict[str, Json]:
    """Return what a stream's memory says; most have nothing to say."""
    return {_KEY: list[Json](sorted(known))} if known else {}


def _names(memory: object) -> list[str]:
    said = memory.get(_KEY) if isinstance(memory, dict) else None
    return [name for name in said if isinstance(name, str)] if isinstance(said, list) else []
