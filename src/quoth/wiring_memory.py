"""The services that write and read memory, put together from the parts of one home."""

from __future__ import annotations

import getpass
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.core.errors import ConfigBroken
from quoth.wiring_meaning import Meanings

if TYPE_CHECKING:
    from quoth.core.ports import Index
    from quoth.core.types import Types
    from quoth.services._citing import Citing
    from quoth.services._deciding import Deciding
    from quoth.services._destroying import Destroying
    from quoth.services._embedding import Progress
    from quoth.services._later import LaterCitations
    from quoth.services._memory import Memory
    from quoth.services._native import NativeMemory
    from quoth.services._placing import Placing
    from quoth.services._rescan import Rescan
    from quoth.services._spots import Spots
    from quoth.services._wiping import Wiping
    from quoth.services.audit import Audit
    from quoth.services.brief import Briefing
    from quoth.services.by_type import ByType
    from quoth.services.correct import Correct
    from quoth.services.counting import Counting
    from quoth.services.duplicates import Duplicates
    from quoth.services.export import Export
    from quoth.services.facts import Facts
    from quoth.services.forget import Forgetting
    from quoth.services.get import Get
    from quoth.services.handoff import Handoff
    from quoth.services.history import History
    from quoth.services.import_ import Import
    from quoth.services.ingest import Ingest
    from quoth.services.judge import Judging
    from quoth.services.leaving import Leaving
    from quoth.services.purge import Purge
    from quoth.services.rebuild import Rebuild
    from quoth.services.recall import Recall
    from quoth.services.recall_block import RecallBlock
    from quoth.services.remember import Remember
    from quoth.services.restore import Restoring
    from quoth.services.search import Search
    from quoth.services.sources import Sources
    from quoth.services.verify import Verify

_TYPES = "types"


@dataclass(frozen=True)
class MemoryServices(Meanings):
    """The services that need the ledger, and those that bring the index up to date with it."""

    @cached_property
    def memory(self) -> Memory:
        return self._memory(self.index)

    def _memory(self, index: Index) -> Memory:
        from quoth.services._memory import Memory
        from quoth.storage._vector_wiping import HomeVectors

        return Memory(
            ledger=lambda: self.ledger,
            is_begun=lambda: "ledger" in self.__dict__ or self.ledger_path.exists(),
            index=index,
            journal=self.journal,
            key=lambda: self.key,
            clock=self.clock,
            changed=self._wake,
            vectors=HomeVectors(self.home),
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
            found=self._wake,
        )

    def _after_pass(self) -> None:
        self._after_reading()
        self._rescan_of(self.memory).run()

    def _after_reading(self) -> None:
        """Bring memory up to date with what was just read."""
        self.memory.catch_up()
        self._wiping.again()
        self._native.run()
        self._later.run()

    def _rescan_of(self, memory: Memory) -> Rescan:
        from quoth.services._destroying import Destroying
        from quoth.services._rescan import Rescan

        return Rescan(memory, Destroying(memory, self._drop_other_indexes))

    @cached_property
    def _wiping(self) -> Wiping:
        return self._wiping_of(self.memory)

    def _wiping_of(self, memory: Memory) -> Wiping:
        from quoth.services._wiping import Wiping

        return Wiping(memory, self.mirror, self.adapters, self.home, self._is_other_index)

    def _is_other_index(self, path: Path) -> bool:
        """Tell whether a file of the home is an index of another schema."""
        return path.name.startswith("index-") and not path.name.startswith(self.index_path.name)

    @cached_property
    def _native(self) -> NativeMemory:
        from quoth.services._native import NativeMemory

        return NativeMemory(self.memory, self.placing, self.adapters)

    @cached_property
    def _later(self) -> LaterCitations:
        from quoth.services._later import LaterCitations

        return LaterCitations(self.memory, self.mirror, [*self.adapters])

    def read_recent(self) -> str | None:
        """Read what agents wrote in the last hour, and say why something of it may be missing.

        Whoever writes waits for it, so it is no time to look through all of memory for secrets.
        """
        from quoth.services._fresh import Fresh

        ingest = replace(self.ingest, lock=lambda: self.lock(1), after=self._after_reading)
        return Fresh(ingest, self.clock).run()

    @cached_property
    def rebuild(self) -> Rebuild:
        from quoth.services.rebuild import Rebuild

        return Rebuild(
            adapters=self.adapters,
            mirror=self.mirror,
            journal=self.journal,
            projects=self._projects,
            lock=self.lock,
            present=self._present_index,
            fresh=self._fresh_index,
            swap=self._swap_index,
            remember=self._remember,
            wiping=self._wiping,
        )

    def _remember(self, index: Index) -> None:
        """Show the ledger in a new index."""
        memory = self._memory(index)
        memory.catch_up()
        self._wiping_of(memory).again()
        self._rescan_of(memory).run()

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
    def recall(self) -> Recall:
        from quoth.readers.stems import stem
        from quoth.services.recall import Recall

        return Recall(self.memory, self.meaning, stem, self.worker.expect)

    @cached_property
    def recall_block(self) -> RecallBlock:
        from quoth.services.recall_block import RecallBlock

        return RecallBlock(self.recall, self.spots, lambda: self.types)

    @cached_property
    def by_type(self) -> ByType:
        from quoth.services.by_type import ByType

        return ByType(self.recall.ranked, self.types)

    @cached_property
    def facts(self) -> Facts:
        from quoth.services.facts import Facts

        return Facts(self.memory)

    @cached_property
    def duplicates(self) -> Duplicates:
        from quoth.services.duplicates import Duplicates

        return Duplicates(self.memory, self.meaning)

    @cached_property
    def counting(self) -> Counting:
        from quoth.services.counting import Counting

        return Counting(self.memory, self._progress)

    def _progress(self) -> Progress | None:
        try:
            return self.embedding_state.progress() if self.embedder_name else None
        except (ConfigBroken, OSError):  # told by whoever asks for a setting
            return None

    @cached_property
    def spots(self) -> Spots:
        from quoth.readers.branches import landed
        from quoth.services._spots import Spots

        return Spots(self.memory, self.placing, landed)

    @cached_property
    def brief(self) -> Briefing:
        from quoth.services.brief import Briefing

        return Briefing(self.memory, self.spots)

    @cached_property
    def history(self) -> History:
        from quoth.services.history import History

        return History(self.memory)

    # --- writing ---

    @cached_property
    def _deciding(self) -> Deciding:
        from quoth.services._deciding import Deciding
        from quoth.services._gone import Gone

        return Deciding(self.memory, Gone(self.memory))

    @cached_property
    def remember(self) -> Remember:
        from quoth.services.remember import Remember

        return Remember(self.memory, self.citing, self.placing, lambda: self.types, self.read_recent, self._deciding)

    @cached_property
    def handoff(self) -> Handoff:
        from quoth.services.handoff import Handoff

        return Handoff(self.remember)

    @cached_property
    def correct(self) -> Correct:
        from quoth.services.correct import Correct

        return Correct(self.memory, self.citing, self.placing, lambda: self.types, self.read_recent, self._deciding)

    @cached_property
    def judge(self) -> Judging:
        from quoth.services.judge import Judging

        return Judging(self.memory, lambda: self.types, self.correct, self._deciding, self._destroying)

    @cached_property
    def audit(self) -> Audit:
        from quoth.services.audit import Audit

        return Audit(self.memory)

    @cached_property
    def _destroying(self) -> Destroying:
        from quoth.services._destroying import Destroying

        return Destroying(self.memory, self._drop_other_indexes)

    def _drop_other_indexes(self) -> None:
        for path in list(self.home.iterdir()):
            if self._is_other_index(path):
                path.unlink(missing_ok=True)

    @cached_property
    def forget(self) -> Forgetting:
        from quoth.services.forget import Forgetting

        return Forgetting(self.memory, self.read_recent)

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
        )

    @cached_property
    def leaving(self) -> Leaving:
        from quoth.mirror.home import ingest_lock, is_made
        from quoth.services.leaving import Leaving

        return Leaving(self.home, is_made, lambda: ingest_lock(self.home, wait=0), self.close, self._keep_workers_out)

    @cached_property
    def verify(self) -> Verify:
        from quoth.services.verify import Verify

        return Verify(self.memory, self.mirror, self.journal, (self.home / "store.key").exists)

    @cached_property
    def export(self) -> Export:
        from quoth.services.export import Export

        return Export(self.memory, self.projects)

    @cached_property
    def importing(self) -> Import:
        from quoth.services.import_ import Import

        return Import(self.memory, self.placing, lambda: self.types)
