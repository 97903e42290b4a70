"""The services that write and read memory, put together from the parts of one home."""

from __future__ import annotations

import getpass
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.wiring_parts import Parts

if TYPE_CHECKING:
    from quoth.core.ports import Index
    from quoth.core.types import Types
    from quoth.services._citing import Citing
    from quoth.services._later import LaterCitations
    from quoth.services._memory import Memory
    from quoth.services._native import NativeMemory
    from quoth.services._placing import Placing
    from quoth.services._wiping import Wiping
    from quoth.services.correct import Correct
    from quoth.services.export import Export
    from quoth.services.forget import Forgetting
    from quoth.services.get import Get
    from quoth.services.history import History
    from quoth.services.import_ import Import
    from quoth.services.ingest import Ingest
    from quoth.services.purge import Purge
    from quoth.services.rebuild import Rebuild
    from quoth.services.remember import Remember
    from quoth.services.restore import Restoring
    from quoth.services.search import Search
    from quoth.services.sources import Sources
    from quoth.services.verify import Verify

_TYPES = "types"


@dataclass(frozen=True)
class MemoryServices(Parts):
    """The services that need the ledger, and those that bring the index up to date with it."""

    @cached_property
    def memory(self) -> Memory:
        return self._memory(self.index)

    def _memory(self, index: Index) -> Memory:
        from quoth.services._memory import Memory

        return Memory(
            ledger=lambda: self.ledger,
            is_begun=lambda: "ledger" in self.__dict__ or self.ledger_path.exists(),
            index=index,
            journal=self.journal,
            key=lambda: self.key,
            clock=self.clock,
        )

    @cached_property
    def types(self) -> Types:
        """The types of entries: ours, and those of the deployment, which replace ours of the same name."""
        from quoth.readers.templates import read_types

        return read_types([Path(str(files("quoth") / _TYPES)), self.home / _TYPES])

    @cached_property
    def tenant(self) -> str:
        """The name of the person whose memory this is: as set, else as the system knows them."""
        return self.settings.tenant or self.env.get("USER") or self.env.get("USERNAME") or getpass.getuser()

    @cached_property
    def placing(self) -> Placing:
        from quoth.services._placing import Placing

        return Placing(self.projects, self.tenant, Path.cwd())

    @cached_property
    def citing(self) -> Citing:
        from quoth.services._citing import Citing

        return Citing(self.memory)

    # --- reading logs ---

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
            after=self._after_pass,
            wiping=self._wiping,
        )

    def _after_pass(self) -> None:
        """Bring memory up to date with what was just read."""
        self.memory.catch_up()
        self._wiping.again()
        self._native.run()
        self._later.run()

    @cached_property
    def _wiping(self) -> Wiping:
        from quoth.services._wiping import Wiping

        return Wiping(self.memory, self.mirror)

    @cached_property
    def _native(self) -> NativeMemory:
        from quoth.services._native import NativeMemory

        return NativeMemory(self.memory, self.placing)

    @cached_property
    def _later(self) -> LaterCitations:
        from quoth.services._later import LaterCitations

        return LaterCitations(self.memory)

    def read_recent(self) -> str | None:
        """Read what agents wrote in the last hour, and say why something of it may be missing."""
        from quoth.services._fresh import Fresh

        return Fresh(replace(self.ingest, lock=lambda: self.lock(1)), self.clock).run()

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
            remember=lambda index: self._memory(index).catch_up(),
        )

    # --- finding ---

    @cached_property
    def search(self) -> Search:
        from quoth.services.search import Search

        return Search(self.index, self._filters, self.memory)

    @cached_property
    def get(self) -> Get:
        from quoth.services.get import Get

        return Get(self.memory)

    @cached_property
    def sources(self) -> Sources:
        from quoth.services.sources import Sources

        return Sources(self.memory, self.mirror, self.home)

    @cached_property
    def history(self) -> History:
        from quoth.services.history import History

        return History(self.memory)

    # --- writing ---

    @cached_property
    def remember(self) -> Remember:
        from quoth.services.remember import Remember

        return Remember(self.memory, self.citing, self.placing, lambda: self.types, self.read_recent)

    @cached_property
    def correct(self) -> Correct:
        from quoth.services.correct import Correct

        return Correct(self.memory, self.citing, self.placing, lambda: self.types, self.read_recent)

    @cached_property
    def forget(self) -> Forgetting:
        from quoth.services.forget import Forgetting

        return Forgetting(self.memory)

    @cached_property
    def undo(self) -> Restoring:
        from quoth.services.restore import Restoring

        return Restoring(self.memory)

    @cached_property
    def purge(self) -> Purge:
        from quoth.services.purge import Purge

        return Purge(
            memory=self.memory,
            mirror=self.mirror,
            wiping=self._wiping,
            rebuild=self.rebuild,
            lock=self.lock,
            home=self.home,
            is_index=self._is_index,
        )

    def _is_index(self, path: Path) -> bool:
        """Tell whether a file of the home is an index of another schema."""
        return path.name.startswith("index-") and not path.name.startswith(self.index_path.name)

    @cached_property
    def verify(self) -> Verify:
        from quoth.services.verify import Verify

        return Verify(self.memory, self.mirror, self.journal)

    @cached_property
    def export(self) -> Export:
        from quoth.services.export import Export

        return Export(self.memory)

    @cached_property
    def importing(self) -> Import:
        from quoth.services.import_ import Import

        return Import(self.memory, self.placing, lambda: self.types)
