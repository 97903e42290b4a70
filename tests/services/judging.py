"""Hands to judge with, and everything that answers words of memory, to see where some still are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quoth.core.errors import Forgotten, QuothError
from quoth.core.speaker import Speaker
from services.archive import Archive
from services.entries import CODEX


def judge(archive: Archive, entry: str, verdict: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    given = {"reason": "a test says so", "by": CODEX, **more}
    reason, by = str(given.pop("reason")), given.pop("by")
    assert isinstance(by, Speaker)
    done: dict[str, Any] = archive.ask(
        lambda kernel: kernel.judge.run(entry, verdict, reason, by=by, content=content, **given)
    )
    return done


def refused(archive: Archive, entry: str, verdict: str, content: str | None = None, **more: Any) -> str:
    """Return the sentence with which a judgement is refused; nothing is written then."""
    before = operations(archive)
    try:
        judge(archive, entry, verdict, content, **more)
    except QuothError as error:
        assert operations(archive) == before
        return str(error)
    raise AssertionError("it was not refused")


def operations(archive: Archive) -> int:
    return int(archive.ask(lambda kernel: kernel.ledger.cursor()))


def state(archive: Archive, entry: str) -> str:
    return str(archive.ask(lambda kernel: kernel.memory.any_entry(entry).state.value))


def audit(archive: Archive, entry: str) -> dict[str, Any]:
    found: dict[str, Any] = archive.ask(lambda kernel: kernel.audit.run(entry))
    return found


def is_forgotten(archive: Archive, entry: str) -> bool:
    """Tell whether the doors that show entries say that it has been forgotten."""
    try:
        archive.ask(lambda kernel: kernel.get.run(entry))
    except Forgotten:
        return True
    return False


def shown(archive: Archive) -> str:
    """Return everything that reading services answer of memory, as one text."""
    return archive.ask(lambda kernel: "\n".join(json.dumps(each, ensure_ascii=False) for each in _answers(kernel)))


def _answers(kernel: Any) -> Iterator[Any]:
    yield kernel.search.run(None, target="entries", limit=100)
    yield kernel.judge.listed()
    yield kernel.audit.view("governance")
    yield kernel.audit.view("audit")
    yield kernel.audit.export()
    for row in list(kernel.memory.entries.all()):
        yield kernel.audit.run(row.id)
        for ask in (kernel.get.run, kernel.history.run):
            try:
                yield ask(row.id)
            except Forgotten as error:
                yield str(error)


def files_with(folder: Path, words: str) -> list[str]:
    """Return the files below a folder that hold words in any usual spelling of bytes."""
    spellings = [words.encode(), words.encode("utf-16-le"), json.dumps(words)[1:-1].encode()]
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.name for path in files if any(each in path.read_bytes() for each in spellings))
