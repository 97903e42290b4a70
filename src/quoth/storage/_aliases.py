"""Keep ids answering when the rule that made them has changed: a rebuild hands them over from index to index."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

from quoth.core.ids import EventId
from quoth.core.model import Answered
from quoth.storage._database import Database
from quoth.storage._hidden import Hiding
from quoth.storage._shelves import Shelves

_PORTION = 5_000


def answered(db: Database) -> Iterator[Answered]:
    """Yield every id that answers or once did: those of events, then older ones."""
    after = 0
    while rows := db.all("answered", after=after, limit=_PORTION):
        after = rows[-1][0]
        yield from (Answered(EventId(id_), *place) for _, id_, *place in rows)
    yield from (Answered(EventId(id_), *place) for id_, *place in db.all("answered_aliases"))


def keep(db: Database, older: Iterable[Answered]) -> int:
    """Give events the ids that only an older index has, by the place where they are read.

    Where nothing is read now, because an adapter fails perhaps, the id waits for the next rebuild.
    """
    kept, source = 0, iter(older)
    shelves = Shelves(db)
    with db.writing():
        while portion := {known.id: known for known in islice(source, _PORTION)}:
            lost = [portion[id_] for (id_,) in db.all("unknown_ids", ids=json.dumps(list(portion)))]
            for known in lost:
                place = {"id": known.id, "stream": known.stream, "line": known.line, "part": known.part}
                if not db.all("add_alias", **place):
                    db.all("add_unanswered", **place)
            kept += len(lost)
        Hiding(db, shelves).answer()
        shelves.close()
    return kept
