"""Put the parts together: the only file that reads the environment.

A `Kernel` opens each part when it is first asked for, so that a command pays only for what it uses.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from quoth import _plugins
from quoth.core.errors import AdapterBroken, ConfigBroken
from quoth.core.ids import ProjectId, SourceId
from quoth.core.links import HOME
from quoth.core.model import Root
from quoth.core.names import root_name
from quoth.core.settings import FILE, Settings, home_of, read_settings

if TYPE_CHECKING:
    from quoth.core.ports import Adapter, Index, State
    from quoth.mirror.files import MirrorFiles
    from quoth.mirror.journal import JournalFile
    from quoth.services._filters import Filters
    from quoth.services._findings import Check
    from quoth.services._link_checks import LinkChecks
    from quoth.services.backup import Backup, Restore
    from quoth.services.config import Config
    from quoth.services.doctor import Doctor
    from quoth.services.exclude import Exclude
    from quoth.services.get import Get
    from quoth.services.ingest import Ingest, Look
    from quoth.services.link import Linking
    from quoth.services.pause import Pause
    from quoth.services.project import Projects
    from quoth.services.rebuild import Rebuild
    from quoth.services.search import Search
    from quoth.services.sources import Sources
    from quoth.services.status import Status
    from quoth.services.timeline import Timeline
    from quoth.services.watch import Watch


# What a kernel keeps when its index is replaced; every service is built anew.
_NOT_OF_THE_INDEX = frozenset(
    {"env", "user_home", "home", "settings", "clock", "adapters", "roots", "opened_home", "mirror", "journal", "state"}
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
class Kernel:
    """The parts and services of one home."""

    env: Mapping[str, str]

    @classmethod
    def from_environment(cls) -> Kernel:
        return cls(dict(os.environ))

    def close(self) -> None:
        """Close the databases that were opened."""
        for name in ("index", "state"):
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
    def index_path(self) -> Path:
        return self.home / f"index-{self._engine.schema}.db"

    @cached_property
    def index(self) -> Index:
        opened = self._engine.open(self.opened_home / self.index_path.name)
        self.__dict__["_opened_index"] = _identity(self.index_path)
        return opened

    @cached_property
    def _engine(self) -> Engine:
        return cast("Engine", _plugins.load("quoth.storage", "sqlite", "ENGINE"))

    def lock(self, wait: float = 60) -> AbstractContextManager[object]:
        """Take the ingest lock, waiting at most so many seconds for another process."""
        from quoth.mirror.home import ingest_lock

        return ingest_lock(self.opened_home, wait=wait)

    # --- services ---

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

    @cached_property
    def ingest(self) -> Ingest:
        from quoth.services.ingest import Ingest

        return Ingest(
            adapters=self.adapters,
            roots=self.roots,
            mirror=self.mirror,
            journal=self.journal,
            index=self.index,
            state=self.state,
            projects=self.projects,
            clock=self.clock,
            lock=self.lock,
        )

    @cached_property
    def rebuild(self) -> Rebuild:
        from quoth.services.rebuild import Rebuild

        return Rebuild(
            adapters=self.adapters,
            mirror=self.mirror,
            journal=self.journal,
            state=self.state,
            projects=self._projects,
            lock=self.lock,
            present=self._present_index,
            fresh=self._fresh_index,
            swap=self._swap_index,
        )

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

    def _find_project(self, text: str) -> tuple[ProjectId, ...]:
        return self.projects.find(text)

    @cached_property
    def _filters(self) -> Filters:
        from quoth.services._filters import Filters

        return Filters([*self.adapters], self._find_project, self.clock)

    @cached_property
    def search(self) -> Search:
        from quoth.services.search import Search

        return Search(self.index, self._filters)

    @cached_property
    def timeline(self) -> Timeline:
        from quoth.services.timeline import Timeline

        return Timeline(self.index, self._filters, self.adapters)

    @cached_property
    def get(self) -> Get:
        from quoth.services.get import Get

        return Get(self.index)

    @cached_property
    def sources(self) -> Sources:
        from quoth.services.sources import Sources

        return Sources(self.index, self.mirror, self.home)

    @property
    def watch(self) -> Watch:
        return self.watching(threading.Event().wait)

    def watching(self, wait: Callable[[float], bool]) -> Watch:
        from quoth.services.watch import Watch

        return Watch(self._present_ingest, wait)

    def _present_ingest(self) -> Ingest:
        """Return the service on the index that is in place now."""
        if "index" in self.__dict__ and self.__dict__["_opened_index"] != _identity(self.index_path):
            self._drop_index()
        return self.ingest

    @cached_property
    def exclude(self) -> Exclude:
        from quoth.services.exclude import Exclude

        return Exclude(self.state, self.projects, [*self.adapters])

    @cached_property
    def pause(self) -> Pause:
        from quoth.services.pause import Pause

        return Pause(self.state, self.clock)

    @cached_property
    def config(self) -> Config:
        from quoth.services.config import Config

        return Config(self.opened_home / FILE, self.env)

    @cached_property
    def doctor(self) -> Doctor:
        from quoth.mirror.home import ingest_lock, open_home
        from quoth.services.doctor import Doctor

        return Doctor(
            home=self.home,
            index_file=self.index_path,
            roots=self.roots,
            open_home=lambda: open_home(self.home),
            settings=lambda: self.settings,
            mirror=lambda: self.mirror,
            journal=lambda: self.journal,
            state=lambda: self.state,
            index=lambda: self.index,
            pause=lambda: self.pause,
            look=self._look,
            lock=lambda: ingest_lock(self.home, wait=0),
            rebuild=self._rebuild_unseen,
            links=self._check_links,
        )

    def _look(self) -> Sequence[Look]:
        return self.ingest.look()

    @cached_property
    def backup(self) -> Backup:
        from quoth.services.backup import Backup

        return Backup(self.opened_home, self.state, self.clock, self.lock)

    @cached_property
    def restore(self) -> Restore:
        from quoth.services.backup import Restore

        return Restore(self.home, self._renew, self._rebuild_unseen)

    def _rebuild_unseen(self) -> int:
        return self.rebuild.run(Unseen()).events

    def _renew(self, home: Path) -> None:
        from quoth.mirror.journal import JournalFile

        JournalFile(home, clock=self.clock).renew()

    @cached_property
    def status(self) -> Status:
        from quoth.services.status import Status

        return Status(self.home, self.index, self.state, self.pause, self.roots)

    @cached_property
    def link(self) -> Linking:
        from quoth.core.ports import Linker
        from quoth.services.link import Linking

        linkers = {
            name: cast("Linker", _plugins.load("quoth.hosts", name, "LINKER")) for name in _plugins.names("quoth.hosts")
        }
        return Linking(
            linkers=linkers,
            env=self.env,
            user_home=self.user_home,
            workspace=self._workspace,
            program=self._program,
            variables=self._said_places,
            state=lambda: self.state,
            remembered=lambda: self.state.links() if (self.home / "state.db").exists() else (),
            which=self._which,
        )

    @cached_property
    def link_checks(self) -> LinkChecks:
        from quoth.hosts._probe import ask
        from quoth.services._link_checks import LinkChecks

        return LinkChecks(self.link, self.home, ask, self._newest)

    def _check_links(self) -> Sequence[Check]:
        return self.link_checks.checks()

    def _which(self, program: str) -> str | None:
        return shutil.which(program, path=self.env.get("PATH", os.defpath))

    @property
    def _workspace(self) -> Path:
        """The folder that an agent which works here takes for its workspace."""
        from quoth.readers.git import identify

        here = Path.cwd()
        found = identify(here)
        return Path(found.top) if found else here

    @property
    def _program(self) -> Sequence[str]:
        """How another program starts this installation: by name where every shell finds it, else by path.

        An activated virtual environment is on the PATH of one shell only.
        """
        import sysconfig

        script = Path(sysconfig.get_path("scripts"), "quoth.exe" if os.name == "nt" else "quoth")
        if not script.exists():
            return sys.executable, "-m", "quoth"
        found = self._which("quoth")
        environment = self.env.get("VIRTUAL_ENV")
        is_passing = environment is not None and found is not None and Path(environment) in Path(found).parents
        is_this = found is not None and Path(found).resolve() == script.resolve()
        return ("quoth",) if is_this and not is_passing else (str(script),)

    @property
    def _said_places(self) -> Mapping[str, str]:
        """The variables by which this person's store and logs are in other places than usual."""
        named = {name for source in self.adapters for name in self._variables(source)}
        said = {name: self.env[name] for name in sorted(named) if self.env.get(name, "").strip()}
        return said if self.home == self.user_home / ".quoth" else {HOME: str(self.home), **said}

    def _variables(self, source: SourceId) -> Iterable[str]:
        """Return the variables that move a source's folders; a source that can't be loaded keeps no other from it."""
        try:
            return self.adapters[source].knowledge.environment
        except AdapterBroken:
            return ()

    def _newest(self, source: SourceId) -> int | None:
        """Return when the last session of a source that is kept ended."""
        from quoth.core.model import Filter

        rows = self.index.sessions(Filter(source=source), limit=1, offset=0) if self.index_path.exists() else ()
        return rows[0].ended if rows else None


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


def _identity(path: Path) -> tuple[int, int] | None:
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
