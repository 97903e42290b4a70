"""Bring what is derived of sessions up to date: title, prompt, extent, directory, parent, origin of a fork."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from quoth.core import text as words
from quoth.storage._database import Database, Row
from quoth.storage._hidden import DESTROYED

_AT_ONCE = 200  # sessions in one transaction
_TEXTS_AT_ONCE = 100
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
            _session(db, session, titles.get(session, ()))
        db.all("untouch", sessions=json.dumps(sessions))
    return len(sessions) == _AT_ONCE


def _titles(rows: Sequence[Row]) -> Mapping[int, Sequence[str]]:
    """Order the titles of each session: those of the highest weight first, of these the latest."""
    titles: dict[int, list[str]] = defaultdict(list)
    for session, title, *_ in sorted(rows, key=lambda row: (*row[2:], row[1]), reverse=True):
        titles[session].append(title)
    return titles


def _session(db: Database, session: int, titles: Sequence[str]) -> None:
    claims: dict[str, str] = dict(db.all("claims_of", session=session))
    ((events, started, ended),) = db.all("extent", session=session)
    prompt = db.one("first_prompt", session=session)
    copied_from = db.one("copied_from", session=session)
    db.all(
        "set_session",
        session=session,
        title=_title(db, session, titles),
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


# --- titles that would tell what is hidden ---


def _title(db: Database, session: int, titles: Sequence[str]) -> str | None:
    """Return the first title that has no word that only hidden events said."""
    hidden = db.all("hidden_texts", session=session) if titles else ()
    return next((title for title in titles if not hidden or not _tells(db, session, title, hidden)), None)


def _tells(db: Database, session: int, title: str, hidden: Sequence[Row]) -> bool:
    """Tell whether a title has a word of the hidden events and of no visible one.

    Nobody knows any more which words a destroyed event had: it may have had every word.
    """
    said = _words(title)
    if not any(fate == DESTROYED for fate, _ in hidden):
        said &= set().union(*(_words(text) for _, text in hidden))
    for text in _visible(db, session):
        if not said:
            return False
        said -= _words(text)
    return bool(said)


def _visible(db: Database, session: int) -> Iterator[str]:
    numbers = [number for (number,) in db.all("session_numbers", session=session)]
    for start in range(0, len(numbers), _TEXTS_AT_ONCE):
        portion = json.dumps(numbers[start : start + _TEXTS_AT_ONCE])
        yield from (text for _, text in db.all("texts_of", numbers=portion))


def _words(text: str) -> set[str]:
    return set().union(*words.tokens(text))
