"""What may answer a question, as ranking sees it: how often it holds each of the words, and what it is; no text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from quoth.core.ids import EntryId, EventId
from quoth.core.vectors import Near, TextKey, Use


class Word(NamedTuple):
    """One thing that is looked for. What was inflected from `stem` counts as much as `form` itself.

    `stem` is the form where nothing is inflected: in scripts without stems here, in identifiers. An open word stands
    for every token that begins with it. A name is written like one: with a capital, a digit, a path.
    """

    form: str
    stem: str
    is_open: bool = False
    is_name: bool = False


@dataclass(slots=True, kw_only=True)
class Hit:
    """An entry or a spoken message that may answer. Nobody changes one; it is not frozen because a question makes a
    thousand of them, and freezing takes seven times as long.

    - `counts`: how often it holds each word of the question, in their order; all are 0 where only its meaning is near.
    - `length`: tokens of its text.
    - `key`: stands for its text; what has the same key says the same.
    - `at`: `created_at` of an entry, the time of an event.
    - `by_person`: what the person said, or had remembered.
    - `agent`: owner of an entry, source of an event.
    - `project`: id of the project that it belongs to; None is none.
    """

    key: TextKey
    counts: tuple[int, ...]
    length: int
    at: int
    by_person: bool
    agent: str | None
    project: str | None
    branch: str | None


@dataclass(slots=True, kw_only=True)
class EntryHit(Hit):
    """`is_current`: nothing replaced it. `cites` are the events that its root cites, `linked` the roots at the other
    ends of its edges (supersedes aside), `against` the current entries that make it doubtful whether it still is so."""

    id: EntryId
    root: EntryId
    type: str | None
    importance: float | None
    is_current: bool
    cites: tuple[EventId, ...] = ()
    linked: tuple[EntryId, ...] = ()
    against: tuple[EntryId, ...] = ()


@dataclass(slots=True, kw_only=True)
class EventHit(Hit):
    """`session` is unique in the store, `place` orders the spoken messages of a session.

    `speaker` is the folded name that the message begins with where several people talk (`core.speaking`)."""

    id: EventId
    session: str
    place: tuple[int, int, int]
    speaker: str | None = None


AnyHit: TypeAlias = EntryHit | EventHit
Beside: TypeAlias = tuple[EventHit | None, EventHit | None]


@dataclass(frozen=True, slots=True)
class Compared:
    """How near texts are to a question, by one model. `scale` are points (cosine, relevance), both rising."""

    model: str
    near: Sequence[Near]
    scale: Sequence[tuple[float, float]]


class Meaning(Protocol):
    """Compares by meaning, where an embedder is at hand."""

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
        """Return the `nearest` texts that are held (of `among`), and of `also` all that are held, each once.

        None when nothing answers in time, for whatever reason: then words alone decide. It is no error, and never
        raises. `wait_ms` is how long it may take; None is the 60 ms of DESIGN §7.
        """
