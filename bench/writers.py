"""Processes that treat logs as agents and people do, and keep a diary of every version that they left on the disk.

`python -m bench.writers FOLDER DIARY NUMBER SECONDS SEED` writes the sessions of one writer below `FOLDER/claude` and
`FOLDER/codex` and, when the time is over, its diary into the folder DIARY.

What is written in place and grows is written at its end only: Quoth looks at the head, sixteen spots and the end of a
file that kept its inode and grew, as agents append, or write another file and rename it. A log of up to 64 KiB is
compared as a whole, so the small ones of Claude Code are rewritten in place here, too.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from bench.logs import iso
from quoth.readers.compressed import zstd

SAYING = re.compile(rb"w\d+n\d+ r\d")  # what every text begins with; the digit behind `r` tells its revision
_LOGS = 10  # of a writer
_PAUSE = 0.05  # seconds between two changes, on average
_SMALL = 60_000  # bytes up to which a log may be rewritten in place
_LARGE = 1_500_000
_NEVER = 1 << 62
_START = 1_764_000_000_000
_WORDS = ("queue", "cache", "retry", "timeout", "branch", "миграция", "очередь", "кэш", "数据库", "缓存", "测试失败")


@dataclass(frozen=True)
class Version:
    """The first `size` bytes of a life, which a log consisted of from `since` to `until` (milliseconds of 1970)."""

    life: int
    size: int
    since: int
    until: int


@dataclass
class Diary:
    """The lives of the logs of one writer (what stood in a file between two rewrites) and their versions."""

    sessions: list[str] = field(default_factory=list)
    lives: list[bytearray] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)

    def begin(self, session: str, content: bytes) -> int:
        self.sessions.append(session)
        self.lives.append(bytearray(content))
        return len(self.lives) - 1

    def save(self, folder: Path, name: str) -> None:
        for number, life in enumerate(self.lives):
            (folder / f"{name}-{number}.life").write_bytes(life)
        told = {"sessions": self.sessions, "versions": [asdict(version) for version in self.versions]}
        (folder / f"{name}.json").write_text(json.dumps(told))

    @classmethod
    def load(cls, folder: Path, name: str) -> Diary:
        told = json.loads((folder / f"{name}.json").read_text())
        lives = [bytearray((folder / f"{name}-{n}.life").read_bytes()) for n in range(len(told["sessions"]))]
        return cls(told["sessions"], lives, [Version(**version) for version in told["versions"]])


@dataclass(frozen=True)
class Shape:
    """How the logs of one session look: the path it may have next, a record with a text, what every file begins with.

    `together` is how many lines a record has: an agent writes them one by one, but never drops some of them.
    """

    session: str
    place: Callable[[], Path]
    record: Callable[[str], bytes]
    head: bytes = b""
    together: int = 1


class Log:
    """One log of a writer. `path` is None while there is none; `can_pack` tells the logs of Codex from the others."""

    def __init__(self, writer: Writer, shape: Shape, *, can_pack: bool) -> None:
        self.session, self.place, self.record, self.head = shape.session, shape.place, shape.record, shape.head
        self.together = shape.together
        self.writer, self.random, self.can_pack = writer, writer.random, can_pack
        self.path: Path | None = None
        self.is_packed = False
        self._life = 0
        self._since = 0

    @property
    def content(self) -> bytes:
        return bytes(self.writer.diary.lives[self._life])

    @property
    def shown(self) -> Path:
        """Where the log is on the disk, compressed or not."""
        assert self.path
        return self.path.with_name(f"{self.path.name}.zst") if self.is_packed else self.path

    @contextmanager
    def changing(self) -> Iterator[None]:
        """End the version that is on the disk before something is done to it, and begin the next one behind it."""
        self.end()
        yield
        # One up: a version counts for a pass that began when it was there already.
        self._since = _now() + 1

    def end(self, *, until: int | None = None) -> None:
        if self.path and self._since:
            ended = _now() - 1 if until is None else until
            self.writer.diary.versions.append(Version(self._life, len(self.content), self._since, ended))
        self._since = 0

    def holds(self, content: bytes) -> None:
        """Say that the file holds something else from here on: another life."""
        self._life = self.writer.diary.begin(self.session, content)

    # --- what happens to a log; each is one change --------------------------------------------------------------------

    def create(self) -> None:
        with self.changing():
            self.path, self.is_packed = self.place(), False
            self.path.parent.mkdir(parents=True, exist_ok=True)
            content = self.head + self.lines()
            self.holds(content)
            self.path.write_bytes(content)

    def append(self) -> None:
        self._append(self.lines())

    def append_torn(self) -> None:
        """Write a line in two goes, with time in between for a pass to see half of it."""
        line = self.lines()
        cut = self.random.randrange(1, len(line))
        self._append(line[:cut])
        time.sleep(self.random.expovariate(1 / 0.1))
        self._append(line[cut:])

    def append_much(self) -> None:
        self._append(b"".join(self.record(self.writer.saying(2_000)) for _ in range(30)))

    def _append(self, data: bytes) -> None:
        assert self.path
        with self.changing():
            self.writer.diary.lives[self._life] += data
            with self.path.open("ab") as file:
                file.write(data)

    def truncate(self) -> None:
        """Cut the file in place, sometimes inside a line; what is appended later goes on there."""
        records = self.records()
        count = self.random.randrange(len(records) + 1)
        kept = self.head + b"".join(records[:count])
        if count < len(records) and self.random.random() < 0.2:
            kept += records[count][: self.random.randrange(len(records[count].partition(b"\n")[0]))]
        with self.changing():
            self.holds(kept)
            os.truncate(self.shown, len(kept))

    def rewrite(self) -> None:
        """Leave some lines out and add others, as a compaction does: into another file, or a small one in place."""
        kept = [record for record in self.records() if self.random.random() < 0.8]
        self._put(self.head + b"".join(kept) + self.lines())

    def rewrite_same_size(self) -> None:
        """Change words but neither the size nor the time that the file bears."""
        content, status = self.content, self.shown.stat()
        found = sorted(set(SAYING.findall(content)))
        if not found:
            return
        said = self.random.choice(found)
        self._put(content.replace(said, said[:-1] + b"%d" % ((int(said[-1:]) + 1) % 10)), keep=status)

    def _put(self, content: bytes, *, keep: os.stat_result | None = None) -> None:
        is_small = max(len(content), len(self.content)) < _SMALL
        # Codex only ever replaces whole files; half of one would end between the two lines of a message.
        is_in_place = is_small and self.together == 1 and self.random.random() < 0.5
        with self.changing():
            self.holds(content)
            if is_in_place:
                self.shown.write_bytes(content)
            else:
                self._replace(self.shown, content)
            if keep:
                os.utime(self.shown, ns=(keep.st_atime_ns, keep.st_mtime_ns))

    def rotate(self) -> None:
        """Give the file another name and begin anew under the old one; the older one of that name is gone then."""
        assert self.path
        with self.changing():
            os.replace(self.path, self.path.with_suffix(".1.jsonl"))
            content = self.head + self.lines()
            self.holds(content)
            self.path.write_bytes(content)

    def move(self) -> None:
        """Go to another folder: another project of Claude Code, the archive of Codex or back."""
        there = self.place()
        with self.changing():
            there.parent.mkdir(parents=True, exist_ok=True)
            os.replace(self.shown, there.with_name(f"{there.name}.zst") if self.is_packed else there)
            self.path = there

    def pack(self) -> None:
        assert self.path
        with self.changing():
            self._replace(self.path.with_name(f"{self.path.name}.zst"), zstd.compress(self.content))
            self.path.unlink()
            self.is_packed = True

    def unpack(self) -> None:
        assert self.path
        with self.changing():
            self._replace(self.path, self.content)
            self.path.with_name(f"{self.path.name}.zst").unlink()
            self.is_packed = False

    def delete(self) -> None:
        with self.changing():
            self.shown.unlink()
            self.path = None

    def _replace(self, path: Path, content: bytes) -> None:
        new = path.with_name(f"{path.stem}.tmp")
        new.write_bytes(content)
        os.replace(new, path)

    def records(self) -> Sequence[bytes]:
        """Return what may be left out or cut off: lines, and of Codex those that belong together."""
        lines = self.content[len(self.head) :].splitlines(keepends=True)
        return [b"".join(lines[n : n + self.together]) for n in range(0, len(lines), self.together)]

    def lines(self) -> bytes:
        return b"".join(
            self.record(self.writer.saying(self.random.randint(3, 30))) for _ in range(self.random.randint(1, 3))
        )


class Writer:
    """Changes its logs one after the other until the time is over."""

    def __init__(self, folder: Path, number: int, seed: int, *, largest: int = _LARGE) -> None:
        self.folder, self.number, self._largest = folder, number, largest
        self.random = Random(seed * 1_000 + number)
        self.diary = Diary()
        self._said = 0
        self.logs = [self._claude() if n % 2 else self._codex() for n in range(_LOGS)]

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.step()
            time.sleep(min(0.5, self.random.expovariate(1 / _PAUSE)))

    def step(self) -> None:
        """Do something to one of the logs."""
        self._choose(self.random.choice(self.logs))()

    def stop(self) -> Diary:
        """Return the diary; what is there now lies there until the end."""
        for log in self.logs:
            log.end(until=_NEVER)
        return self.diary

    def _choose(self, log: Log) -> Callable[[], None]:
        if log.path is None:
            return log.create
        if log.is_packed:
            return self.random.choice((log.unpack, log.unpack, log.move, log.delete))
        if len(log.content) > self._largest:
            return self.random.choice((log.rewrite_same_size, log.truncate, log.delete))
        other = log.pack if log.can_pack else log.rotate
        choices: Sequence[Callable[[], None]] = (
            log.append, log.append_torn, log.append_much, log.truncate, log.rewrite, log.rewrite_same_size, log.move,
            other, log.delete,
        )  # fmt: skip
        return self.random.choices(choices, (50, 6, 3, 5, 6, 6, 6, 6, 2))[0]

    def saying(self, words: int) -> str:
        """Return a text that was never said before."""
        self._said += 1
        return f"w{self.number}n{self._said} r0 {' '.join(self.random.choices(_WORDS, k=words))}"

    def _time(self) -> str:
        return iso(_START + self.number + 10 * self._said)

    def _claude(self) -> Log:
        session = self._uuid()

        def record(text: str) -> bytes:
            content = [{"type": "text", "text": text}] if self._said % 2 else text
            body = {"type": "assistant" if self._said % 2 else "user", "uuid": f"{session[:-12]}{self._said:012d}"}
            body |= {"parentUuid": None, "isSidechain": False, "timestamp": self._time(), "sessionId": session}
            body |= {"message": {"role": body["type"], "content": content}, "cwd": "/home/dev/shop"}
            return _line(body | {"version": "2.1.270", "gitBranch": "main"})

        def place() -> Path:
            folder = f"-home-dev-{self.random.choice(('shop', 'billing', 'infra'))}"
            return self.folder / "claude" / "projects" / folder / f"{session}.jsonl"

        return Log(self, Shape(session, place, record), can_pack=False)

    def _codex(self) -> Log:
        thread = self._uuid()

        def record(text: str) -> bytes:
            role, kind = ("assistant", "output_text") if self._said % 2 else ("user", "input_text")
            told = "agent_message" if self._said % 2 else "user_message"
            copy = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
            said = [("response_item", copy), ("event_msg", {"type": told, "message": text})]
            return b"".join(_line({"timestamp": self._time(), "type": kind, "payload": body}) for kind, body in said)

        def place() -> Path:
            folder = self.random.choice(("sessions/2026/10/19", "archived_sessions"))
            return self.folder / "codex" / folder / f"rollout-2026-10-19T16-20-31-{thread}.jsonl"

        meta = {"id": thread, "timestamp": self._time(), "cwd": "/home/dev/shop", "cli_version": "0.112.0"}
        head = _line({"timestamp": self._time(), "type": "session_meta", "payload": meta})
        return Log(self, Shape(thread, place, record, head, together=2), can_pack=True)

    def _uuid(self) -> str:
        digits = f"{self.random.getrandbits(128):032x}"
        return "-".join((digits[:8], digits[8:12], f"4{digits[13:16]}", f"8{digits[17:20]}", digits[20:]))


def _line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def _now() -> int:
    return time.time_ns() // 1_000_000


def main() -> None:
    folder, diary, number, seconds, seed = sys.argv[1:]
    writer = Writer(Path(folder), int(number), int(seed))
    writer.run(float(seconds))
    writer.stop().save(Path(diary), number)


if __name__ == "__main__":
    main()
