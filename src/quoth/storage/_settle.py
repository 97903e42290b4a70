"""Bring what is derived of sessions up to date: title, prompt, extent, directory, parent, origin of a fork."""

from __future__ import annotations

import json
from collections.abc import Sequence

from quoth.storage._database import Database, Row

_AT_ONCE = 200  # sessions in one transaction
_PROMPT = 80  # characters


def settle(db: Database) -> None:
    """Settle every session that was touched; a killed process leaves the rest to the next one."""
    if not db.all("is_touched"):
        return
    with db.writing():
        db.all("touch_titled")
    while _some(db):
        pass


def _some(db: Database) -> bool:
    with db.writing():
        sessions = [session for (session,) in db.all("touched", most=_AT_ONCE)]
        titles = _titles(db.all("titles_of", sessions=json.dumps(sessions)))
        for session in sessions:
            _session(db, session, titles.get(session))
        db.all("untouch", sessions=json.dumps(sessions))
    return len(sessions) == _AT_ONCE


def _titles(rows: Sequence[Row]) -> dict[int, str]:
    """Choose for each session the title of the highest weight, of these the latest."""
    return {session: title for session, title, *_ in sorted(rows, key=lambda row: (*row[2:], row[1]))}


def _session(db: Database, session: int, title: str | None) -> None:
    claims: dict[str, str] = dict(db.all("claims_of", session=session))
    ((events, started, ended),) = db.all("extent", session=session)
    prompt = db.one("first_prompt", session=session)
    copied_from = db.one("copied_from", session=session)
    db.all(
        "set_session",
        session=session,
        title=title,
        prompt=" ".join(prompt[0].split())[:_PROMPT].strip() if prompt else None,
        started=started,
        ended=ended,
        events=events,
        directory=_directory(db, session, claims.get("cwd")),
        parent=claims.get("parent"),
        forked_from=claims.get("forked_from") or (copied_from[0] if copied_from else None),
        hidden="hidden" in claims,
    )


def _directory(db: Database, session: int, said: str | None) -> int | None:
    row = db.one("directory_number", cwd=said) if said else db.one("first_directory", session=session)
    return row[0] if row else None
