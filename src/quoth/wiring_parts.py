"""The parts of one home, each opened when it is first asked for. `wiring.py` makes services of them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from quoth import _plugins
from quoth.core.errors import AdapterBroken, ConfigBroken
from quoth.core.ids import ProjectId, SourceId
from quoth.core.model import Root
from quoth.core.names import root_name
from quoth.core.settings import FILE, Settings, home_of, read_settings

if TYPE_CHECKING:
    from quoth.core.ports import Adapter, Index, LedgerStore, State
    from quoth.mirror.files import MirrorFiles
    from quoth.mirror.journal import JournalFile
    from quoth.services._filters import Filters
    from quoth.services.project import Projects


# What a kernel keeps when its index is replaced; every service is built anew.
_NOT_OF_THE_INDEX = frozenset(
    {
        "env",
        "user_home",
        "home",
        "settings",
        "clock",
        "embedder_name",
        "embedder",
        "worker",
        "worker_identity",
        "adapters",
        "roots",
        "opened_home",
        "mirror",
        "journal",
        "state",
        "ledger",
        "key",
        "tenant",
        "types",
    }
)


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000


class Unseen:
    """A meter that nobody looks at."""

    def begin(self, *, files: int, total: int) -> None: ...

    def advance(self, *, read: int, events: int) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True)
class Parts:
    """The parts of one home. `env` is the environment; nothing else is read of it."""

    env: Mapping[str, str]

    def close(self) -> None:
        """Close the databases that were opened."""
        for name in ("index", "state", "ledger"):
            if part := self.__dict__.pop(name, None):
                part.close()

    # --- where and how ---

    @cached_property
    def user_home(self) -> Path:
        return Path(self.env.get("HOME") or self.env.get("USERPROFILE") or Path.home())

    @cached_property
    def home(self) -> Path:
        return home_of(self.env, self.user_home).absolute()

    @cached_property
    def settings(self) -> Settings:
        return read_settings(self.env, _text(self.home / FILE), file=str(self.home / FILE))

    @cached_property
    def clock(self) -> SystemClock:
        return SystemClock()

    # --- parts ---

    @cached_property
    def adapters(self) -> Mapping[SourceId, Adapter]:
        return Adapters()

    @cached_property
    def roots(self) -> Sequence[Root]:
        """The folders of this device where agents keep their logs, existing or not."""
        return [Root(source, path, root_name(str(path))) for source in self.adapters for path in self._folders(source)]

    def _folders(self, source: SourceId) -> Iterable[Path]:
        """Return where a source's logs are; a source that can't be loaded stands for itself, and fails when read."""
        try:
            found = self.adapters[source].roots(self._said, self.user_home)
        except AdapterBroken:
            return [Path(source)]
        return dict.fromkeys(path.resolve() for path in found)

    @cached_property
    def _said(self) -> Mapping[str, str]:
        """The environment, where what `config.toml` says stands in for variables that are not set."""
        try:
            settings = self.settings.by_key.values()
        except (ConfigBroken, OSError):  # told by whoever asks for a setting
            return self.env
        return {**self.env, **{said.option.variable: str(said.value) for said in settings if said.said_by}}

    @cached_property
    def opened_home(self) -> Path:
        """The home, created and checked."""
        from quoth.mirror.home import open_home

        open_home(self.home)
        return self.home

    @cached_property
    def mirror(self) -> MirrorFiles:
        from quoth.mirror.files import MirrorFiles

        return MirrorFiles(self.opened_home)

    @cached_property
    def journal(self) -> JournalFile:
        from quoth.mirror.journal import JournalFile

        return JournalFile(self.opened_home, clock=self.clock)

    @cached_property
    def state(self) -> State:
        from quoth.storage._state import StateFile

        return StateFile(self.opened_home / "state.db")

    @property
    def ledger_path(self) -> Path:
        return self.home / "ledger.db"

    @cached_property
    def ledger(self) -> LedgerStore:
        from quoth.storage._ledger import LedgerFile

        if not self.ledger_path.exists():
            assert self.key  # it is made before the first operation; a store that lost it gets no other
        return LedgerFile(self.opened_home / self.ledger_path.name)

    @cached_property
    def key(self) -> bytes:
        from quoth.mirror.key import store_key

        return store_key(self.opened_home, is_new=not self.ledger_path.exists())

    @property
    def index_path(self) -> Path:
        return self.home / f"index-{self._engine.schema}.db"

    @cached_property
    def index(self) -> Index:
        opened = self._engine.open(self.opened_home / self.index_path.name)
        self.__dict__["_opened_index"] = identity(self.index_path)
        return opened

    @cached_property
    def _engine(self) -> Engine:
        return cast("Engine", _plugins.load("quoth.storage", "sqlite", "ENGINE"))

    def lock(self, wait: float = 60) -> AbstractContextManager[object]:
        """Take the ingest lock, waiting at most so many seconds for another process."""
        from quoth.mirror.home import ingest_lock

        return ingest_lock(self.opened_home, wait=wait)

    @cached_property
    def projects(self) -> Projects:
        return self._projects(self.index)

    def _projects(self, index: Index) -> Projects:
        from quoth.readers.git import identify
        from quoth.services.project import Projects

        return Projects(index, self.journal, self.state, identify, personal=self._personal, here=Path.cwd())

    @property
    def _personal(self) -> Collection[str]:
        """Folders that are nobody's project on this machine: what happens there is personal."""
        return {str(self.user_home), str(self.user_home.resolve()), tempfile.gettempdir()}

    def _find_project(self, text: str) -> tuple[ProjectId, ...]:
        return self.projects.find(text)

    @cached_property
    def _filters(self) -> Filters:
        from quoth.services._filters import Filters

        return Filters([*self.adapters], self._find_project, self.clock)

    @property
    def _new_index_path(self) -> Path:
        return self.index_path.with_suffix(".db.new")

    def _present_index(self) -> Index | None:
        return self.index if self.index_path.exists() else None

    def _fresh_index(self) -> Index:
        _remove_database(self._new_index_path)
        return self._engine.open(self._new_index_path)

    def _drop_index(self) -> None:
        """Close the index and forget every service that was built on it."""
        if old := self.__dict__.pop("index", None):
            old.close()
        for name in self.__dict__.keys() - _NOT_OF_THE_INDEX:
            del self.__dict__[name]

    def _swap_index(self) -> None:
        """Put the new index in place of the old one; processes that have the old one open keep reading it."""
        self._drop_index()
        _remove_database(self.index_path, keep_main=True)
        self._new_index_path.replace(self.index_path)


class Engine(Protocol):
    """What a module of `quoth.storage` exports as `ENGINE`."""

    schema: int

    def open(self, path: Path) -> Index: ...


class Adapters(Mapping[SourceId, "Adapter"]):
    """All adapters by source; each is imported when it is first asked for."""

    def __getitem__(self, source: SourceId) -> Adapter:
        if source not in _plugins.names("quoth.sources"):
            raise KeyError(source)
        try:
            return cast("Adapter", _plugins.load("quoth.sources", source, "ADAPTER"))
        except Exception as error:  # somebody else's module
            raise AdapterBroken(source, type(error).__name__) from error

    def __iter__(self) -> Iterator[SourceId]:
        return map(SourceId, _plugins.names("quoth.sources"))

    def __len__(self) -> int:
        return len(_plugins.names("quoth.sources"))


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one that took its place."""
    try:
        seen = path.stat()
    except FileNotFoundError:
        return None
    return seen.st_dev, seen.st_ino


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return ""


def _remove_database(path: Path, *, keep_main: bool = False) -> None:
    for suffix in ("-wal", "-shm") if keep_main else ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
