"""Keep words that address an agent's instructions from everybody but the person, whatever door they came through."""

from __future__ import annotations

from collections.abc import Sequence

from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Assert, Draft, Judge, Verdict
from quoth.core.speaker import Speaker

OURSELVES = Speaker("quoth")


def rules_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the rules by which some texts address an agent's instructions, each once."""
    from quoth.core.recognition import recognise  # its patterns take longer to make than a pass over unchanged logs

    return tuple(dict.fromkeys(found.rule for text in texts for found in recognise(text).found))


def quarantining(entry: EntryId, root: EntryId, rules: Sequence[str], *, actor: str) -> list[Draft]:
    """Return what is appended behind a version, in the same step; nothing where no rule was broken."""
    if not rules:
        return []
    why = f"It addresses the agent's instructions: {', '.join(rules)}."
    return [Draft(Judge(Verdict.QUARANTINE, entry, root), actor, why)]


def with_quarantines(drafts: Sequence[Draft], *, actor: str) -> list[Draft]:
    """Return drafts with a quarantine for each entry of which the last version says something hostile."""
    newest = {draft.body.root: draft.body for draft in drafts if isinstance(draft.body, Assert)}
    added = (
        draft
        for root, body in newest.items()
        if body.statement
        for draft in quarantining(body.entry, root, rules_of(list(body.statement.words())), actor=actor)
    )
    return [*drafts, *added]
