"""Every answer that the reading services give, as one text to look through and one value to compare."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from quoth.core.errors import Forgotten
from quoth.wiring import Kernel
from services.archive import Archive

_WHOLE = 500


def answers(archive: Archive, *, words: Iterable[str] = (), ids: Iterable[str] = ()) -> dict[str, Any]:
    """Return what searching for words, listing, and getting ids answers; of a forgotten id, that it is."""
    return archive.ask(lambda kernel: _answers(kernel, list(words), list(ids)))


def told(answered: object) -> str:
    return json.dumps(answered, ensure_ascii=False)


def _answers(kernel: Kernel, words: list[str], ids: list[str]) -> dict[str, Any]:
    sessions: list[Any] = kernel.timeline.sessions(since=None, limit=_WHOLE)["sessions"]
    talks = [
        kernel.timeline.session(each["session"], source=each["source"], include_tools=True, limit=_WHOLE)
        for each in sessions
    ]
    listed = [event["id"] for talk in talks for event in talk["events"]]
    found = [
        kernel.search.run(query, target=target, include_tools=True, limit=100)
        for query in (None, *words)
        for target in ("all", "entries", "events")
    ]
    entries = [entry["id"] for answer in found for entry in answer["entries"]]
    known = [*dict.fromkeys([*listed, *entries, *ids])]
    return {"sessions": sessions, "talks": talks, "found": found, "known": [_known(kernel, each) for each in known]}


def _known(kernel: Kernel, given: str) -> Any:
    """Return everything about one id; its history when it is an entry's."""
    try:
        history = kernel.history.run(given) if ":" not in given else None
        return [kernel.get.run(given), kernel.sources.run(given), history]
    except Forgotten:
        return None
