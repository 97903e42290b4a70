"""A home whose ledger and index tests write to directly, and what its index must answer."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import apsw

from indexing import batch, event, stream
from ledger.keeping import everything
from ledger.world import cited, statement
from quoth.core.ids import DeviceId, EntryId, EventId, ProjectId, SessionId, SourceId
from quoth.core.ledger import chain, codec
from quoth.core.ledger.merge import fold
from quoth.core.ledger.operations import Assert, Body, Draft, Forget, Operation, asserting, restoring
from quoth.core.ledger.state import Ledger
from quoth.core.memory import EntryFilter, EntryRow, Fate, MemoryIndex
from quoth.core.model import EventRow, Filter, Kind, Located, Place, Role
from quoth.core.ports import Index
from quoth.core.query import Query
from quoth.services._memory import Memory
from quoth.storage._ledger import LedgerFile
from quoth.wiring import Kernel

PAGE: dict[str, Any] = {"limit": 1_000, "offset": 0}
ALWAYS = EntryFilter(now=None)
CODEX = SourceId("codex")
ALL = Filter(include_tools=True)


class Home:
    """A kernel without logs; `index` and `ledger` are those that it opens."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"HOME": str(folder), "QUOTH_HOME": str(folder / "quoth"), "USER": "me", "QUOTH_WORKER": "off"}
        self._kernel = Kernel(self.env)

    @property
    def kernel(self) -> Kernel:
        return self._kernel

    @property
    def index(self) -> Index:
        return self._kernel.index

    @property
    def held(self) -> MemoryIndex:
        return self._kernel.index.memory

    @property
    def memory(self) -> Memory:
        return self._kernel.memory

    @cached_property
    def ledger(self) -> LedgerFile:
        assert isinstance(self._kernel.ledger, LedgerFile)
        return self._kernel.ledger

    def close(self) -> None:
        self._kernel.close()

    def reopen(self) -> None:
        """Go on as another process."""
        self._kernel.close()
        self.__dict__.pop("ledger", None)
        self._kernel = Kernel(self.env)

    def without_index(self) -> None:
        """Lose the index and go on."""
        self._kernel.close()
        for path in self.folder.glob("quoth/index-*"):
            path.unlink()
        self.reopen()

    def says(self, *bodies: Body, actor: str = "codex@desk", reason: str = "") -> Sequence[Operation]:
        """Append operations and show them."""
        operations = self.memory.append([Draft(body, actor, reason) for body in bodies])
        self.memory.catch_up()
        return operations

    def forgets(self, *names: str) -> Operation:
        """Forget events by the part of their id behind the colon."""
        (operation,) = self.says(Forget(events=tuple(map(ident, names))))
        return operation

    def restores(self, forgotten: Operation) -> None:
        assert isinstance(forgotten.body, Forget)
        self.says(restoring(forgotten.id, forgotten.body))

    def put(self, *located: Located, settle: bool = True, **of: Any) -> None:
        self.index.put([batch(stream(source=CODEX, **of), *located)])
        if settle:
            self.index.settle()

    def folded(self) -> Ledger:
        """Fold everything at once, under the names that events have in the index."""
        return fold(everything(self.ledger), resolve=lambda each: self.held.spellings(each)[0])

    # --- questions ---

    def rows(self, words: str) -> Sequence[EventRow]:
        """Return the events that hold words, tool traffic included."""
        return self.index.search(Query.parse(words), ALL, **PAGE)

    def found(self, words: str) -> list[str]:
        return [row.text for row in self.rows(words)]

    def entries(self, words: str, where: EntryFilter = ALWAYS) -> list[str]:
        return [_text(row) for row in self.held.search(Query.parse(words), where, **PAGE)]

    def shown(self, session: str = "s1", source: SourceId = CODEX) -> list[str]:
        rows = self.index.session_events(source, SessionId(session), everything=True, **PAGE)
        return [row.text for row in rows]

    def fates(self, ids: Iterable[str]) -> dict[str, Fate]:
        return {each: self.held.fate(each) for each in ids}


def said(name: str, text: str, **more: Any) -> Located:
    return event(name, text, source=CODEX, **more)


def talk(home: Home) -> None:
    """Read two messages and a result of a tool, e1 to e3."""
    home.put(
        said("e1", "zebra first", line=1, cwd="/srv/app"),
        said("e2", "lion second", line=2, cwd="/srv/app", role=Role.ASSISTANT),
        said("e3", "tiger third", line=3, cwd="/srv/app", role=Role.ASSISTANT, kind=Kind.TOOL_RESULT),
    )
    home.index.place([Place("/srv/app", ProjectId("git:host/me/app"), "app", "me")])


def records(written: Sequence[Operation]) -> list[tuple[chain.Record, chain.Payload | None]]:
    """Chain operations that were made without a ledger, as the devices that wrote them would send them."""
    last: dict[DeviceId, chain.Record] = {}
    sent: list[tuple[chain.Record, chain.Payload | None]] = []
    for each in written:
        header = each.header
        bound, data = codec.encode(Draft(each.body, header.actor, header.reason or ""))
        payload = chain.Payload(b"salt" * 8, data)
        last[header.device] = chain.link(
            name=header.id,
            device=header.device,
            after=last.get(header.device),
            time=header.time,
            kind=codec.kind_of(each.body),
            actor=header.actor,
            bound=bound,
            payload=payload,
        )
        sent.append((last[header.device], payload))
    return sent


def chunks(things: Sequence[Any], rng: random.Random) -> Iterable[Sequence[Any]]:
    start = 0
    while start < len(things):
        size = rng.randrange(1, 12)
        yield things[start : start + size]
        start += size


def _text(row: EntryRow) -> str:
    assert row.version.statement
    return row.version.statement.text


def identity(number: int) -> EntryId:
    return EntryId(f"ent_{number:032x}")


def ident(name: str) -> EventId:
    return EventId(f"codex:{name}")


def first(number: int, text: str, *events: str, **more: Any) -> Assert:
    """Return the first version of an entry."""
    return asserting(identity(number), statement(text, **more), cited(*map(ident, events)))


def later(number: int, text: str, root: int = 1, **more: Any) -> Assert:
    """Return a version that replaces the first one and saw no other."""
    base = identity(root)
    return asserting(identity(number), statement(text, **more), root=base, supersedes=base, saw=[base])


def texts(rows: Iterable[EntryRow]) -> list[str | None]:
    return [row.version.statement.text if row.version.statement else None for row in rows]


def _ask(home: Home, sql: str) -> list[Any]:
    (path,) = home.folder.glob("quoth/index-*.db")
    db = apsw.Connection(str(path))
    try:
        return [value for (value,) in db.execute(sql)]
    finally:
        db.close()


def rows_with(home: Home, word: str) -> int:
    """Return how many rows of full text hold a word."""
    return sum(_ask(home, f"SELECT count(*) FROM {on} WHERE {on} MATCH '{word}'")[0] for on in ("spoken", "tools"))


def stored(home: Home) -> list[str]:
    return _ask(home, "SELECT text FROM texts")
