"""Put the parts together: the only file that reads the environment.

A `Kernel` opens each part when it is first asked for, so that a command pays only for what it uses.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from quoth import _plugins
from quoth.core.errors import AdapterBroken, Busy
from quoth.core.ids import SourceId
from quoth.core.links import HOME
from quoth.core.settings import FILE
from quoth.wiring_memory import MemoryServices
from quoth.wiring_parts import SystemClock, Unseen, identity

__all__ = ["Kernel", "SystemClock", "Unseen"]

if TYPE_CHECKING:
    from quoth.core.ports import LedgerStore, Meter
    from quoth.core.vectors import TextKey
    from quoth.services._findings import Check
    from quoth.services._link_checks import LinkChecks
    from quoth.services.backup import Backup, Restore
    from quoth.services.config import Config
    from quoth.services.doctor import Doctor
    from quoth.services.exclude import Exclude
    from quoth.services.ingest import Ingest, Look
    from quoth.services.link import Linking
    from quoth.services.pause import Pause
    from quoth.services.status import Status
    from quoth.services.timeline import Timeline
    from quoth.services.watch import Watch
    from quoth.services.work import Opened, Work

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # of the worker: others want to work too


@dataclass(frozen=True)
class Kernel(MemoryServices):
    """The parts and services of one home."""

    @classmethod
    def from_environment(cls) -> Kernel:
        return cls(dict(os.environ))

    @cached_property
    def timeline(self) -> Timeline:
        from quoth.services.timeline import Timeline

        return Timeline(self.index, self._filters, self.adapters, self.memory)

    @property
    def watch(self) -> Watch:
        return self.watching(threading.Event().wait)

    def watching(self, wait: Callable[[float], bool]) -> Watch:
        from quoth.services.watch import Watch

        return Watch(self._present_ingest, wait)

    def _present_ingest(self) -> Ingest:
        """Return the service on the index that is in place now."""
        if "index" in self.__dict__ and self.__dict__["_opened_index"] != identity(self.index_path):
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
        from quoth.services._ledger_checks import LedgerChecks
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
            memory=LedgerChecks(
                file=self.ledger_path,
                key_file=self.home / "store.key",
                ledger=lambda: self.ledger,
                memory=lambda: self.memory,
                is_purging=self._is_purging,
                rescan=lambda: self._rescan_of(self.memory),
            ),
            embedding=self.embedding_state,
        )

    @property
    def work(self) -> Work:
        """A run of the worker. It opens the home by itself, and wakes nobody."""
        from quoth.services.work import Work

        for name in _THREADS:  # read when NumPy is loaded
            os.environ.setdefault(name, "1")
        return Work(
            identity=self.worker_identity,
            idle_s=self.settings.idle_s,
            interval_s=self.settings.watch_interval_ms / 1000,
            open_home=self._open_again,
            lock=self._only_worker,
            listen=self._listening,
            present=self._present_home,
            vectors=self.vectors_of,
            notes=self.embedding_notes,
        )

    @contextmanager
    def _open_again(self) -> Iterator[Opened]:
        from quoth.services.work import Opened

        kernel = Kernel({**self.env, "QUOTH_WORKER_USE": "off"})
        try:
            before = identity(kernel.index_path)  # of a file that takes its place while it is opened, it is too old
            texts = kernel.index
            seen = before or identity(kernel.index_path)
            yield Opened(
                identity=kernel.worker_identity,
                texts=texts,
                embedder=kernel.embedder,
                read=kernel._read_new,
                drop_others=kernel._drop_vectors_but,
                is_present=lambda: identity(kernel.index_path) == seen,
                all_texts=lambda: kernel._all_texts(seen),
            )
        finally:
            kernel.close()

    def _read_new(self, meter: Meter) -> None:
        """Read new logs, unless that was done just now. The first time of all is the person's."""
        self.memory.catch_up()  # whoever wrote may have been killed
        last = self.index.last_pass()
        if last and self.clock.now() - last[0] >= self.settings.watch_interval_ms // 2:
            replace(self.ingest, lock=lambda: self.lock(0)).run(meter)

    def _all_texts(self, seen: object) -> Collection[TextKey] | None:
        """Return all that may have a vector; None while logs are being read, or where the index is not that one any
        more, or has never held all logs."""
        with suppress(Busy), self.lock(0):
            if identity(self.index_path) == seen and self.index.last_pass():
                self.memory.catch_up()
                return {*self.index.texts()}
        return None

    def _is_purging(self) -> bool:
        from quoth.services._wiping import PLAN

        return (self.home / PLAN).exists() and self._wiping.is_unfinished()

    def _look(self) -> Sequence[Look]:
        return self.ingest.look()

    @cached_property
    def backup(self) -> Backup:
        from quoth.services.backup import Backup

        return Backup(self.opened_home, self.state, self.clock, self.lock, self._present_ledger)

    def _present_ledger(self) -> LedgerStore | None:
        return self.ledger if self.ledger_path.exists() else None

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

        return Status(self.home, self.index, self.state, self.pause, self.roots, self.memory, self.embedding_state)

    @cached_property
    def link(self) -> Linking:
        from quoth.core.ports import Linker
        from quoth.services.link import Linking

        linkers, broken = dict[str, Linker](), dict[str, str]()
        for name in _plugins.names("quoth.hosts"):
            try:
                linkers[name] = cast("Linker", _plugins.load("quoth.hosts", name, "LINKER"))
            except Exception as error:  # somebody else's module
                broken[name] = type(error).__name__
        return Linking(
            linkers=linkers,
            broken=broken,
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
