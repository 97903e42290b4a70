"""Know which directory belongs to which project, and under which name a project is shown."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from quoth.core.ids import ProjectId
from quoth.core.model import Place, Project
from quoth.storage._database import Database

_DIGITS = 8


@dataclass(slots=True)
class Shown:
    """A project with its directories, `(number, cwd, is used)`."""

    id: ProjectId
    name: str
    owner: str | None
    directories: list[tuple[int, str, bool]] = field(default_factory=list)
    display: str = ""


class Places:
    """Reads the directories again only when they were placed anew."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._version: int | None = None
        self._projects: dict[ProjectId, Shown] = {}
        self._merged: dict[ProjectId, ProjectId] = {}
        self._named: dict[ProjectId, str] = {}
        self._displays: dict[int, str] = {}
        self._ids: dict[int, ProjectId] = {}

    def place(self, places: Iterable[Place]) -> None:
        rows = [(place.cwd, place.project, place.name, place.owner) for place in places]
        with self._db.writing():
            if self._db.many("put_place", rows):
                self._changed()

    def merge(self, merged: Mapping[ProjectId, ProjectId], names: Mapping[ProjectId, str]) -> None:
        """Apply what the person decided about projects; it replaces what was applied before."""
        with self._db.writing():
            if dict(self._db.all("merged")) != merged or dict(self._db.all("named")) != names:
                self._db.all("forget_merged")
                self._db.all("forget_named")
                self._db.many("add_merged", merged.items())
                self._db.many("add_named", names.items())
                self._changed()

    def unplaced(self) -> Sequence[tuple[str, str | None]]:
        return [(cwd, remote) for cwd, remote in self._db.all("unplaced")]

    def display(self, directory: int | None) -> str | None:
        """Return the name shown of the project a directory belongs to."""
        self._refresh()
        return None if directory is None else self._displays.get(directory)

    def project(self, directory: int | None) -> ProjectId | None:
        """Return the project that a directory belongs to."""
        self._refresh()
        return None if directory is None else self._ids.get(directory)

    def name(self, project: ProjectId) -> str:
        """Return the name shown of a project, which may have no directory here."""
        self._refresh()
        end = self.end(project)
        known = self._projects.get(end)
        return known.display if known else self._named.get(end) or _name_of(end)

    def end(self, project: ProjectId) -> ProjectId:
        """Return the project that one was merged into, else itself."""
        self._refresh()
        return _end(self._merged, project)

    def directories(self, projects: Iterable[ProjectId]) -> list[int]:
        """Return the directories of projects; what was merged into one is part of it."""
        self._refresh()
        wanted = {_end(self._merged, project) for project in projects}
        return [number for id_ in wanted if id_ in self._projects for number, _, _ in self._projects[id_].directories]

    def projects(self) -> Sequence[Project]:
        """Return the projects that logs name, the ones with most events first."""
        with self._db.reading():
            self._refresh()
            work = {number: (sessions, events) for number, sessions, events in self._db.all("sessions_by_directory")}
        found = [
            _project(shown, work) for shown in self._projects.values() if any(used for *_, used in shown.directories)
        ]
        return sorted(found, key=lambda project: (-project.events, project.display, project.id))

    def _changed(self) -> None:
        self._db.all("set_metadata", key="places", value=(self._stored() or 0) + 1)

    def _stored(self) -> int | None:
        row = self._db.one("metadata", key="places")
        return int(row[0]) if row else None

    def _refresh(self) -> None:
        version = self._stored()
        if version is None or version == self._version:
            return
        self._merged = dict(self._db.all("merged"))
        self._named = dict(self._db.all("named"))
        self._projects = _projects(self._db, self._merged, self._named)
        self._displays = {n: shown.display for shown in self._projects.values() for n, _, _ in shown.directories}
        self._ids = {n: shown.id for shown in self._projects.values() for n, _, _ in shown.directories}
        self._version = version


def _name_of(project: ProjectId) -> str:
    """Make a name of an id: the last part of a remote, a few digits of a hash."""
    kind, _, rest = project.partition(":")
    return rest.rpartition("/")[2] if kind == "git" else f"{kind}:{rest[:_DIGITS]}"


def _end(merged: Mapping[ProjectId, ProjectId], project: ProjectId) -> ProjectId:
    seen = {project}
    while (target := merged.get(project)) and target not in seen:
        seen.add(target)
        project = target
    return project


def _projects(
    db: Database, merged: Mapping[ProjectId, ProjectId], names: Mapping[ProjectId, str]
) -> dict[ProjectId, Shown]:
    """Join directories to projects. A project's own directories name it, not those merged into it."""
    projects: dict[ProjectId, Shown] = {}
    own: dict[ProjectId, set[tuple[str, str]]] = defaultdict(set)
    for number, cwd, project, name, owner, is_used in db.all("places"):
        end = _end(merged, project)
        projects.setdefault(end, Shown(end, name, owner)).directories.append((number, cwd, bool(is_used)))
        if project == end:
            own[end].add((name, owner or ""))
    for id_, shown in projects.items():
        if own[id_]:
            name, owner = min(own[id_])
            shown.name, shown.owner = name, owner or None
        shown.name = names.get(id_, shown.name)
    _name(projects.values())
    return projects


def _name(projects: Collection[Shown]) -> None:
    """Show a project by its name, and where several have it, by `owner/name`."""
    counts = Counter(shown.name for shown in projects)
    for shown in projects:
        owner = None if counts[shown.name] == 1 else shown.owner or _folder(shown)
        shown.display = f"{owner}/{shown.name}" if owner else shown.name


def _folder(shown: Shown) -> str:
    """Return the folder that holds the project's shortest directory: it stands for an owner that is not known."""
    shortest = min((cwd for _, cwd, _ in shown.directories), key=lambda cwd: (len(cwd), cwd))
    parts = [part for part in shortest.replace("\\", "/").split("/") if part]
    return parts[-2] if len(parts) > 1 else ""


def _project(shown: Shown, work: Mapping[int, tuple[int, int]]) -> Project:
    done = [work[number] for number, _, _ in shown.directories if number in work]
    return Project(
        shown.id,
        shown.name,
        shown.owner,
        shown.display,
        tuple(cwd for _, cwd, is_used in shown.directories if is_used),
        sum(sessions for sessions, _ in done),
        sum(events for _, events in done),
    )


def as_json(directories: Sequence[int] | None) -> str | None:
    """Return directories as a query takes them; None when it does not matter."""
    return None if directories is None else json.dumps(directories)
