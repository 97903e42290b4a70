"""An archive in which something was said and remembered, and hands to tamper with its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

from quoth.core.ledger.operations import Body, Draft
from quoth.core.memory import Quoted
from quoth.core.speaker import Speaker
from services.archive import Archive

PERSON = Speaker()
SAID = "We moved staging to PostgreSQL 16 today, 其余的以后再说, остальное позже."
ANSWERED = "Good, I will change the connection strings then."


def begun(folder: Path, name: str = "quoth") -> Archive:
    """Return an archive that has read one short session."""
    archive = Archive(folder, name)
    archive.log().write_bytes(b"".join(archive.records([SAID, ANSWERED])))
    archive.sync()
    return archive


def remember(archive: Archive, text: str, *quotes: str, **more: Any) -> str:
    """Remember a statement and return the id of its entry."""
    sources = [Quoted(quote=quote) for quote in quotes]
    given = {"type": "note", "uncited": None if sources else "by hand", **more}
    answer = archive.ask(lambda kernel: kernel.remember.run(text, by=PERSON, sources=sources, **given))
    return str(answer["entry"]["id"])


def correct(archive: Archive, entry: str, text: str, **more: Any) -> str:
    answer = archive.ask(lambda kernel: kernel.correct.run(entry, text, by=PERSON, **more))
    return str(answer["entry"]["id"])


def forget(archive: Archive, entry: str, **more: Any) -> None:
    archive.ask(lambda kernel: kernel.forget.run(entry, "a test", by=PERSON, **more))


def append(archive: Archive, *bodies: Body) -> None:
    """Append operations as another service would."""
    archive.ask(lambda kernel: kernel.memory.append([Draft(body, "codex@desk") for body in bodies]))


def event_of(archive: Archive, text: str) -> str:
    return next(str(event["id"]) for event in archive.events() if event["text"] == text)


def tamper(file: Path, sql: str, values: tuple[Any, ...] = ()) -> None:
    """Change a database behind the back of the program; at least one row must change."""
    db = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        db.execute(sql, values).fetchall()
        assert db.changes()
    finally:
        db.close()


def index_of(archive: Archive) -> Path:
    (found,) = archive.home.glob("index-*.db")
    return found


def tail_of(archive: Archive) -> Path:
    (found,) = (archive.home / "raw").rglob("*.tail")
    return found


def verify(archive: Archive) -> dict[str, Any]:
    answer: dict[str, Any] = archive.ask(lambda kernel: kernel.verify.run())
    return answer


def codes(archive: Archive) -> list[str]:
    return [finding["code"] for finding in verify(archive)["findings"]]
