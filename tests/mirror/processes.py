"""Other processes that write and read a mirror, some of which are killed or are refused something by the system."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

import filelock  # noqa: F401 - loaded here: a child without rights may not reach the folder it lies in

import quoth.mirror
from quoth.core.errors import QuothError
from quoth.core.ids import ProjectId, SourceId
from quoth.core.model import Form, Found, Line, Named, Place, Root, Signature
from quoth.mirror.files import MirrorFiles
from quoth.mirror.home import ingest_lock, open_home
from quoth.mirror.journal import JournalFile

NAME = "raw/demo/logs-0123abcd/deep/session.jsonl"
OTHER = "raw/demo/logs-0123abcd/deep/other.jsonl"
FRAME = 256  # bytes: hand-overs all the time

# One in about twenty bytes is a line feed.
_TABLE = bytes(10 if byte < 12 else byte for byte in range(256))
_CONTENT = random.Random(11).randbytes(1_000_000).translate(_TABLE)


def content(start: int, stop: int) -> bytes:
    """Return a part of one endless log, the same in every process."""
    assert stop <= len(_CONTENT), "the log of this test is too short"
    return _CONTENT[start:stop]


def pieces(data: bytes, chosen: random.Random) -> Iterator[bytes]:
    """Cut bytes as a reader might deliver them."""
    while data:
        size = chosen.randrange(1, 2 * FRAME)
        yield data[:size]
        data = data[size:]


def append_until_killed(home: Path, seed: int, acknowledged: Connection) -> None:
    """Append and tell the size after each append, for ever."""
    chosen = random.Random(seed)
    mirror = MirrorFiles(home, frame_size=FRAME)
    size = mirror.size(NAME)
    while True:
        size = mirror.append(NAME, pieces(content(size, size + chosen.randrange(1, 3 * FRAME)), chosen))
        acknowledged.send(size)


def append_and_die_at(home: Path, step: int, size: int, more: int) -> None:
    """Append, and be killed before the n-th line of the mirror's code; end well when it has fewer."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    data = content(size, size + more)
    _die_at(step)
    mirror.append(NAME, (data[:90], data[90:400], data[400:]))


def seal_and_die_at(home: Path, step: int) -> None:
    """Seal two streams, and be killed before the n-th line of the mirror's code; end well when it has fewer."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    _die_at(step)
    mirror.seal([NAME, OTHER])


def append_sealed_and_die_at(home: Path, step: int, size: int) -> None:
    """Begin a stream that leaves no tail, and be killed before the n-th line of the mirror's code."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    _die_at(step)
    mirror.append(NAME, [content(0, size)], seal_from=1)


def every_third(line: Line) -> bytes | None:
    """Say what a purge leaves of a line: nothing of every third one."""
    return b" " * len(line.data) if line.number % 3 == 0 else None


def thinned(data: bytes) -> bytes:
    """Return a log without every third line, as it is long as before."""
    lines = data.split(b"\n")
    return b"\n".join(b" " * len(line) if number % 3 == 0 else line for number, line in enumerate(lines, 1))


def blank_and_die_at(home: Path, step: int) -> None:
    """Blank lines, and be killed before the n-th line of the mirror's code; end well when it has fewer."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    _die_at(step, only={"overwrite", "add_ranges", "_replace", "write_whole", "force_folder"})
    mirror.blank(NAME, every_third)


def blank_with_file_limit(home: Path, limit: int, answer: Connection) -> None:
    """Blank lines where no file may grow beyond a limit, as on a full disk, and tell what happened."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        answer.send(MirrorFiles(home, frame_size=FRAME).blank(NAME, every_third))
    except QuothError as error:
        answer.send(error.code)


def blank_line_by_line(home: Path, seed: int) -> None:
    """Blank every third line, one in a call, so that the files change all the time."""
    mirror = MirrorFiles(home, frame_size=FRAME)
    numbers = [number for number in range(1, content(0, mirror.size(NAME)).count(b"\n") + 2) if number % 3 == 0]
    random.Random(seed).shuffle(numbers)
    for number in numbers:
        mirror.blank(NAME, lambda line, chosen=number: every_third(line) if line.number == chosen else None)  # type: ignore[misc]


def read_until_blank(home: Path, seed: int) -> None:
    """Compare every byte that can be read, as it was or blank, until all of it is blank."""
    chosen = random.Random(seed)
    mirror = MirrorFiles(home, frame_size=FRAME)
    size = mirror.size(NAME)
    was, will_be = content(0, size), thinned(content(0, size))
    read = b""
    while read != will_be and mirror.size(NAME):
        start = chosen.randrange(size)
        read = b"".join(mirror.read(NAME, start))
        assert len(read) == size - start, "a reader saw another size"
        seen = zip(read, was[start:], will_be[start:], strict=True)
        assert all(byte in (before, after) for byte, before, after in seen), "a reader saw a wrong byte"
        assert mirror.check(NAME) == []
        read = b"".join(mirror.read(NAME))


def _die_at(step: int, *, only: Collection[str] = ()) -> None:
    """Die before the n-th line of the mirror's code, or of some of its functions."""
    folder = os.fspath(Path(quoth.mirror.__path__[0]))
    left = step

    def count(frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        nonlocal left
        if not frame.f_code.co_filename.startswith(folder) or (only and frame.f_code.co_name not in only):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return count

    sys.settrace(count)


def append_all(home: Path, total: int, seed: int) -> None:
    chosen = random.Random(seed)
    mirror = MirrorFiles(home, frame_size=FRAME)
    size = mirror.size(NAME)
    while size < total:
        upto = min(total, size + chosen.randrange(1, 3 * FRAME))
        size = mirror.append(NAME, pieces(content(size, upto), chosen))


def append_and_seal_all(home: Path, total: int, seed: int) -> None:
    """Append little at a time, and seal more often than not."""
    chosen = random.Random(seed)
    mirror = MirrorFiles(home, frame_size=FRAME)
    size = 0
    while size < total:
        size = mirror.append(NAME, [content(size, min(total, size + chosen.randrange(1, FRAME)))])
        if chosen.randrange(3):
            mirror.seal([NAME])


def seal_with_file_limit(home: Path, limit: int, names: list[str], answer: Connection) -> None:
    """Seal where no file may grow beyond a limit, as on a full disk, and tell what was sealed."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    answer.send(sorted(MirrorFiles(home, frame_size=FRAME).seal(names)))


def read_until(home: Path, total: int, seed: int) -> None:
    """Compare whatever can be read, again and again, until all of it is there."""
    chosen = random.Random(seed)
    mirror = MirrorFiles(home, frame_size=FRAME)
    seen = 0
    while seen < total:
        size = mirror.size(NAME)
        assert size >= seen, "acknowledged bytes went away"
        start = chosen.randrange(max(1, size - 5 * FRAME), size + 1) if size else 0
        read = b"".join(mirror.read(NAME, start))
        assert read == content(start, start + len(read)), "a reader saw a wrong byte"
        assert start + len(read) >= size, "a reader saw less than there was"
        lines = list(mirror.lines(NAME, offset=start))
        assert b"".join(line.data + b"\n" for line, _ in lines) == content(start, lines[-1][1] if lines else start)
        seen = size


def append_with_file_limit(home: Path, limit: int, size: int, more: int, answer: Connection) -> None:
    """Append where no file may grow beyond a limit, as on a full disk, then tell what happened and the size."""
    import resource

    mirror = MirrorFiles(home, frame_size=FRAME)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        mirror.append(NAME, pieces(content(size, size + more), random.Random(limit)))
        answer.send(("done", mirror.size(NAME)))
    except QuothError as error:
        answer.send((error.code, mirror.size(NAME)))


def append_places_with_file_limit(home: Path, limit: int, answer: Connection) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        JournalFile(home).saw_all(Place(f"/home/dev/{n}", ProjectId("dir:00"), "n") for n in range(100))
        answer.send("done")
    except QuothError as error:
        answer.send(error.code)


def tell_journal(home: Path, who: str, many: int) -> None:
    """Record streams, places and names of projects, one in a call."""
    journal = JournalFile(home)
    for n in range(many):
        key = f"{who}-{n}"
        seen = Found(f"{key}.jsonl", home / key, Form.LOG, key, Signature(1, 2, 3, 4, 5))
        journal.begin_all([(Root(SourceId("demo"), home, "demo-00"), seen, 1)])
        journal.saw(Place(f"/home/dev/{key}", ProjectId("dir:00"), key))
        journal.heard([Named(ProjectId(f"git:example.org/dev/{key}"), key)])


def first_device(home: Path, answer: Connection) -> None:
    answer.send(JournalFile(home).device())


def make_home(home: Path) -> int:
    return len(open_home(home))


def lock_there(home: Path) -> str:
    with ingest_lock(home, wait=0):
        return "held"


def hold_ingest_lock(home: Path, held: Connection) -> None:
    """Hold the lock until killed, or until the test runner is gone."""
    runner = multiprocessing.parent_process()
    assert runner is not None
    with ingest_lock(home):
        held.send("held")
        runner.join()


def append_there(home: Path, data: bytes) -> int:
    return MirrorFiles(home, frame_size=10).append(NAME, [data])


def read_there(home: Path) -> bytes:
    return b"".join(MirrorFiles(home, frame_size=10).read(NAME))


def as_nobody(work: Callable[..., Any], answer: Connection, *args: Any) -> None:
    """Do something without the rights of a superuser and tell the result, or the code of the failure."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    try:
        answer.send(work(*args))
    except QuothError as error:
        answer.send(error.code)


def peak_of(work: Callable[..., Any], answer: Connection, *args: Any) -> None:
    """Do something and tell by how many bytes the peak of memory grew."""
    import resource

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    before = peak()
    work(*args)
    answer.send(peak() - before)


def mirror_large_log(home: Path, line: int, lines: int) -> None:
    """Append and read a log of long lines without ever holding it."""
    mirror = MirrorFiles(home)
    word = b"0123456789abcdef" * 4096
    pieces_of_line = [word] * (line // len(word)) + [b"\n"]
    mirror.append(NAME, (piece for _ in range(lines) for piece in pieces_of_line))
    for read, _ in mirror.lines(NAME):
        assert len(read.data) == line // len(word) * len(word)


def start(target: Callable[..., Any], *args: Any) -> multiprocessing.process.BaseProcess:
    """Start a process that has nothing of the test runner in it."""
    process = _CONTEXT.Process(target=target, args=args, daemon=True)
    process.start()
    return process


def answer_of(target: Callable[..., Any], *args: Any, channel_at: int) -> Any:
    """Run a function in a process of its own and return what it sends."""
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    process = start(target, *args[:channel_at], theirs, *args[channel_at:])
    theirs.close()
    try:
        return ours.recv()
    finally:
        ours.close()
        process.join(60)


def channel() -> tuple[Connection, Connection]:
    return _CONTEXT.Pipe(duplex=False)


_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_CONTEXT = multiprocessing.get_context(_METHOD)
if _METHOD == "forkserver":
    # Every process imports the runner as its main module; imported once here, a start takes milliseconds.
    _CONTEXT.set_forkserver_preload(
        ["pytest", "_pytest.config", "quoth.mirror.files", "quoth.mirror.journal", "random"]
    )
