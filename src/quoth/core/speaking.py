"""Who speaks, where a message names its speaker: `Ada: the kiln is ready`, as chats of several people are kept."""

from __future__ import annotations

import re

from quoth.core.text import fold

_NAMED = re.compile(r"\s*([^\W\d_][\w.'-]{0,23}(?: [^\W\d_][\w.'-]{0,23}){0,2})\s?[:\uff1a]\s")


def speaker_of(text: str) -> str | None:
    """Return the folded name that a message begins with; None where there is none."""
    found = _NAMED.match(text[:80])
    return fold(found[1]) if found and not found[1].islower() else None
