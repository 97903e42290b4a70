"""Read the tree of small files in which OpenCode kept its sessions before it had a database (up to 1.1).

`session/<project>/<session>.json`, `message/<session>/<message>.json` and `part/<message>/<part>.json` below `storage`;
all of them are written again in place. A session with what belongs to it is read as if it were a database: a file is a
row, and a message is told anew with its parts when a file of it was written since.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from quoth.core.errors import ReadFailed
from quoth.core.ids import digest16
from quoth.core.model import Form, Found, Json, Signature
from quoth.core.names import printable_path
from quoth.core.ports import Allows, everywhere
from quoth.readers import compressed
from quoth.readers.tree import Entry, find
from quoth.sources._parts_passes import mark
from quoth.sources._parts_store import payload_of
from quoth.sources._values import Record, inner, number, text

_SAME = 20_000_000  # nanoseconds in which a file may be written twice without its time telling

PATTERNS = ("storage/session/*/*.json",)


@dataclass(frozen=True, slots=True)
class _Message:
    files: tuple[Entry, ...]  # the message, then its parts in their order

    @property
    def written_at(self) -> int:
        return max(entry.signature.mtime_ns for entry in self.files)

    @property
    def group(self) -> str:
        """Return one of 256 groups, for which files are counted: a few numbers tell of any that appeared."""
        return digest16(self.files[0].key.encode())[:2]


def found(entry: Entry) -> Found:
    """Describe a session, with a signature that changes when a message of it does."""
    session = entry.path.stem
    signature = entry.signature
    for status in _statuses(_storage(entry.path) / "message" / session):
        signature = _both(signature, status)
    return Found(entry.key, entry.path, Form.ROWS, session, signature)


def changed_rows(path: Path, state: Json, allows: Allows = everywhere) -> Iterator[bytes]:
    """Yield the files of a session that were written since, or appeared since however old they say they are.

    Nothing is yielded when the session's directory is not allowed, nor when a pass before told all of it.

    Raises:
        ReadFailed: the file of the session can't be read.
    """
    storage, before = _storage(path), state if isinstance(state, dict) else {}
    session = _read(path)
    if not allows(_directory(session)):
        return
    messages = list(_messages(storage, path.stem))
    now = _Seen(messages, digest16(session))
    news = list(now.news(storage, before))
    if not news and now.state(text(before, "recent")) == before:
        return
    yield _line("session", storage, path, session)
    told: list[bytes] = []
    for message in news:
        lines = list(_lines(storage, message))
        yield from lines
        if message.written_at > now.written:
            told += lines
    yield mark(now.state(digest16(*told) if told else text(before, "recent")))


class _Seen:
    """What a pass found. The messages written last are known by a hash, for their time need not tell of a change."""

    def __init__(self, messages: Sequence[_Message], session: str) -> None:
        self._messages, self._session = messages, session
        self._files = _counts(messages)
        self.written = max(max((message.written_at for message in messages), default=0) - _SAME, 0)

    def state(self, recent: str) -> Json:
        files: dict[str, Json] = {**self._files}
        return {"written": self.written, "files": files, "session": self._session, "recent": recent}

    def news(self, storage: Path, before: Record) -> Iterator[_Message]:
        """Yield the messages that a pass which left `before` did not tell like this."""
        since, known = number(before, "written") or 0, inner(before, "files")
        is_told = since == self.written and text(before, "recent") == self._recent(storage)
        for message in self._messages:
            is_new = message.written_at > since and not is_told
            if is_new or self._files[message.group] != known.get(message.group):
                yield message

    def _recent(self, storage: Path) -> str:
        recent = (message for message in self._messages if message.written_at > self.written)
        return digest16(*(line for message in recent for line in _lines(storage, message)))


def _directory(session: bytes) -> str | None:
    try:
        said = orjson.loads(session)
    except ValueError:
        return None
    return text(said, "directory") or None if isinstance(said, dict) else None


def _counts(messages: Sequence[_Message]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for message in messages:
        counts[message.group] = counts.get(message.group, 0) + len(message.files)
    return counts


def _messages(storage: Path, session: str) -> Iterator[_Message]:
    for entry in _files(storage / "message" / session):
        yield _Message((entry, *_files(storage / "part" / entry.path.stem)))


def _files(folder: Path) -> Iterator[Entry]:
    if _is_folder(folder):
        yield from (entry for entry in find(folder, ["*.json"]) if isinstance(entry, Entry) and not entry.compressed)


def _is_folder(folder: Path) -> bool:
    """Tell whether there is a folder; a link to one may lead anywhere."""
    try:
        return stat.S_ISDIR(os.lstat(folder).st_mode)
    except OSError:
        return False


def _lines(storage: Path, message: _Message) -> Iterator[bytes]:
    """Yield a message and its parts; a file that goes away meanwhile is gone."""
    for entry in message.files:
        try:
            data = _read(entry.path)
        except ReadFailed:
            continue
        kind = "message" if entry is message.files[0] else "part"
        parts = {"parts": len(message.files) - 1} if kind == "message" else {}
        yield _line(kind, storage, entry.path, data, **parts)


def _line(kind: str, storage: Path, path: Path, data: bytes, **more: object) -> bytes:
    file = printable_path(path.relative_to(storage).as_posix())
    return orjson.dumps({"type": kind, "file": file, **more, "payload": payload_of(data)})


def _read(path: Path) -> bytes:
    return b"".join(compressed.chunks(path, compressed=False))


def _storage(path: Path) -> Path:
    return path.parents[2]


def _statuses(folder: Path) -> Iterator[os.stat_result]:
    """Yield what the file system says of the files in a folder, no link followed; nothing when there is none."""
    if not _is_folder(folder):
        return
    try:
        with os.scandir(folder) as entries:
            yield from (entry.stat(follow_symlinks=False) for entry in entries)
    except OSError:  # it goes away just now; what is left of it is read at the next pass
        return


def _both(signature: Signature, status: os.stat_result) -> Signature:
    return replace(
        signature,
        size=signature.size + status.st_size,
        mtime_ns=max(signature.mtime_ns, status.st_mtime_ns),
        ctime_ns=max(signature.ctime_ns, status.st_ctime_ns),
    )
