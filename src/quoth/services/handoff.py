"""Hand-over: how far a task is when work stops, for whoever goes on with it (QUO-7, HMG-26)."""

from __future__ import annotations

from dataclasses import dataclass

from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.services.remember import Remember

TYPE = "handoff"

_UNCITED = "handed over at the end of a piece of work"


@dataclass(frozen=True, slots=True)
class Handoff:
    remember: Remember

    def run(
        self,
        summary: str,
        *,
        by: Speaker,
        project: str | None = None,
        scope: str | None = None,
        cwd: str | None = None,
    ) -> dict[str, Json]:
        """Store a hand-over and return `{entry, redacted}`, with `quarantined` as `Remember.run` has it.

        Every one is an entry of its own, also where it says what another one said; it supersedes nothing. Without
        `scope` it applies to the branch that is checked out, else to the repository.

        Raises:
            SaidBefore: exactly this is sealed, quarantined, forgotten or tombstoned; nothing was stored.
            Invalid, Unknown: an argument can't be used; nothing was stored.
            NotStored: what was written does not read back.
        """
        done = self.remember.run(
            summary,
            by=by,
            type=TYPE,
            uncited=_UNCITED,
            project=project,
            scope=scope,
            cwd=cwd,
            distinct=True,
        )
        return {name: done[name] for name in ("entry", "redacted", "quarantined") if name in done}
