"""Say where somebody works, and which branches count as the one that is checked out there (DESIGN §4).

What was put on a branch stays there. A branch that was merged into the present one counts as it, and so does one that
is gone, as far as the working tree tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from quoth.core.ledger.values import Scope
from quoth.core.memory import Spot
from quoth.core.types import Level
from quoth.services._memory import Memory
from quoth.services._placing import Placing

MAIN = ("main", "master", "trunk")


@dataclass(frozen=True, slots=True)
class Spots:
    """`landed` returns those of some branches that were merged into what is checked out in a directory, or are gone."""

    memory: Memory
    placing: Placing
    landed: Callable[[Path, Sequence[str]], Sequence[str]]

    def of(self, *, project: str | None = None, cwd: str | None = None) -> Spot:
        """Return the place of a project, else of a directory, else of the current one.

        Raises:
            UnknownProject, Ambiguous: the project can't be told.
        """
        self.memory.catch_up()
        scope = self.placing.usual(Level.BRANCH, project=project, cwd=cwd)
        return Spot(scope, tuple(self._landed(scope, Path(cwd or self.placing.here))))

    def _landed(self, scope: Scope, directory: Path) -> Iterator[str]:
        """Yield the other branches that count as the present one; where none is known, the main one does."""
        others = [branch for branch in self.memory.entries.branches(scope) if branch != scope.branch]
        if scope.branch:
            yield from self.landed(directory, others)
        else:
            yield from (branch for branch in others if branch in MAIN)
