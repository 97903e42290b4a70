"""Write the demo's conversations into a folder that stands for a person's home, as their agents would have done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from quoth.surfaces.cli.demo.claude_log import ClaudeLog
from quoth.surfaces.cli.demo.codex_log import CodexLog
from quoth.surfaces.cli.demo.talks import Talk


def write(talks: Sequence[Talk], person: Path, now: datetime) -> None:
    """Write `.claude` and `.codex`; every talk begins as many days before `now` as it says."""
    claude: dict[str, ClaudeLog] = {}
    for talk in talks:
        begun = _begun(talk, now)
        if talk.facts["agent"] == "codex":
            log = CodexLog(talk, begun)
            log.fill()
            log.write(person / ".codex")
        else:
            claude[talk.name] = _claude(talk, begun, claude)
            claude[talk.name].write(person / ".claude")


def _claude(talk: Talk, begun: datetime, earlier: dict[str, ClaudeLog]) -> ClaudeLog:
    log = ClaudeLog(talk, begun)
    if original := talk.facts.get("fork"):
        log.copy(earlier[original], int(talk.facts["until"]))
    log.fill()
    return log


def _begun(talk: Talk, now: datetime) -> datetime:
    days, _, clock = talk.facts["ago"].partition(" ")
    hour, _, minute = clock.partition(":")
    begun = now.replace(hour=int(hour), minute=int(minute), second=0, microsecond=137_000) - timedelta(days=int(days))
    return min(begun, now - timedelta(hours=2))
