"""Keep what a log took back: what turned out to be a repeat stays one in later lives of the file.

A log that was cut may have lost the lines that told. What repeats it was said in an earlier life, and is still shown.
"""

from __future__ import annotations

import json

from quoth.core.model import Batch
from quoth.storage._database import Database
from quoth.storage._drafts import Draft, Drafts


def reclassify(db: Database, drafts: Drafts, batch: Batch, *, is_new: bool) -> None:
    """Give the events of a batch the kinds that the lives of its file settled; `is_new`: it has lines never read."""
    if is_new and batch.reclassified:
        _note(db, drafts, batch)
    by_number = {draft.number: draft for draft in drafts.events.values() if batch.reclassified or not draft.is_new}
    if not by_number:
        return
    for number, kind, stream, line, life in db.all("reclassified", numbers=json.dumps(list(by_number))):
        if _counts(by_number[number], stream, line, life):
            _set_kind(by_number[number], kind)


def _note(db: Database, drafts: Drafts, batch: Batch) -> None:
    """Note what the stream takes back of what it has read."""
    kinds = {said.id: said.kind for said in batch.reclassified if said.id in drafts.events}
    numbers = {drafts.events[id_].number: kind for id_, kind in kinds.items()}
    rank, lines = batch.stream.rank, batch.progress.lines
    read = {number for (number,) in db.all("read_in", numbers=json.dumps(list(numbers)), stream=rank)}
    read.update(number for number, *_ in drafts.anchors)
    db.many("reclassify", ((number, rank, lines, kind) for number, kind in numbers.items() if number in read))


def _counts(draft: Draft, stream: int, line: int, life: int) -> bool:
    """Tell whether the last version of an event comes from this life of the file, and is older than what was told."""
    last, at, _ = draft.last
    return life == last and (stream < last or (stream == last and line >= at))


def _set_kind(draft: Draft, kind: str) -> None:
    if draft.kind != kind:
        draft.kind = kind
        draft.is_reclassified = True
