"""Look for words in every byte of a home, and do what a purge is tested with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw

from quoth.core.ids import EntryId, EventId, entry_id
from quoth.core.ledger.operations import Draft, asserting
from quoth.core.ledger.values import Citation, EntryKind, Statement
from quoth.core.speaker import Speaker
from quoth.core.spelling import normal
from quoth.readers.compressed import chunks
from quoth.services.purge import Plan
from quoth.wiring import Kernel, Unseen
from services.archive import Archive

PERSON = Speaker()


def purge(archive: Archive, *ids: str, words: str | None = None) -> Plan:
    return archive.ask(lambda kernel: kernel.purge.run(ids, words, by=PERSON, meter=Unseen()))


def plan(archive: Archive, *ids: str, words: str | None = None) -> Plan:
    return archive.ask(lambda kernel: kernel.purge.plan(ids, words, meter=Unseen()))


def left(archive: Archive, words: str) -> list[str]:
    """Return what of a home still holds words: files, raw or decompressed, and full-text tables with one of them."""
    wanted = normal(words)
    files = [path for path in sorted(archive.home.rglob("*")) if path.is_file()]
    held = [path.name for path in files if any(wanted in normal(text) for text in _texts(path))]
    return held + [table for path in files if path.suffix == ".db" for table in _vocabularies(path, words)]


def _texts(path: Path) -> Iterator[str]:
    yield path.read_bytes().decode("utf-8", "replace")
    if path.suffix == ".zst":
        yield b"".join(chunks(path, compressed=True)).decode("utf-8", "replace")


def _vocabularies(path: Path, words: str) -> Iterator[str]:
    """Yield the full-text tables that know a long word of the text."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%USING fts5%'")]
        rare = {word for word in normal_words(words) if len(word) > 5}
        for table in tables:
            db.execute(f"CREATE VIRTUAL TABLE temp.words_of_{table} USING fts5vocab(main, {table}, 'row')")
            known = {term for (term,) in db.execute(f"SELECT term FROM words_of_{table}")}
            if found := rare & known:
                yield f"{path.name}:{table}:{sorted(found)}"
    finally:
        db.close()


def normal_words(words: str) -> list[str]:
    return [word.strip(".,!?").casefold() for word in words.replace("-", " ").split()]


def streams(archive: Archive) -> dict[str, int]:
    """Return the size of every mirrored stream."""
    return archive.ask(lambda kernel: {name: kernel.mirror.size(name) for name in kernel.mirror.names()})


def remember(archive: Archive, text: str, event: str | None = None, quote: str | None = None) -> EntryId:
    """Append a statement to the ledger as it is, without admission."""

    def write(kernel: Kernel) -> EntryId:
        number = kernel.memory.ledger().cursor() + 1
        cites = [Citation(EventId(event), quote)] if event else []
        said = Statement(text=text, kind=EntryKind.KNOWLEDGE, type="fact", created_at=number, author="user@desk")
        body = asserting(entry_id(number.to_bytes(16, "big")), said, cites)
        with kernel.memory.deciding():
            kernel.memory.append([Draft(body, "user@desk", "because")])
        return body.entry

    return archive.ask(write)


def findings(archive: Archive) -> list[Any]:
    """Return what is wrong with the chains of the ledger and the streams of the mirror."""

    def look(kernel: Kernel) -> list[Any]:
        broken = [problem for name in kernel.mirror.names() for problem in kernel.mirror.check(name)]
        said: Any = kernel.verify.run()
        return [*kernel.ledger.verify(), *kernel.ledger.check(), *broken, *said["findings"]]

    return archive.ask(look)


def text_of(archive: Archive, event: str) -> str:
    asked: Callable[[Kernel], str] = lambda kernel: kernel.get.run(event)["text"]  # noqa: E731
    return archive.ask(asked)
