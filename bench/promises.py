"""What a store must hold after logs were treated badly while it read them: every check counts what is wrong."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import subject
from bench.bars import Row
from bench.subject import Store
from bench.writers import SAYING, Diary, Version
from quoth.core.model import EventRow, Filter, Kind, SessionRow, Stream
from quoth.core.names import log_path, mirror_name
from quoth.core.ports import Mirror
from quoth.readers import compressed
from quoth.wiring import Kernel, Unseen

_SESSION = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BEGIN = re.compile(rb'\{"t')  # of a record, as the writers write it
Moment = tuple[int, int]  # when a finished pass began and ended


@dataclass(frozen=True)
class Tally:
    """How many things were looked at and which of them were not as promised."""

    seen: int
    wrong: Sequence[str]


@dataclass(frozen=True)
class Content:
    """The beginning of a life that was on the disk during a whole pass, with the session it belongs to."""

    session: str
    data: bytes


def required(diaries: Iterable[Diary], passes: Sequence[Moment]) -> Sequence[Content]:
    """Return of every life the longest version that lay there unchanged while some pass ran from begin to end.

    Shorter ones are beginnings of it; a version that was replaced between two passes, or during each, is not promised.
    """
    return [
        Content(diary.sessions[life], bytes(diary.lives[life][:size]))
        for diary in diaries
        for life, size in sorted(_sizes(diary.versions, passes).items())
    ]


def _sizes(versions: Iterable[Version], passes: Sequence[Moment]) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for version in versions:
        if any(version.since <= begun and ended <= version.until for begun, ended in passes):
            sizes[version.life] = max(version.size, sizes.get(version.life, 0))
    return sizes


def judge(
    store: Store, diaries: Sequence[Diary], contents: Sequence[Content], acknowledged: Iterable[str]
) -> Iterator[Row]:
    """Check everything; the last check makes the index again."""
    with store.open() as kernel:
        checks: Mapping[str, Callable[[], Tally]] = {
            "versions in the mirror, byte for byte": lambda: mirrored(kernel, contents),
            "logs on the disk, newest generation": lambda: on_disk(kernel, store.logs),
            "mirror files and index, sound": lambda: sound(kernel),
            "what was said, once": lambda: said_once(kernel, diaries, contents),
            "answered while it ran, still there": lambda: resolved(kernel, acknowledged),
            "answers after a rebuild, the same": lambda: rebuilt(kernel),
        }
        for name, check in checks.items():
            yield row(name, check())


def row(work: str, tally: Tally) -> Row:
    wrong = f"{len(tally.wrong)} wrong" + "".join(f"; {what}" for what in tally.wrong[:3])
    return Row("INV-2", work, f"{tally.seen}", wrong, bar="0 wrong", ok=tally.seen > 0 and not tally.wrong)


def mirrored(kernel: Kernel, contents: Sequence[Content]) -> Tally:
    """Look for every content among the generations of its session, byte for byte."""
    streams: dict[str, list[Stream]] = defaultdict(list)
    for stream in kernel.journal.streams():
        if found := _SESSION.search(stream.identity):
            streams[found.group()].append(stream)
    wrong = [
        f"{len(content.data)} bytes of {content.session}"
        for content in contents
        if not any(_begins(kernel.mirror, stream, content.data) for stream in streams[content.session])
    ]
    return Tally(len(contents), wrong)


def _begins(mirror: Mirror, stream: Stream, data: bytes) -> bool:
    return mirror.size(_name(stream)) >= len(data) and b"".join(mirror.read(_name(stream), 0, len(data))) == data


def on_disk(kernel: Kernel, logs: Path) -> Tally:
    """Compare every log that is there with the newest generation of its path."""
    newest = {stream.path: stream for stream in kernel.journal.streams()}
    files = [path for path in logs.rglob("*") if path.name.endswith((".jsonl", ".jsonl.zst"))]
    return Tally(len(files), [str(path) for path in files if not _is_kept(kernel.mirror, newest, path)])


def _is_kept(mirror: Mirror, newest: dict[str, Stream], path: Path) -> bool:
    is_packed = path.suffix == ".zst"
    stream = newest.get(log_path(path, compressed=is_packed))
    content = b"".join(compressed.chunks(path, compressed=is_packed))
    return stream is not None and b"".join(mirror.read(_name(stream))) == content


def _name(stream: Stream) -> str:
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)


def sound(kernel: Kernel) -> Tally:
    """Read the whole mirror and the index, and look for damage."""
    names = list(kernel.mirror.names())
    return Tally(len(names), [what for name in names for what in kernel.mirror.check(name)] + [*kernel.index.check()])


def said_once(kernel: Kernel, diaries: Sequence[Diary], contents: Sequence[Content]) -> Tally:
    """Compare what the store says was spoken with what was written: nothing missing, twice, or never said."""
    spoken = (event for event in events(kernel) if event.kind is Kind.MESSAGE)
    answered = [event for event in spoken if SAYING.match(event.text.encode())]
    texts = {text for diary in diaries for life in diary.lives for text in _written(bytes(life))}
    must = {key for content in contents for key, _ in _spoken(content.data)}
    found = Counter(_key(event.source == "codex", event.text) for event in answered)
    wrong = [f"{key} is missing" for key in sorted(must - found.keys())]
    wrong += [f"{key} is there {count} times" for key, count in sorted(found.items()) if count > 1]
    wrong += [f"{event.id} was never said" for event in answered if event.text not in texts]
    return Tally(len(must), wrong)


def _spoken(life: bytes) -> Iterator[tuple[str, str]]:
    """Yield what whole lines say: a key that one event has, and the text."""
    for line in life.split(b"\n")[:-1]:
        with suppress(ValueError):
            record = json.loads(line)
            if text := _text(record):
                yield _key("payload" in record, text), text


def _written(life: bytes) -> Iterator[str]:
    """Yield every text, also of records that follow the rubble of a cut one on their line."""
    for line in life.split(b"\n"):
        for begin in _BEGIN.finditer(line):
            with suppress(ValueError):
                yield _text(json.loads(line[begin.start() :]))


def _text(record: Mapping[str, Any]) -> str:
    if "uuid" in record:
        content = record["message"]["content"]
        return content if isinstance(content, str) else str(content[0]["text"])
    return str(record["payload"]["message"]) if record["type"] == "event_msg" else ""


def _key(is_codex: bool, text: str) -> str:
    """Return what names an event. Other words under one id are a revision; in Codex the words are the id."""
    begun = SAYING.match(text.encode())
    said = begun.group().decode() if begun else text
    return said if is_codex else said.partition(" ")[0]


def events(kernel: Kernel) -> Iterator[EventRow]:
    return subject.events(kernel.index)


def sessions(kernel: Kernel) -> Sequence[SessionRow]:
    return kernel.index.sessions(Filter(), limit=1_000_000, offset=0)


def resolved(kernel: Kernel, acknowledged: Iterable[str]) -> Tally:
    """Ask for every event that was answered once."""
    ids = sorted(acknowledged)
    return Tally(len(ids), [event for event in ids if kernel.index.resolve(event) is None])


def rebuilt(kernel: Kernel) -> Tally:
    """Make the index again and compare all answers."""
    before = _answers(kernel)
    kernel.rebuild.run(Unseen())
    after = _answers(kernel)
    differing = [key for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key)]
    return Tally(len(before), differing)


def _answers(kernel: Kernel) -> dict[str, object]:
    answers: dict[str, object] = {f"session {row.session}": row for row in sessions(kernel)}
    return answers | {event.id: (event, kernel.index.anchors(event.id)) for event in events(kernel)}
