"""Doctor: look at every part of the home, hold disk and index against each other, and say what to do (QUO-9, INV-6).

Nothing is changed without `fix`, and a part that can't even be opened is a finding, not the end of the examination.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from quoth.core.errors import Busy
from quoth.core.ids import SourceId
from quoth.core.model import Root, Skipped, Stream
from quoth.core.names import mirror_name
from quoth.core.ports import Index, Journal, Mirror, State
from quoth.services._embedding_state import EmbeddingState
from quoth.services._findings import (
    FAIL,
    PASS,
    REMEDIES,
    WARN,
    Check,
    counted,
    damage,
    drift,
    guarded,
    left_out,
    shown,
    some,
)
from quoth.services._ledger_checks import LedgerChecks
from quoth.services.ingest import Look
from quoth.services.pause import Pause

__all__ = ["Check", "Doctor", "Doubt"]

_SAMPLE = 40  # mirrored logs whose bytes are read unless all are asked for


class Doubt(Protocol):
    """Something about the home that may do harm later."""

    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def remedy(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Doctor:
    """Parts are callables that open them, because opening may already fail. `lock` does not wait."""

    home: Path
    index_file: Path
    roots: Sequence[Root]
    open_home: Callable[[], Sequence[Doubt]]
    settings: Callable[[], object]
    mirror: Callable[[], Mirror]
    journal: Callable[[], Journal]
    state: Callable[[], State]
    index: Callable[[], Index]
    pause: Callable[[], Pause]
    look: Callable[[], Sequence[Look]]
    lock: Callable[[], AbstractContextManager[object]]
    rebuild: Callable[[], int]
    links: Callable[[], Sequence[Check]]
    memory: LedgerChecks
    embedding: EmbeddingState

    def run(self, *, deep: bool = False, fix: bool = False) -> Sequence[Check]:
        """Examine everything; `deep` reads every mirrored byte, `fix` mends what can be mended without losing anything.

        Raises:
            Busy, StoreFailed: mending was asked for and did not go through.
        """
        checks = list(self._examine(deep=deep))
        if fix and self._mend(checks):
            return list(self._examine(deep=deep))
        return checks

    def _examine(self, *, deep: bool) -> Iterator[Check]:
        if not self.home.is_dir():
            yield self._no_home()
            yield from guarded("roots", self._roots)
            yield from guarded("links", lambda: iter(self.links()))
            return
        home = list(guarded("home", self._home))
        yield from home
        if any(check.status == FAIL for check in home):
            return  # No other part can be opened.
        unsound: set[str] = set()
        for name, examine, needed in self._examinations(deep=deep):
            if unsound.isdisjoint(needed):
                checks = list(guarded(name, examine))
                yield from checks
                unsound.update(check.id for check in checks if check.status != PASS)

    def _examinations(self, *, deep: bool) -> Iterator[tuple[str, Callable[[], Iterator[Check]], Collection[str]]]:
        """Yield each examination by name with those that it can't do without."""
        yield "permissions", self._permissions, ()
        yield "config", self._config, ()
        yield "journal", self._journal, ()
        yield "mirror", lambda: self._mirror(deep=deep), ()
        yield "mirror:unknown", self._unknown, ("journal",)
        yield "state", self._state, ()
        yield "index", self._index, ()
        yield "index:behind", self._held_against_mirror, ("index", "journal", "mirror")
        yield "ledger", lambda: self.memory.sound(deep=deep), ()
        yield "ledger:shown", self.memory.shown, ("index", "ledger")
        yield "ledger:redaction", self.memory.redacted, ("index", "ledger")
        yield "ledger:wiped", self.memory.wiped, ("index", "ledger")
        yield "key", self.memory.key, ("ledger",)
        yield "lock", self._lock, ()
        yield "roots", self._roots, ()
        yield "disk", self._disk, ("index", "journal", "state")
        yield "formats", self._formats, ("index",)
        yield "embedder", lambda: self.embedding.checks(deep=deep), ("config", "index")
        yield "links", lambda: iter(self.links()), ()

    # --- the home ---

    def _no_home(self) -> Check:
        """Say whether the store can be made, without making it."""
        around = next(folder for folder in (self.home, *self.home.parents) if os.path.lexists(folder))
        if around.is_dir() and os.access(around, os.W_OK | os.X_OK):
            return Check("home", WARN, f"There is no store at {shown(self.home)} yet.", "Run `quoth sync`.")
        why = "can't be written" if around.is_dir() else "is no folder"
        return Check(
            "home", FAIL, f"No store can be made at {shown(self.home)}: {shown(around)} {why}.", REMEDIES["home"]
        )

    def _home(self) -> Iterator[Check]:
        doubts = self.open_home()
        yield from (Check(f"home:{doubt.code}", WARN, doubt.message, doubt.remedy) for doubt in doubts)
        if not doubts:
            yield Check("home", PASS, f"The store {shown(self.home)} can be written and is yours alone.")

    def _permissions(self) -> Iterator[Check]:
        open_to_others = list(self._open_to_others())
        if open_to_others:
            count = counted(len(open_to_others), "file or folder", "files or folders")
            yield Check(
                "permissions",
                WARN,
                f"{count} of the store can be used by other people: {some(map(shown, open_to_others))}.",
                "Run `quoth doctor --fix`.",
            )
        else:
            yield Check("permissions", PASS, "Only you can read the files of the store.")

    def _open_to_others(self) -> Iterator[Path]:
        if os.name != "posix":
            return
        for folder, folders, names in os.walk(self.home):
            paths = (Path(folder, name) for name in [*folders, *names])
            yield from (path for path in paths if _is_open_to_others(path))

    def _config(self) -> Iterator[Check]:
        self.settings()
        yield Check("config", PASS, "The settings can be read.")

    def _journal(self) -> Iterator[Check]:
        if (self.home / "observations.jsonl").exists():
            count = counted(len(self._streams()), "log", "logs")
            yield Check("journal", PASS, f"The journal of observations is readable: {count}.")
        elif any(self.mirror().names()):
            message = "observations.jsonl is missing, though the mirror holds logs."
            yield Check("journal", FAIL, message, "Restore observations.jsonl from a backup.")
        else:
            yield Check("journal", WARN, "Nothing was read yet.", "Run `quoth sync`.")

    def _mirror(self, *, deep: bool) -> Iterator[Check]:
        mirror, names = self.mirror(), list(self.mirror().names())
        chosen = names if deep else _sample(names)
        problems = [problem for name in chosen for problem in mirror.check(name)]
        if problems:
            yield Check(
                "mirror", FAIL, f"The mirror is damaged: {some(problems)}", "Restore these files from a backup."
            )
        else:
            extent = "" if len(chosen) == len(names) else f" ({len(chosen)} of them read; `--deep` reads all)"
            yield Check("mirror", PASS, f"{counted(len(names), 'mirrored log is', 'mirrored logs are')} sound{extent}.")

    def _unknown(self) -> Iterator[Check]:
        known = {_name(stream) for stream in self._streams()}
        if unknown := [name for name in self.mirror().names() if name not in known]:
            yield Check(
                "mirror:unknown",
                WARN,
                f"{counted(len(unknown), 'mirrored log', 'mirrored logs')} no observation names: {some(unknown)}.",
                "Restore observations.jsonl from a backup; the files are kept.",
            )

    def _state(self) -> Iterator[Check]:
        if not (self.home / "state.db").exists():
            yield Check("state", PASS, "Nothing was decided on this device yet.")
            return
        yield damage("state", self.state().check(), "Restore state.db from a backup.")
        if self.pause().until() is not None:
            yield Check("paused", WARN, "Reading is paused.", "Run `quoth sync --resume`.")

    def _lock(self) -> Iterator[Check]:
        try:
            with self.lock():
                yield Check("lock", PASS, "No other process reads logs now.")
        except Busy:
            yield Check("lock", PASS, "Another process reads logs now.")

    # --- the index ---

    def _index(self) -> Iterator[Check]:
        if not self.index_file.exists():
            yield Check("index", WARN, "There is no index.", "Run `quoth rebuild`.")
            return
        yield damage("index", self.index().check(), "Run `quoth rebuild`.")

    def _held_against_mirror(self) -> Iterator[Check]:
        """Compare how far the index has read each log with what the mirror holds of it."""
        read = {state.stream.rank: state.progress.offset for state in self.index().streams()}
        sizes = {stream: self.mirror().size(_name(stream)) for stream in self._streams()}
        short = [_name(stream) for stream, size in sizes.items() if size < read.get(stream.rank, 0)]
        behind = [stream for stream, size in sizes.items() if self._is_behind(stream, read.get(stream.rank, 0), size)]
        if short:
            yield Check(
                "mirror:short",
                FAIL,
                f"The mirror lost bytes that were read before: {some(short)}.",
                "Restore these files from a backup.",
            )
        if behind:
            waiting = sum(sizes[stream] - read.get(stream.rank, 0) for stream in behind)
            count = counted(len(behind), "mirrored log", "mirrored logs")
            message = f"The index has not read {count} to the end ({waiting:,} bytes)."
            yield Check("index:behind", WARN, message, "Run `quoth sync`, or `quoth rebuild`.")

    def _is_behind(self, stream: Stream, read: int, size: int) -> bool:
        """Tell whether complete lines wait; an agent may be in the middle of writing the last one."""
        return size > read and any(b"\n" in piece for piece in self.mirror().read(_name(stream), read))

    def _streams(self) -> Sequence[Stream]:
        return self.journal().streams()

    # --- the agents' logs ---

    def _roots(self) -> Iterator[Check]:
        found = [root for root in self.roots if root.path.exists()]
        if found:
            yield Check("roots", PASS, f"Agents keep logs in {', '.join(shown(root.path) for root in found)}.")
        else:
            places = ", ".join(shown(root.path) for root in self.roots)
            yield Check("roots", WARN, f"No agent keeps logs here; looked in {places}.", "Work with an agent first.")

    def _disk(self) -> Iterator[Check]:
        """Say per source how much of its logs was not read yet; one agent may keep logs in several folders."""
        looks = self.look()
        for source in dict.fromkeys(look.source for look in looks):
            here = [look for look in looks if look.source == source]
            changed, waiting = sum(look.changed for look in here), sum(look.bytes for look in here)
            if changed:
                message = (
                    f"{counted(changed, 'file', 'files')} of {source} changed since the last pass ({waiting:,} bytes)."
                )
                yield Check(f"disk:{source}", WARN, message, "Run `quoth sync`.")
            elif files := sum(look.files for look in here):
                yield Check(
                    f"disk:{source}", PASS, f"Everything of {source} is read: {counted(files, 'file', 'files')}."
                )

    def _formats(self) -> Iterator[Check]:
        for coverage in self.index().coverage():
            yield from drift(coverage)
        skipped: dict[SourceId, list[Skipped]] = {}
        for source, thing in self.index().skips():
            skipped.setdefault(source, []).append(thing)
        for source, things in skipped.items():
            yield left_out(source, things)

    # --- mending ---

    def _mend(self, checks: Sequence[Check]) -> bool:
        """Close what is open to others, and make an index that is missing, damaged or behind again; the rest needs a
        backup."""
        wrong = {check.id for check in checks if check.status != PASS}
        if is_open := "permissions" in wrong:
            for path in self._open_to_others():
                path.chmod(0o700 if path.is_dir() else 0o600)
        if is_behind := bool(wrong & {"index", "index:behind", "ledger:purge"}):
            self.rebuild()
        if is_spoilt := "vectors" in wrong:
            self.embedding.begin_anew()
        is_mended = self.memory.mend(wrong)
        return is_open or is_behind or is_spoilt or is_mended


def _is_open_to_others(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:  # It went away meanwhile, as a write-ahead log does.
        return False
    return not stat.S_ISLNK(mode) and bool(mode & 0o077)


def _sample(names: Sequence[str]) -> Sequence[str]:
    """Return names spread over the whole list."""
    step = max(1, len(names) // _SAMPLE)
    return names[::step][:_SAMPLE]


def _name(stream: Stream) -> str:
    return mirror_name(stream.source, stream.root, stream.key, stream.generation)
