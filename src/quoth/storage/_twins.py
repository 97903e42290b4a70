"""Recognise an event that is repeated under another id: by a log rewritten in place, or by another store of a session.

A *twin* is an event whose readings all lie in later lives (generations) of one file than those of an event with the
same session, role, kind and text; or one whose store has less weight than that event's. It stays in its table, hidden,
and its id answers as that event's. Equal texts are paired in order, the n-th with the n-th.

Stores write traffic each in its own way. So in a session that has a better store, what is no message and has no equal
there is hidden too, as its own twin; a message that only the lesser store holds is shown.

Twins are a function of what was read, not of when: they are looked at again whenever an event of such a file or session
changes.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from quoth.core.model import Kind, Stream
from quoth.storage._database import Database
from quoth.storage._drafts import Key
from quoth.storage._shelves import Shelved, Shelves, shelf_of

Content: TypeAlias = tuple[int, str, str, str]  # session, role, kind, text
File: TypeAlias = tuple[str, str, str]  # source, root, key


@dataclass(slots=True)
class Member:
    """One event of those that say the same. `lives` are the generations of its file that it was read in."""

    shelved: Shelved
    content: Content
    own: bool
    order: Key
    twin: int | None
    weight: int
    is_hidden: bool
    file: File | None = None
    lives: frozenset[int] = frozenset()


class Watch:
    """Looks at what a batch touches before and after it is written. `stores` are those its sessions are read in."""

    def __init__(
        self, db: Database, shelves: Shelves, stream: Stream, known: Collection[int], stores: Mapping[int, int]
    ) -> None:
        self._db = db
        self._shelves = shelves
        self._joined: set[int] = set()  # sessions that another store was found of
        self.changed: set[int] = set()  # events that are a repeat now or no more, with what they repeat
        has_stores = self._join(stores)
        self._is_needed = (
            has_stores
            or bool(db.all("other_lives", rank=stream.rank))
            or (bool(known) and bool(db.all("read_in_other_lives", numbers=json.dumps(list(known)))))
        )
        self._before = self._contents(known) if self._is_needed else set()

    def settle(self, numbers: Collection[int]) -> int:
        """Pair what the batch touched and return by how many the repeats grew."""
        if not self._is_needed:
            return 0
        contents = self._before | self._contents(numbers)
        for session in self._joined:
            contents |= {tuple(row) for row in self._db.all("traffic_of", session=session)}
        grown = 0
        for group, heaviest in self._groups(contents):
            grown += self._apply(group, pair(group, heaviest))
        return grown

    def _join(self, stores: Mapping[int, int]) -> bool:
        """Note the stores of sessions and tell whether any session has several."""
        held = self._stores(stores)
        now = {session: held[session] | found for session, found in stores.items()}
        grown = [session for session in stores if now[session] != held[session]]
        self._db.many("set_stores", ((now[session], session) for session in grown))
        self._joined = {session for session in grown if now[session].bit_count() > 1}
        return any(found.bit_count() > 1 for found in now.values())

    def _stores(self, sessions: Iterable[int]) -> dict[int, int]:
        return dict(self._db.all("stores_of", sessions=json.dumps(list(sessions))))

    def _contents(self, numbers: Collection[int]) -> set[Content]:
        return {tuple(row) for row in self._db.all("contents_of", numbers=json.dumps(list(numbers)))}

    def _groups(self, contents: set[Content]) -> Iterable[tuple[Sequence[Member], int]]:
        """Yield the events of each content with the weight of their session's best store."""
        sizes: dict[int, set[int]] = defaultdict(set)
        for session, _, _, text in contents:
            sizes[session].add(len(text))
        stores = self._stores(sizes)
        for session, wanted in sizes.items():
            heaviest = max(0, stores[session].bit_length() - 1)
            groups: dict[Content, list[Member]] = defaultdict(list)
            for row in self._db.all("events_of_sizes", session=session, sizes=json.dumps(sorted(wanted))):
                number, role, kind, text, own, stream, line, part, twin, shelf, pieces, weight, hidden = row
                if (content := (session, role, kind, text)) in contents:
                    shelved = Shelved(number, shelf, pieces)
                    place = (stream, line, part)
                    groups[content].append(Member(shelved, content, bool(own), place, twin, weight, bool(hidden)))
            for group in groups.values():
                if len(group) > 1 or group[0].twin or group[0].weight < heaviest:
                    yield self._with_lives(group), heaviest

    def _with_lives(self, group: Sequence[Member]) -> Sequence[Member]:
        lives: dict[int, dict[File, set[int]]] = defaultdict(lambda: defaultdict(set))
        numbers = json.dumps([member.shelved.number for member in group])
        for event, source, root, key, generation in self._db.all("lives_of", numbers=numbers):
            lives[event][source, root, key].add(generation)
        for member in group:
            files = lives[member.shelved.number]
            if len(files) == 1:
                ((member.file, generations),) = files.items()
                member.lives = frozenset(generations)
        return group

    def _apply(self, group: Sequence[Member], twins: Mapping[int, int]) -> int:
        changed = [member for member in group if twins.get(member.shelved.number) != member.twin]
        self._db.many("set_twin", ((twins.get(m.shelved.number), m.shelved.number) for m in changed))
        hidden = [m for m in changed if m.twin is None]
        shown = [m for m in changed if m.shelved.number not in twins]
        for member in hidden:
            self._shelves.take(member.shelved)
            member.shelved = Shelved(member.shelved.number, None)
        for member in shown:
            _, role, kind, text = member.content
            shelf = None if member.is_hidden else shelf_of(role, kind, text, own=member.own)
            member.shelved = Shelved(member.shelved.number, shelf)
            self._shelves.put(member.shelved, text)
        self._db.many("set_shelf", ((*m.shelved.columns, m.shelved.number) for m in [*hidden, *shown]))
        self._db.many("touch", ((m.content[0],) for m in changed))
        for member in changed:
            involved = (member.shelved.number, member.twin, twins.get(member.shelved.number))
            self.changed.update(number for number in involved if number is not None)
        return len(hidden) - len(shown)


def pair(group: Sequence[Member], heaviest: int) -> dict[int, int]:
    """Return which events of equal content are repeats, and of which: file by file, then store by store, in order."""
    twins: dict[int, int] = {}
    for file in {member.file for member in group if member.file}:
        members = sorted((m for m in group if m.file == file), key=lambda member: member.order)
        twins |= _pair_lives(members)
    over = _pair_stores([member for member in group if member.shelved.number not in twins], heaviest)
    return {twin: over.get(original, original) for twin, original in twins.items()} | over


def _pair_stores(members: Sequence[Member], heaviest: int) -> dict[int, int]:
    twins: dict[int, int] = {}
    originals: list[int] = []
    for weight in sorted({member.weight for member in members}, reverse=True):
        held = [m.shelved.number for m in sorted(members, key=lambda m: m.order) if m.weight == weight]
        twins |= dict(zip(held, originals, strict=False))
        alone = held[len(originals) :]
        if weight < heaviest and members[0].content[2] != Kind.MESSAGE:
            twins |= {number: number for number in alone}
        originals += alone
    return twins


def _pair_lives(members: Sequence[Member]) -> dict[int, int]:
    twins: dict[int, int] = {}
    originals: dict[int, set[int]] = {}
    for life in sorted({min(member.lives) for member in members}):
        begun = [member for member in members if min(member.lives) == life]
        absent = [number for number, lives in originals.items() if life not in lives]
        for original, member in zip(absent, begun, strict=False):
            twins[member.shelved.number] = original
            originals[original] |= member.lives
        for member in begun[len(absent) :]:
            originals[member.shelved.number] = set(member.lives)
    return twins
