"""What a command line cites: events, quotes, and which belong together."""

from __future__ import annotations

from collections.abc import Sequence

from quoth.core.memory import Quoted


def paired(events: Sequence[str], quotes: Sequence[str]) -> list[Quoted]:
    """Join the n-th event with the n-th quote when there are as many of each; else each stands for itself."""
    if len(events) == len(quotes):
        return [Quoted(event, quote) for event, quote in zip(events, quotes, strict=True)]
    return [*(Quoted(event_id=event) for event in events), *(Quoted(quote=quote) for quote in quotes)]
