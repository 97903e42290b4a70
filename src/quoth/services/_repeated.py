"""Keep our own blocks out of what others said: a log may repeat what recall or a brief gave to its agent (INV-8).

It is done here for every adapter alike, behind the ids, which stay what the adapter made them; the mirror keeps it all.
"""

from __future__ import annotations

from dataclasses import replace

from quoth.core.fence import without_blocks
from quoth.core.model import Event, Kind

_OF_TOOLS = (Kind.TOOL_USE, Kind.TOOL_RESULT)


def without_ours(event: Event) -> Event:
    """Return an event without the blocks of ours in it; one that is nothing else is context, or traffic of ours."""
    rest = without_blocks(event.text)
    if rest is event.text or event.own:
        return event
    if rest or event.kind is Kind.MEMORY:
        return replace(event, text=rest)
    return replace(event, own=True) if event.kind in _OF_TOOLS else replace(event, kind=Kind.META)
