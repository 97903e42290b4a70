"""Turn what a door was given into a filter of the index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quoth.core import times
from quoth.core.errors import UnknownSource
from quoth.core.ids import ProjectId, SourceId
from quoth.core.model import Filter
from quoth.core.ports import Clock


@dataclass(frozen=True, slots=True)
class Filters:
    """Knows the sources, the projects and the present instant."""

    sources: Sequence[SourceId]
    find_project: Callable[[str], tuple[ProjectId, ...]]
    clock: Clock

    def build(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        source: str | None = None,
        project: str | None = None,
        include_tools: bool = False,
    ) -> Filter:
        """Read times (ORI-14), a source and a project as a person or agent writes them; "" counts as absent.

        Raises:
            InvalidArgument, UnknownSource, UnknownProject, Ambiguous: one of them can't be used.
        """
        now = self.clock.now()
        if source and source not in self.sources:
            raise UnknownSource(source, self.sources)
        return Filter(
            since=times.parse(since, argument="since", now=now) if since else None,
            until=times.parse(until, argument="until", now=now) if until else None,
            source=SourceId(source) if source else None,
            projects=self.find_project(project) if project else None,
            include_tools=include_tools,
        )
