"""Say where an entry applies: the place that a directory or a project's name stands for (DESIGN §4).

An entry belongs to the repository. Its branch is part of its place only where that was asked for: then it is seen on
that branch alone. What happens outside any project shares one personal place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import InvalidArgument, UnknownProject
from quoth.core.ids import ProjectId
from quoth.core.ledger.values import Scope
from quoth.core.types import Level
from quoth.services.project import Projects

PERSONAL = Scope(workspace="personal", repository="chats")

_THIS_MACHINE = "file"  # where a repository is published that has its remote in another folder
_PATH = re.compile(r"[/~.\\]|[A-Za-z]:[\\/]")


@dataclass(frozen=True, slots=True)
class _Spot:
    """A project, and the directory that is meant if any; `is_repository` where it has branches."""

    project: ProjectId
    directory: str | None
    is_repository: bool


@dataclass(frozen=True, slots=True)
class Placing:
    """`tenant` is the name of the person, `here` the directory that counts where none is given."""

    projects: Projects
    tenant: str
    here: Path

    def scope(self, *, project: str | None = None, level: str = "repository", cwd: str | None = None) -> Scope:
        """Return the scope of a project, else of a directory, else of the current one, at a level.

        A project is named as in `Projects.find`; the path of a repository will do before any session was read of it.

        Raises:
            InvalidArgument: there is no such level, or not at this place.
            UnknownProject, Ambiguous: the project can't be told.
        """
        wanted = _level(level)
        spot = self._named(project) if project else self._at(cwd or str(self.here))
        if wanted is Level.TENANT:
            return Scope(self.tenant)
        if spot is None:
            repository = "" if wanted is Level.WORKSPACE else PERSONAL.repository
            return Scope(self.tenant, PERSONAL.workspace, repository)
        workspace = _owner(spot.project)
        if wanted is Level.WORKSPACE:
            return Scope(self.tenant, _demanded(workspace))
        branch = self._branch(spot, cwd or str(self.here)) if wanted is Level.BRANCH else ""
        return Scope(self.tenant, workspace, spot.project, branch)

    def note(self, cwd: str | None, *, project: str | None = None) -> None:
        """Record what a directory is, else the current one: it may be gone when somebody asks for its name.

        Where a project is named, the directory does not count, but the path of a repository does.
        """
        if project is None:
            self.projects.note(cwd or str(self.here))
        elif _PATH.match(project) and (at := self._at(path := self._path(project))) and at.is_repository:
            self.projects.note(path)

    def usual(self, level: Level, *, project: str | None = None, cwd: str | None = None) -> Scope:
        """Return the scope where a type of entries usually applies; the repository where that level is not there."""
        try:
            return self.scope(project=project, level=level, cwd=cwd)
        except InvalidArgument:
            return self.scope(project=project, cwd=cwd)

    def _named(self, project: str) -> _Spot:
        at = self._at(self._path(project)) if _PATH.match(project) else None
        try:
            (found,) = self.projects.find(project)
        except UnknownProject:
            if at is None or not at.is_repository:
                raise
            return at
        return at if at and at.project == found else _Spot(found, None, not found.startswith("dir:"))

    def _path(self, project: str) -> str:
        return str((self.here / project).absolute())

    def _at(self, directory: str) -> _Spot | None:
        """Return the project of a directory; None stands for the personal place."""
        place = self.projects.locate(directory)
        if place is None:
            return None
        merged = self.projects.state.project_merges()
        return _Spot(merged.get(place.project, place.project), directory, place.root is not None)

    def _branch(self, spot: _Spot, present: str) -> str:
        """Return the branch that is checked out; a directory that is no repository has only one place.

        A project that is only named has one where the present directory is in it. What the journal saw is of another
        day, so the repository is looked at.
        """
        here = self._at(present) if spot.directory is None else spot
        git = self.projects.identify(Path(here.directory)) if here and here.directory else None
        branch = git.branch if git and here and here.project == spot.project else None
        if branch is None and spot.is_repository:
            raise InvalidArgument(
                "scope", "repository, workspace or tenant; no branch of this project is checked out here"
            )
        return branch or ""


def project_of(scope: Scope) -> ProjectId | None:
    """Return the project that a scope names; what happens outside any project is of none."""
    is_personal = (scope.workspace, scope.repository) == (PERSONAL.workspace, PERSONAL.repository)
    return None if is_personal or not scope.repository else ProjectId(scope.repository)


def _level(given: object) -> Level:
    if given not in list(Level):
        raise InvalidArgument("scope", f"one of {', '.join(Level)}")
    return Level(str(given))


def _owner(project: ProjectId) -> str:
    """Return who a published repository belongs to, in the spelling of its id; nobody for any other."""
    kind, _, address = project.partition(":")
    host, *path = address.split("/")
    return "/".join(path[:-1]) if kind == "git" and host != _THIS_MACHINE else ""


def _demanded(workspace: str) -> str:
    """Never widen in silence: without an owner the next wider place would be everywhere."""
    if not workspace:
        raise InvalidArgument("scope", "branch, repository or tenant here; this project has no owner to be a workspace")
    return workspace
