"""Write batches: events with their anchors and full text, and what logs say of sessions, in one transaction each."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace

from quoth.core.ids import SessionId, SourceId
from quoth.core.model import Batch, Located, Opened
from quoth.core.snippet import cut
from quoth.storage import _drafts
from quoth.storage._database import Database
from quoth.storage._drafts import Draft, Drafts
from quoth.storage._hidden import DESTROYED, Hiding, Reading
from quoth.storage._reclassified import reclassify
from quoth.storage._shelves import Shelved, Shelves, shelf_of
from quoth.storage._twins import Watch

LONGEST = 4_000_000  # characters of an event's text in the index; the mirror holds all of them

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Version:
    """The content of an event as it is stored."""

    role: str
    kind: str
    own: bool
    text: str


class Writer:
    """Remembers the numbers of sessions and directories; they never change while the file is open."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._shelves = Shelves(db)
        self._hiding = Hiding(db, self._shelves)
        self._sessions: dict[tuple[SourceId, SessionId], int] = {}
        self._directories: dict[str, int] = {}

    def put(self, batches: Sequence[Batch]) -> Sequence[int]:
        """Store batches and return how many events of each are new."""
        try:
            with self._db.writing():
                self._hiding.begin()
                new = [self._put(batch) for batch in batches]
                self._shelves.close()
                return new
        except BaseException:
            self._shelves.forget()
            self._sessions.clear()  # some were undone
            self._directories.clear()
            raise

    def _put(self, batch: Batch) -> int:
        before = self._stream(batch)
        drafts = self._draw(batch, before)
        known = [draft.number for draft in drafts.events.values() if not draft.is_new]
        watch = Watch(self._db, self._shelves, batch.stream, known, self._stores(batch, drafts))
        self._insert(drafts.new)
        self._move([draft for draft in drafts.changed if draft.placed])
        self._rewrite([draft for draft in drafts.changed if draft.content or draft.is_reclassified])
        anchored = self._db.many("add_anchor", drafts.anchors)
        repeated = 0
        if anchored or drafts.changed:
            self._copies(drafts)
            self._touch(drafts)
            repeated = watch.settle([draft.number for draft in drafts.events.values()])
            self._hide(batch, drafts, watch.changed)
        self._say(batch)
        self._count(batch, before, anchored)
        return len(drafts.new) - repeated

    def _hide(self, batch: Batch, drafts: Drafts, repeats: set[int]) -> None:
        """Give a common fate to what became a repeat, or none, and to what is named as the ledger does."""
        readings = (Reading(event, line, part, sha256) for event, _, line, part, _, sha256 in drafts.anchors)
        self._hiding.settle(repeats | self._hiding.welcome(batch.stream, drafts.events, readings))
        self._hiding.respell(repeats)

    def _stream(self, batch: Batch) -> int:
        """Record how far the stream is read and return how many lines it was before."""
        stream, progress = batch.stream, batch.progress
        row = self._db.one("lines_of_stream", rank=stream.rank)
        values = {name: getattr(stream, name) for name in stream.__slots__}
        self._db.all(
            "put_stream",
            **values,
            lines=progress.lines,
            offset=progress.offset,
            parser=json.dumps(progress.parser),
            signature=json.dumps(astuple(progress.signature)) if progress.signature else None,
        )
        return row[0] if row else 0

    def _draw(self, batch: Batch, before: int) -> Drafts:
        """Join the batch with what is known; what a stream takes back counts when its lines are read first."""
        ids = [located.event.id for located in batch.events] + [said.id for said in batch.reclassified]
        rows = self._db.all("events_of_ids", ids=json.dumps(ids)) if ids else []
        known = {draft.id: draft for draft in map(_drafts.stored, rows)}
        last = self._db.one("last_event")
        drafts = _drafts.draw(batch, known, (last[0] if last else 0) + 1, self.session)
        reclassify(self._db, drafts, batch, is_new=batch.progress.lines > before)
        for id_, fate in self._hiding.fates([draft.id for draft in drafts.new]).items():
            drafts.events[id_].hidden = fate
        return drafts

    # --- events ---

    def _insert(self, drafts: Sequence[Draft]) -> None:
        texts = [(draft, _text(draft, _content(draft).event.text)) for draft in drafts]
        for draft, text in texts:
            shelf = shelf_of(_content(draft).event.role, draft.kind, text, own=_content(draft).event.own)
            draft.shelved.shelf = None if draft.hidden else shelf
            self._shelves.put(draft.shelved, text)
        self._db.many("add_event", (self._event_values(draft, text) for draft, text in texts))
        self._db.many("add_text", ((draft.number, text) for draft, text in texts))

    def _event_values(self, draft: Draft, text: str) -> tuple[object, ...]:
        event, shelved = _content(draft).event, draft.shelved
        content = (event.role, draft.kind, event.own, len(text), *shelved.columns)
        more = (event.weight, draft.id.partition(":")[0], draft.hidden)
        return (draft.id, *self._place_values(draft), *draft.last, *content, *more)

    def _place_values(self, draft: Draft) -> tuple[object, ...]:
        placed = draft.placed
        assert placed is not None
        event = placed.event
        seen = (self.directory(event.cwd), event.git_branch, event.agent_version)
        return (draft.session, *draft.first, placed.time, placed.time_from, *seen, draft.number)

    def _move(self, drafts: Sequence[Draft]) -> None:
        self._db.many("move_event", map(self._place_values, drafts))

    def _rewrite(self, drafts: Sequence[Draft]) -> None:
        """Store the last version of events; full text is written anew only where the content differs."""
        if not drafts:
            return
        held = self._versions(drafts)
        self._db.many("set_last", ((*draft.last, draft.number) for draft in drafts))
        new = [(draft, _version(draft, held[draft.number])) for draft in drafts]
        changed = [(draft, version) for draft, version in new if version != held[draft.number]]
        for draft, version in changed:
            self._shelves.take(draft.shelved)
            shelf = shelf_of(version.role, version.kind, version.text, own=version.own)
            draft.shelved = Shelved(draft.number, None if draft.twin or draft.hidden else shelf)
            self._shelves.put(draft.shelved, version.text)
        self._db.many("set_content", (_content_values(draft, version) for draft, version in changed))
        self._db.many("set_text", ((version.text, draft.number) for draft, version in changed))

    def _versions(self, drafts: Sequence[Draft]) -> dict[int, Version]:
        rows = self._db.all("versions_of", numbers=json.dumps([draft.number for draft in drafts]))
        return {number: Version(role, kind, bool(own), text) for number, role, kind, own, text in rows}

    def _copies(self, drafts: Drafts) -> None:
        moved = ((draft.was, draft.number) for draft in drafts.changed if draft.was is not None)
        self._db.many("add_copy", moved)
        self._db.many("add_copy", {(session, d.number) for session, d in drafts.reads if session != d.session})

    def _touch(self, drafts: Drafts) -> None:
        sessions = {session for session, _ in drafts.reads}
        sessions.update(draft.session for draft in drafts.changed)
        sessions.update(draft.was for draft in drafts.changed if draft.was is not None)
        self._db.many("touch", ((session,) for session in sessions))

    # --- sessions, and what gave no event ---

    def _stores(self, batch: Batch, drafts: Drafts) -> dict[int, int]:
        """Return the weights of the stores that sessions are read in, as bits; none for one that loses events."""
        touched = (s for draft in drafts.events.values() for s in (draft.session, draft.was) if s is not None)
        stores = dict.fromkeys(touched, 0)
        for session, weight in {(located.event.session, located.event.weight) for located in batch.events}:
            number = self.session(batch.stream.source, session)
            stores[number] = stores.get(number, 0) | 1 << weight
        return stores

    def _say(self, batch: Batch) -> None:
        source, rank = batch.stream.source, batch.stream.rank
        claims = [
            (self.session(source, opened.session), what, value, rank, batch.progress.lines, nth)
            for nth, opened in enumerate(batch.opened)
            for what, value in _claims(opened)
        ]
        titles = [
            (self.session(source, said.session), said.leaf or "", said.title.strip(), said.weight, rank, said.line)
            for said in batch.titles
            if said.title.strip()
        ]
        self._db.many("claim", claims)
        self._db.many("add_title", titles)
        self._db.many("touch", {(said[0],) for said in [*claims, *titles]})
        self._db.many("touch_leaf", ((leaf,) for _, leaf, *_ in titles if leaf))
        # Every directory that a log names counts, whichever reading of an event owns it.
        for cwd in {opened.cwd for opened in batch.opened} | {located.event.cwd for located in batch.events}:
            self.directory(cwd)

    def _count(self, batch: Batch, before: int, anchored: int) -> None:
        """Count what a stream gave; lines that were read before are counted already."""
        rank = batch.stream.rank
        unread = [said for said in batch.unread if said.line > before]
        counted = Counter((said.reason, said.label, said.version) for said in unread)
        first = {(said.reason, said.label, said.version): said.line for said in reversed(unread)}
        self._db.many("add_unread", ((rank, *what, count, first[what]) for what, count in counted.items()))
        has_facts = bool(batch.titles or batch.opened)
        self._db.all("add_to_stream", rank=rank, events=anchored, facts=has_facts)

    # --- numbers ---

    def session(self, source: SourceId, session: SessionId) -> int:
        """Return the number of a session, which may be new."""
        number = self._sessions.get((source, session))
        if number is None:
            ((number,),) = self._db.all("session_number", source=source, id=session)
            self._sessions[source, session] = number
        return number

    def directory(self, cwd: str | None) -> int | None:
        """Return the number of a directory, which may be new."""
        if not cwd:
            return None
        number = self._directories.get(cwd)
        if number is None:
            ((number,),) = self._db.all("directory_number", cwd=cwd)
            self._directories[cwd] = number
        return number


def storable(text: str) -> str:
    """Return the text as the index keeps it: no NUL, no half of a pair, not endless."""
    is_clean = "\0" not in text if text.isascii() else not _UNSTORABLE.search(text)
    return cut(text if is_clean else _UNSTORABLE.sub("\ufffd", text), LONGEST)


def _text(draft: Draft, said: str) -> str:
    return "" if draft.hidden == DESTROYED else storable(said)


def _content(draft: Draft) -> Located:
    assert draft.content is not None
    return draft.content


def _version(draft: Draft, held: Version) -> Version:
    if draft.content is None:
        return replace(held, kind=draft.kind)
    event = draft.content.event
    return Version(event.role, draft.kind, event.own, _text(draft, event.text))


def _content_values(draft: Draft, version: Version) -> tuple[object, ...]:
    shelved = draft.shelved
    content = (version.role, version.kind, version.own, len(version.text))
    return (*content, *shelved.columns, draft.number)


def _claims(opened: Opened) -> Iterator[tuple[str, str]]:
    for what in ("cwd", "remote", "parent", "forked_from"):
        if value := getattr(opened, what):
            yield what, value
    if opened.hidden:
        yield "hidden", "1"
