"""A home with a log, and entries that cite it, of which tests forget this and that."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

from quoth.core.memory import Quoted
from quoth.core.speaker import Speaker
from services.archive import CLAUDE_SESSION, Archive

PERSON = Speaker()
AGENT = Speaker("codex")

WOMBAT = "We sell the wombat crate from Monday on."
AGAIN = "Again: we sell the WOMBAT\ncrate from  monday on. Is that clear?"
SHELF = "The zebrawood shelf holds the deliveries."
TITLE = "Wombat crates on sale"
NOTE, CALL = "I write the quokka note now.", "narwhal list"
PLAIN = "Then the list is done."
WORDS = ("wombat", "zebrawood", "quokka", "narwhal", "list", "numbat")


def number(n: int) -> str:
    return f"claude-code:{uuid.UUID(int=0x5EED_0000_0000_4000_8000_0000_0000_0000 + n)}"


@dataclass(frozen=True)
class Home:
    """`archive` read the log; the ids are those of its events and of the entries that were written then."""

    archive: Archive
    wombat: str
    plain: str
    shelf: str
    note: str
    call: str
    again: str
    title: str
    crate_entry: str
    shelf_entry: str
    note_entry: str

    @property
    def events(self) -> list[str]:
        return [self.wombat, self.plain, self.shelf, self.note, self.call, self.again, self.title]

    @property
    def entries(self) -> list[str]:
        return [self.crate_entry, self.shelf_entry, self.note_entry]

    def forget(self, given: str | list[str], reason: str = "Not ours.", **options: Any) -> dict[str, Any]:
        by = options.pop("by", PERSON)
        return self.archive.ask(lambda kernel: kernel.forget.run(given, reason, by=by, **options))

    def restore(self, tombstone: str, **options: Any) -> dict[str, Any]:
        return self.archive.ask(lambda kernel: kernel.undo.run(tombstone, by=PERSON, how="terminal", **options))

    def correct(self, entry: str, text: str, *cited: str) -> str:
        sources = [Quoted(event) for event in cited]
        done = self.archive.ask(lambda kernel: kernel.correct.run(entry, text, by=PERSON, sources=sources))
        return str(done["entry"]["id"])


def lines(archive: Archive) -> list[bytes]:
    """Return the log: one of its lines holds two events, and its title was made of the first thing said."""
    two = [
        {"type": "text", "text": NOTE},
        {"type": "tool_use", "id": "toolu_01", "name": "Write", "input": {"file_path": "n.md", "content": CALL}},
    ]
    record = json.loads(archive.record(NOTE, n=4, role="assistant"))
    record["message"]["content"] = two
    title = {"type": "ai-title", "aiTitle": TITLE, "sessionId": CLAUDE_SESSION}
    return [
        archive.record(WOMBAT, n=1),
        archive.record(PLAIN, n=2, role="assistant"),
        archive.record(SHELF, n=3),
        json.dumps(record, ensure_ascii=False).encode() + b"\n",
        archive.record(AGAIN, n=5),
        json.dumps(title).encode() + b"\n",
    ]


def begin(archive: Archive) -> Home:
    archive.log().write_bytes(b"".join(lines(archive)))
    archive.sync()
    ids = {event["text"]: event["id"] for event in archive.events()}
    call = next(id_ for text, id_ in ids.items() if CALL in text)
    title = next(id_ for text, id_ in ids.items() if TITLE in text)
    said = {"wombat": ids[WOMBAT], "plain": ids[PLAIN], "shelf": ids[SHELF], "note": ids[NOTE], "again": ids[AGAIN]}
    written = {
        "crate_entry": _remember(archive, "The numbat crate was a mistake.", ids[WOMBAT]),
        "shelf_entry": _remember(archive, "Deliveries wait on the zebrawood shelf.", ids[SHELF]),
        "note_entry": _remember(archive, "There is a quokka note.", ids[NOTE], ids[SHELF]),
    }
    return Home(archive, call=call, title=title, **said, **written)


def _remember(archive: Archive, text: str, *events: str) -> str:
    sources = [Quoted(event) for event in events]
    done = archive.ask(lambda kernel: kernel.remember.run(text, by=AGENT, kind="memory", sources=sources))
    return str(done["entry"]["id"])
