"""What is measured: Quoth over generated logs in a throw-away home, through the same wiring as every door."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Took, timed
from quoth.core.ids import SessionId, SourceId
from quoth.core.model import EventRow, Filter, Kind
from quoth.core.names import mirror_name, root_name
from quoth.core.ports import Index
from quoth.mirror.files import MirrorFiles
from quoth.readers import compressed
from quoth.wiring import Kernel

_SEARCHED = {Kind.MESSAGE, Kind.TOOL_USE, Kind.TOOL_RESULT}
_PAGE = 500


class Silent:
    """A meter that shows nothing."""

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True)
class Store:
    """Generated logs, the home that Quoth keeps of them, and how many events they hold."""

    logs: Path
    home: Path
    events: int = 0

    def files(self) -> Sequence[Path]:
        return sorted(path for path in self.logs.rglob("*.jsonl") if path.is_file())

    def environment(self) -> Mapping[str, str]:
        """Return what makes Quoth read these logs and nothing else of the machine."""
        return {
            "HOME": str(self.home),
            "QUOTH_HOME": str(self.home),
            "QUOTH_WORKER": "off",
            "CLAUDE_CONFIG_DIR": str(self.logs / "claude"),
            "CODEX_HOME": str(self.logs / "codex"),
            "GEMINI_CLI_HOME": str(self.logs / "gemini"),
            "GROK_HOME": str(self.logs / "grok"),
            "COPILOT_HOME": str(self.logs / "copilot"),
            "PI_CODING_AGENT_DIR": str(self.logs / "pi"),
            "XDG_DATA_HOME": str(self.logs / "share"),
            "ZCODE_STORAGE_DIR": str(self.logs / "zcode"),
            "XDG_CONFIG_HOME": str(self.logs / "config"),
        }

    @contextmanager
    def open(self) -> Iterator[Kernel]:
        kernel = Kernel(self.environment())
        try:
            yield kernel
        finally:
            kernel.close()

    def awake(self) -> Kernel:
        """Return a door that asks a worker, and starts one."""
        return Kernel({**self.environment(), "QUOTH_WORKER": "auto"})

    def ingest(self) -> tuple[Took, int]:
        """Run one pass, from opening the home to closing it; return what it took and how many events are new."""

        def run() -> int:
            with self.open() as kernel:
                return kernel.ingest.run(Silent()).events

        return timed(run)

    def rebuild(self) -> tuple[Took, int]:
        """Make the index again; return what it took and how many events there are."""

        def run() -> int:
            with self.open() as kernel:
                return kernel.rebuild.run(Silent()).events

        return timed(run)

    def mirror(self) -> Took:
        """Copy every log into a mirror and force it onto the disk: "safe", nothing parsed yet."""

        def run() -> None:
            copies = MirrorFiles(self.home)
            for path in self.files():
                name = mirror_name("bench", root_name(str(self.logs)), path.relative_to(self.logs).as_posix(), 1)
                copies.append(name, compressed.chunks(path, compressed=False))
            copies.sync()

        return timed(run)[0]


def texts(kernel: Kernel, *, spoken: bool = False) -> Iterator[str]:
    """Yield the texts that full text holds: all of them, or only what person and model said."""
    kinds = {Kind.MESSAGE} if spoken else _SEARCHED
    return (event.text for event in events(kernel.index) if event.kind in kinds and event.text)


def events(index: Index) -> Iterator[EventRow]:
    offset = 0
    while sessions := index.sessions(Filter(), limit=_PAGE, offset=offset):
        offset += len(sessions)
        for session in sessions:
            yield from _session(index, session.source, session.session)


def _session(index: Index, source: SourceId, session: SessionId) -> Iterator[EventRow]:
    offset = 0
    while events := index.session_events(source, session, everything=True, limit=_PAGE, offset=offset):
        offset += len(events)
        yield from events


def asker(kernel: Kernel, *, tools: bool) -> Callable[[str], Sequence[object]]:
    """Return the search that a door would call."""

    def ask(query: str) -> Sequence[object]:
        found = kernel.search.run(query, include_tools=tools)["events"]
        return found if isinstance(found, Sequence) else ()

    return ask
