"""Show in the index what the ledger says: replace all that is held of some roots and events."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from quoth.core.ids import EntryId, EventId
from quoth.core.ledger.entries import HiddenEvent, Root
from quoth.core.ledger.operations import Subjects
from quoth.core.ledger.state import Ledger
from quoth.core.memory import Respelled
from quoth.storage import _memory_rows
from quoth.storage._database import Database
from quoth.storage._hidden import DESTROYED, FORGOTTEN, RESPELLED, Hiding
from quoth.storage._settle import settle
from quoth.storage._shelves import Indexed, Shelves

CURSOR = "ledger"


class Projection:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._shelves = Shelves(db)

    def cursor(self) -> int:
        row = self._db.one("metadata", key=CURSOR)
        return int(row[0]) if row else 0

    def respelled(self) -> Respelled:
        with self._db.reading():
            events = frozenset(EventId(id_) for (id_,) in self._db.all("respelled"))
            return Respelled(self._mark(), events)

    def _mark(self) -> int:
        row = self._db.one("metadata", key=RESPELLED)
        return int(row[0]) if row else 0

    def project(self, ledger: Ledger, reach: Subjects, *, cursor: int, after: int | None, mark: int) -> bool:
        """Replace what is held of what `reach` names; of everything, when `after` is None.

        Return False, and change nothing, when another process was faster or events got other ids meanwhile.
        """
        with self._db.leaving_nothing():
            try:
                with self._db.writing():
                    if mark != self._mark() or after not in {None, self.cursor()}:
                        return False
                    self._replace(ledger, reach if after is not None else reach | self._held(), cursor)
            except BaseException:
                self._shelves.forget()
                raise
        if _destroys(ledger, reach):
            self._db.empty_log()
        return True

    def _replace(self, ledger: Ledger, reach: Subjects, cursor: int) -> None:
        words = self._roots(ledger, reach.entries)
        self._events(ledger, reach.events)
        self._db.all("set_metadata", key=CURSOR, value=cursor)
        self._db.all("say_again")
        settle(self._db)
        # Full text is last: every statement on another table would make it write what it holds.
        self._db.many("index_entry", sorted(words))
        self._shelves.close()

    def _held(self) -> Subjects:
        roots = frozenset(EntryId(root) for (root,) in self._db.all("all_roots"))
        return Subjects(roots, frozenset(EventId(id_) for (id_,) in self._db.all("all_hidden")))

    # --- roots ---

    def _roots(self, ledger: Ledger, reached: Collection[EntryId]) -> list[Indexed]:
        """Write roots anew and return the words of their current versions."""
        roots = json.dumps(sorted(reached))
        held = self._db.all("versions_held", roots=roots)
        self._db.many("unindex_entry", ((number,) for number, is_indexed in held if is_indexed))
        for query in ("drop_versions", "drop_citations", "drop_relations", "show_roots"):
            self._db.all(query, roots=roots)
        return [words for each in sorted(reached) if each in ledger.roots for words in self._root(ledger, each)]

    def _root(self, ledger: Ledger, id_: EntryId) -> Iterable[Indexed]:
        root = ledger.roots[id_]
        self._db.many("add_citation", ((id_, event) for event in sorted(root.cited)))
        self._db.many("add_relation", _relations(root))
        if ledger.is_hidden(root):
            self._db.many("hide_root", [(id_,)])
        return list(self._versions(ledger, root))

    def _versions(self, ledger: Ledger, root: Root) -> Iterable[Indexed]:
        for place, entry in enumerate(root.versions):
            found = _memory_rows.indexed(ledger, entry)
            columns = _memory_rows.columns(ledger, root, entry, place, found=found)
            ((number,),) = self._db.all("add_version", **columns)
            if found:
                yield number, *found

    # --- events ---

    def _events(self, ledger: Ledger, reached: Collection[EventId]) -> None:
        """Hide and show events under the ids by which the ledger names them now."""
        fates = {event: fate for event in reached if (fate := _fate(ledger.event(event)))}
        ids = json.dumps(sorted(reached))
        self._db.all("unhide", ids=ids)
        self._db.many("hide", fates.items())
        self._db.all("spelled", ids=ids)
        Hiding(self._db, self._shelves).decide({number for (number,) in self._db.all("numbers_of_ids", ids=ids)})


def _destroys(ledger: Ledger, reach: Subjects) -> bool:
    roots = [ledger.roots[root] for root in reach.entries if root in ledger.roots]
    is_wiped = any(root.destroyed or any(each.statement is None for each in root.versions) for root in roots)
    return is_wiped or any(ledger.event(event).destroyed for event in reach.events)


def _fate(event: HiddenEvent) -> int:
    return DESTROYED if event.destroyed else FORGOTTEN if event.is_hidden else 0


def _relations(root: Root) -> list[tuple[str, ...]]:
    return sorted((root.id, e.relation, e.entry, e.root, e.other, e.other_root) for e in root.relations)
