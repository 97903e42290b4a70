"""Exclude: what the person does not want read, by project, folder, source or pattern (QUO-11).

What was read before stays in the archive. A log belongs to the directory it names first, so a session that walks
into an excluded folder later is read. A database is read without the sessions whose directory is excluded; one of which
nobody knows the directory is read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from quoth.core.errors import InvalidArgument, UnknownProject, UnknownSource
from quoth.core.ids import ProjectId, SourceId, digest16
from quoth.core.model import Exclusion, Form, Found, Place, Project
from quoth.core.names import printable_path
from quoth.core.places import has_digest, is_below
from quoth.core.ports import State
from quoth.readers.log_head import first_cwd
from quoth.services.project import Projects

KINDS = ("project", "folder", "source", "pattern")

_OF_DIRECTORIES = frozenset({"project", "folder"})
_HASH = 8


@dataclass(frozen=True, slots=True)
class Excluded:
    """What adding did: `name` is what a person calls it; `is_new` is False when it was excluded before."""

    exclusion: Exclusion
    name: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class Exclude:
    state: State
    projects: Projects
    sources: Sequence[SourceId]

    def list(self) -> Sequence[tuple[Exclusion, str]]:
        """Return what is excluded, each with its name."""
        known = self.projects.list()
        return [(exclusion, named(exclusion, known)) for exclusion in self.state.exclusions()]

    def add(self, kind: str, value: str) -> Excluded:
        """Stop reading something from the next pass on.

        Raises:
            InvalidArgument: the kind is none of `KINDS`, or the value is empty.
            UnknownSource: no adapter reads that source.
            Ambiguous: several projects have that name.
        """
        exclusion = self._exclusion(kind, value)
        is_new = self.state.exclude(exclusion)
        return Excluded(exclusion, named(exclusion, self.projects.list()), is_new)

    def remove(self, kind: str, value: str) -> bool:
        """Read something again; False when it was not excluded.

        Raises:
            InvalidArgument, UnknownSource, Ambiguous: as for `add`.
        """
        return self.state.include(Exclusion(kind, value)) or self.state.include(self._exclusion(kind, value))

    def _exclusion(self, kind: str, value: str) -> Exclusion:
        if kind not in KINDS:
            raise InvalidArgument("kind", f"one of {', '.join(KINDS)}")
        if not value.strip():
            raise InvalidArgument(kind, "a name, path or pattern")
        match kind:
            case "project":
                return Exclusion(kind, self._project(value))
            case "folder":
                return Exclusion(kind, self._folder(value))
            case "source" if value not in self.sources:
                raise UnknownSource(value, self.sources)
            case _:
                return Exclusion(kind, value)

    def _project(self, value: str) -> str:
        """Return the id of a known project; a name that no session has yet stays a name."""
        try:
            return self.projects.find(value)[0]
        except UnknownProject:
            return value

    def _folder(self, value: str) -> str:
        """Return a folder as logs name it: agents record the resolved path of the directory they work in."""
        path = (self.projects.here or Path()) / value
        return printable_path(str(path.resolve() if path.is_dir() else path))


@dataclass(frozen=True, slots=True)
class Gate:
    """Decides for the files of one source, and for the sessions inside its databases.

    The start of a log is read only when its directory matters.
    """

    exclusions: Sequence[Exclusion]
    source: SourceId
    projects: Projects
    _known: dict[str, Sequence[str]] = field(default_factory=dict)
    _hidden: dict[str, str | None] = field(default_factory=dict)

    def allows(self, found: Found) -> bool:
        plain = [exclusion for exclusion in self.exclusions if exclusion.kind in {"source", "pattern"}]
        if not allows(plain, source=self.source, found=found):
            return False
        if len(plain) == len(self.exclusions):
            return True
        cwd = found.cwd
        if cwd is None and found.form is Form.LOG:
            cwd = first_cwd(found.path, is_compressed=found.compressed)
        elif cwd is None and found.beside is not None:
            cwd = first_cwd(found.beside, is_compressed=found.beside.suffix == ".zst")
        elif cwd is None and found.digest:
            cwd = self._hashed(found.digest)
        return allows(self.exclusions, source=self.source, found=found, cwd=cwd, names=self._names(cwd))

    def _hashed(self, digest: str) -> str | None:
        """Return the directory of a hash, among those that are excluded and those where somebody worked."""
        excluded = [exclusion.value for exclusion in self.exclusions if exclusion.kind == "folder"]
        known = (path for project in self.projects.list() for path in project.paths)
        return next((each for each in chain(excluded, known) if has_digest(each, digest)), None)

    @property
    def hides_directories(self) -> bool:
        return any(exclusion.kind in _OF_DIRECTORIES for exclusion in self.exclusions)

    def present(self) -> Collection[str]:
        """Return what `hides` may answer."""
        return {self._hash(exclusion) for exclusion in self.exclusions if exclusion.kind in _OF_DIRECTORIES}

    def hides(self, directory: str | None) -> str | None:
        """Return the hash of the exclusion that hides sessions of a directory; None when none does."""
        if directory is None:
            return None
        if directory not in self._hidden:
            names = {name.casefold() for name in self._names(directory)}
            hiding = (each for each in self.exclusions if _hides(each, directory, names))
            self._hidden[directory] = next(map(self._hash, hiding), None)
        return self._hidden[directory]

    def _hash(self, exclusion: Exclusion) -> str:
        """Hash an exclusion; what a project is called decides what it hides."""
        said: tuple[str, ...] = (exclusion.kind, exclusion.value)
        if exclusion.kind == "project":
            known = (self.projects.state.project_merges(), self.projects.state.project_names())
            said = (*said, *(text for each in known for pair in sorted(each.items()) for text in pair))
        return digest16(*(text.encode("utf-8", "surrogatepass") for text in said))[:_HASH]

    def _names(self, cwd: str | None) -> Sequence[str]:
        """Return the names of a directory's project; many logs share a directory, so it is looked at once."""
        if cwd is None or all(exclusion.kind != "project" for exclusion in self.exclusions):
            return ()
        if cwd not in self._known:
            place = self.projects.locate(cwd)
            self._known[cwd] = names_of(place, self.projects.state) if place else ()
        return self._known[cwd]


def names_of(place: Place, state: State) -> Sequence[str]:
    """Return every name that a project exclusion may give to the project of a place."""
    merged = state.project_merges().get(place.project, place.project)
    given = [name for project in (place.project, merged) if (name := state.project_names().get(project))]
    full = f"{place.owner}/{place.name}" if place.owner else place.name
    return (place.project, merged, *given, full, place.name)


def allows(
    exclusions: Sequence[Exclusion],
    *,
    source: SourceId,
    found: Found,
    cwd: str | None = None,
    names: Sequence[str] = (),
) -> bool:
    """Tell whether a file may be read. `cwd` is the directory it names first, `names` are those of its project."""
    folded = {name.casefold() for name in names}
    for exclusion in exclusions:
        match exclusion.kind:
            case "source" if exclusion.value == source:
                return False
            case "pattern" if _matches(exclusion.value, found):
                return False
            case _ if _hides(exclusion, cwd or "", folded):
                return False
    return True


def _hides(exclusion: Exclusion, cwd: str, names: Collection[str]) -> bool:
    """Tell whether an exclusion takes a directory out; `names` are those of its project, casefolded."""
    match exclusion.kind:
        case "folder":
            return bool(cwd) and is_below(cwd, exclusion.value)
        case "project":
            return exclusion.value.casefold() in names
    return False


def _matches(pattern: str, found: Found) -> bool:
    """Compare a glob with the path of a log, with its key, and, without a slash, with its name; `*` passes slashes."""
    path = printable_path(found.path.as_posix())
    name = found.key.rpartition("/")[2]
    pattern = pattern.replace("\\", "/")
    return any(
        fnmatchcase(text, pattern) for text in ((path, found.key) if "/" in pattern else (path, found.key, name))
    )


def named(exclusion: Exclusion, known: Sequence[Project]) -> str:
    """Return what a person calls it: a project is excluded by its id, which says nothing."""
    names = {project.id: project.display for project in known} if exclusion.kind == "project" else {}
    return names.get(ProjectId(exclusion.value), exclusion.value)
