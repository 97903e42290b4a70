"""Projects: place directories, find a project by what a person writes, merge and rename (DESIGN §4).

A directory is looked at when its first session is read, and what was seen goes into the journal: a rebuild never asks
the disk. A repository that is not published yet is looked at again, so that it moves to its remote when it has one.
Of a project that no log here names, only the name is known that another home told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quoth.core.errors import Ambiguous, InvalidArgument, UnknownProject
from quoth.core.ids import ProjectId
from quoth.core.model import Named, Place, Project
from quoth.core.places import GitPlace, is_below, normal_path, project_of
from quoth.core.ports import Index, Journal, State

_LONGEST_NAME = 200
_AGAIN = 100  # directories that are looked at again in one pass
_NOTE = "projects named"  # how many names an index has of those that other homes told
_PATH = re.compile(r"[/~.\\]|[A-Za-z]:[\\/]")


@dataclass(frozen=True, slots=True)
class Projects:
    """`identify` reads what git says of a directory; `personal` are the person's home and temporary folders; `here` is
    what a relative path starts from."""

    index: Index
    journal: Journal
    state: State
    identify: Callable[[Path], GitPlace | None]
    personal: Collection[str] = ()
    here: Path | None = None

    def observe(self) -> None:
        """Look at every directory that has no place yet, and place it."""
        places = [place for cwd, hint in self.index.unplaced() if (place := self._observed(cwd, hint))]
        self._place([*places, *self._moved()])
        if self.index.noted(_NOTE) != len(self.journal.named()):  # another index
            self._merge()

    def place_unseen(self) -> None:
        """Place what the journal does not know by its log alone, and name all; the disk is not looked at."""
        unplaced = self.index.unplaced()
        self._place([place for cwd, hint in unplaced if (place := project_of(cwd, None, hint, self.personal))])
        self._merge()

    def note(self, cwd: str) -> None:
        """Record the place of a directory in which something is remembered, so that its project keeps its name."""
        place = self.locate(cwd)
        if place and cwd not in self.journal.places():
            self.journal.saw(place)
            self._place([place])

    def heard(self, told: Sequence[Named]) -> None:
        """Record what projects are called in another home, so that one without a session here has a name."""
        if told:
            self.journal.heard(told)
            self._merge()

    def called(self) -> Mapping[ProjectId, Named]:
        """Return what every project that is known here is called, those that were merged into another too."""
        told = {**self.journal.named()}
        told |= {place.project: Named(place.project, place.name, place.owner) for place in self._places()}
        told |= {each.id: Named(each.id, each.name, each.owner) for each in self.index.projects()}
        names = self.state.project_names()
        return {id_: replace(each, name=names.get(id_, each.name)) for id_, each in told.items()}

    def locate(self, cwd: str) -> Place | None:
        """Return the place of a directory as it is known, else as the disk shows it; nothing is recorded."""
        return self.journal.places().get(cwd) or project_of(cwd, self._seen(cwd), None, self.personal)

    def list(self) -> Sequence[Project]:
        """Return the projects that have sessions, those with most events first, then those that have only entries."""
        listed = self.index.projects()
        seen, held = {each.id for each in listed}, self.index.memory.projects()
        quiet = (each for each in self._noted(held) if each.id in held and each.id not in seen)
        return [*listed, *sorted(quiet, key=lambda each: (each.display, each.id))]

    def find(self, text: str) -> tuple[ProjectId, ...]:
        """Return the project that a name, `owner/name`, id or path means.

        A project in which something was only remembered is found too, after those that have sessions.

        Raises:
            UnknownProject: no project has that name, and none has sessions there.
            Ambiguous: several have that name.
        """
        return (self._one(text).id,)

    def merge(self, merged: str, into: str) -> Project:
        """Make one project part of another and return the whole.

        Raises:
            UnknownProject, Ambiguous: one of the names can't be used.
            InvalidArgument: both are the same project.
        """
        part, whole = self._one(merged), self._one(into)
        if part.id == whole.id:
            raise InvalidArgument("into", f"another project than {part.display}")
        self.state.merge_project(part.id, whole.id)
        return self._applied(whole.id)

    def rename(self, text: str, name: str) -> Project:
        """Give a project another name on this device and return it.

        Raises:
            UnknownProject, Ambiguous: the project can't be told.
            InvalidArgument: the name is empty, too long or not printable.
        """
        chosen = self._one(text)
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME or not name.isprintable():
            raise InvalidArgument("name", f"a printable name of 1 to {_LONGEST_NAME} characters")
        self.state.rename_project(chosen.id, name)
        return self._applied(chosen.id)

    # --- placing ---

    def _place(self, places: Sequence[Place]) -> None:
        if places:
            self.index.place(places)
            self._merge()

    def _merge(self) -> None:
        told = self.journal.named()
        merges, names = self.state.project_merges(), {**self._elsewhere(told), **self.state.project_names()}
        if merges or names or told:
            self.index.merge_projects(merges, names)
        if self.index.noted(_NOTE) != len(told):
            self.index.note(_NOTE, len(told))

    def _elsewhere(self, told: Mapping[ProjectId, Named]) -> Mapping[ProjectId, str]:
        """Return the names of projects of which only another home told; where several have one, with the owner."""
        if not told:
            return {}
        listed = self.index.projects()
        here = {*(place.project for place in self.journal.places().values()), *(each.id for each in listed)}
        away = [each for each in told.values() if each.project not in here]
        times = Counter([*(each.name for each in listed), *(each.name for each in away)])
        return {each.project: each.name if times[each.name] == 1 else _full(each) for each in away}

    def _applied(self, project: ProjectId) -> Project:
        self._merge()
        self.index.settle()
        return next(known for known in (*self.index.projects(), *self._noted()) if known.id == project)

    def _observed(self, cwd: str, hint: str | None) -> Place | None:
        git = self._seen(cwd)
        place = project_of(cwd, git, hint, self.personal)
        if place and git:
            self.journal.saw(place)
        return place

    def _seen(self, cwd: str) -> GitPlace | None:
        """Return what git says of a directory of this machine; None when it is gone, elsewhere, or no repository."""
        path = Path(cwd)
        try:
            is_here = path.is_absolute() and not cwd.startswith(("//", "\\\\")) and path.is_dir()
        except (OSError, ValueError):
            return None
        return self.identify(path) if is_here else None

    def _moved(self) -> Iterator[Place]:
        """Yield the places of repositories that had no remote when they were seen and have one now."""
        for cwd, project in list(self._unpublished())[-_AGAIN:]:
            git = self._seen(cwd)
            place = project_of(cwd, git, None, self.personal) if git else None
            if place and place.project != project:
                self.journal.saw(place)
                yield place

    def _unpublished(self) -> Iterator[tuple[str, ProjectId]]:
        seen = self.journal.places()
        for project in self.index.projects():
            if project.id.startswith("dir:"):
                yield from ((path, project.id) for path in project.paths if path not in seen)
        yield from ((place.cwd, place.project) for place in seen.values() if not place.project.startswith("git:"))

    def _places(self) -> Iterator[Place]:
        """Yield the places that the journal knows, and those of directories that only logs name."""
        seen = self.journal.places()
        paths = (path for project in self.index.projects() for path in project.paths if path not in seen)
        yield from (place for path in paths if (place := project_of(path, None, None, self.personal)))
        yield from seen.values()

    # --- finding ---

    def _one(self, text: str) -> Project:
        """Return the project that a text means: of those that have sessions, else of all that were ever heard of."""
        try:
            return self._among(text, self.index.projects())
        except UnknownProject:
            return self._among(text, self._noted())

    def _noted(self, held: Mapping[ProjectId, str] | None = None) -> Sequence[Project]:
        """Return the projects of all directories that were ever looked at, of which another home told, or in which
        something is remembered (`held`, with the names shown); some have no session."""
        merged, names = self.state.project_merges(), self.state.project_names()
        held = self.index.memory.projects() if held is None else held
        found: dict[ProjectId, Project] = {}
        for told, paths in sorted(self._heard_of(held), key=lambda each: each[0].project not in merged):
            target = merged.get(told.project, told.project)  # what was merged into it comes first, so it names itself
            before = found[target].paths if target in found else ()
            name = names.get(target, told.name)
            shown = held.get(target, name)
            found[target] = Project(target, name, told.owner, shown, (*before, *paths), sessions=0, events=0)
        return list(found.values())

    def _heard_of(self, held: Mapping[ProjectId, str]) -> Iterator[tuple[Named, Sequence[str]]]:
        """Yield what projects are called, with a directory or none."""
        places, told = self.journal.places().values(), self.journal.named()
        seen = {place.project for place in places}
        yield from ((Named(place.project, place.name, place.owner), (place.cwd,)) for place in places)
        yield from ((each, ()) for each in told.values() if each.project not in seen)
        yield from ((Named(id_, name), ()) for id_, name in held.items() if id_ not in seen | told.keys())

    def _among(self, text: str, known: Sequence[Project]) -> Project:
        for named in (_by_id, _by_name, _by_folded_name, self._by_path):
            if found := named(text, known):
                return _only(text, found)
        raise UnknownProject(text)

    def _by_path(self, text: str, known: Sequence[Project]) -> Sequence[Project]:
        """Return the projects of a directory: that were worked on there, whose repository it is in, or around it."""
        if not _PATH.match(text):
            return []
        path = normal_path(str((self.here or Path()) / text))
        exact = [project for project in known if path in map(normal_path, project.paths)]
        return exact or self._by_place(path, known) or _around(path, known)

    def _by_place(self, path: str, known: Sequence[Project]) -> Sequence[Project]:
        place = self.locate(path)
        target = self.state.project_merges().get(place.project, place.project) if place else None
        return [project for project in known if project.id == target]


def _by_id(text: str, known: Sequence[Project]) -> Sequence[Project]:
    return [project for project in known if project.id == text]


def _by_name(text: str, known: Sequence[Project]) -> Sequence[Project]:
    return [project for project in known if text in _names(project)]


def _by_folded_name(text: str, known: Sequence[Project]) -> Sequence[Project]:
    folded = text.casefold()
    return [project for project in known if folded in map(str.casefold, _names(project))]


def _names(project: Project) -> tuple[str, ...]:
    return (project.display, project.name, _full(project))


def _full(project: Project | Named) -> str:
    return f"{project.owner}/{project.name}" if project.owner else project.name


def _around(path: str, known: Sequence[Project]) -> Sequence[Project]:
    """Return the project with the innermost directory that holds a path."""
    holding = [(normal_path(p), project) for project in known for p in project.paths if is_below(path, p)]
    innermost = max((len(folder) for folder, _ in holding), default=0)
    return [project for folder, project in holding if len(folder) == innermost]


def _only(text: str, found: Sequence[Project]) -> Project:
    different = {project.id: project for project in found}
    if len(different) > 1:
        raise Ambiguous("Project", text, _candidates(list(different.values())))
    return found[0]


def _candidates(found: Sequence[Project]) -> Sequence[str]:
    """Return what to pass for each: `owner/name`, or the id where that is not unique either."""
    full = [_full(project) for project in found]
    return [name if full.count(name) == 1 else project.id for name, project in zip(full, found, strict=True)]
