"""Say where what a memory file holds applies: in the project that its agent kept it for, else everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quoth.core.ids import SourceId
from quoth.core.ledger.values import Scope
from quoth.core.model import EventRow, MemoryFile, Stream
from quoth.core.places import has_digest
from quoth.core.ports import Index
from quoth.services._placing import Placing

_MOST = 20  # sessions of a folder that are asked for their directory


@dataclass(frozen=True, slots=True)
class NativePlaces:
    """Looks everything up once; made anew for each run."""

    index: Index
    placing: Placing
    _scopes: dict[str, Scope] = field(default_factory=dict)
    _folders: dict[tuple[SourceId, str], str | None] = field(default_factory=dict)
    _streams: dict[SourceId, Sequence[str]] = field(default_factory=dict)
    _directories: list[str] = field(default_factory=list)

    def scope(self, file: MemoryFile, stream: Stream, event: EventRow) -> Scope | None:
        """Return the place of a file's project; None where nobody knows it."""
        if file.is_instruction:
            return Scope(self.placing.tenant)
        directory = event.cwd or self._of_session(stream.source, event.session) or self._of_file(file, stream.source)
        return self._at(directory) if directory else None

    def _at(self, directory: str) -> Scope:
        if directory not in self._scopes:
            self._scopes[directory] = self.placing.scope(cwd=directory)
        return self._scopes[directory]

    def _of_session(self, source: SourceId, session: str) -> str | None:
        found = (row for row in self.index.session(session, source) if row.session == session)
        return next((row.cwd for row in found if row.cwd), None)

    def _of_file(self, file: MemoryFile, source: SourceId) -> str | None:
        if file.sessions:
            return self._of_folder(source, file.sessions)
        return self._of_digest(file.digest) if file.digest else None

    def _of_folder(self, source: SourceId, folder: str) -> str | None:
        """Return the directory of the newest session whose log lies in a folder, and is named after it."""
        if (source, folder) not in self._folders:
            named = (key.rpartition("/")[2].partition(".")[0] for key in self._keys(source) if key.startswith(folder))
            found = (self._of_session(source, session) for session, _ in zip(named, range(_MOST), strict=False))
            self._folders[source, folder] = next(filter(None, found), None)
        return self._folders[source, folder]

    def _keys(self, source: SourceId) -> Sequence[str]:
        if source not in self._streams:
            newest = reversed(self.index.progress(source))
            self._streams[source] = [state.stream.key for state in newest if state.stream.key.endswith(".jsonl")]
        return self._streams[source]

    def _of_digest(self, digest: str) -> str | None:
        return next((each for each in self._known() if has_digest(each, digest)), None)

    def _known(self) -> Iterator[str]:
        if not self._directories:
            self._directories.extend(path for project in self.index.projects() for path in project.paths)
        return iter(self._directories)
