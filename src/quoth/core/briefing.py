"""Lay out a brief: sections of short items within a number of characters that is never exceeded (QUO-8, INV-7).

The first section comes first; every other one that has something gets its share of the rest, and then they take turns.
What does not fit is counted, and can be had by `quoth get` and `quoth search`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quoth.core.fence import BRIEF, INTRODUCTION

OPENING, CLOSING = BRIEF

_SHORTEST = 24  # characters that are worth beginning with
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to say, as harmless lines: the first begins with `lead`, which is ours. `most` characters are shown."""

    lead: str
    lines: Sequence[str]
    most: int
    key: str = ""

    def shown(self, room: int) -> str | None:
        """Return it within some characters; None when too little of it would be left."""
        text = "\n> ".join(self.lines) if len(self.lines) > 1 else "".join(self.lines)
        joint = "\n> " if len(self.lines) > 1 else " "
        room = min(room - len(self.lead) - len(joint), self.most)
        if room < min(len(text), _SHORTEST):
            return None
        return f"{self.lead}{joint}{text if len(text) <= room else text[: room - 1].rstrip() + _ELLIPSIS}"


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    items: Sequence[Item]


@dataclass(slots=True)
class _Filled:
    """What of a section is in the block so far."""

    section: Section
    shown: list[str] = field(default_factory=list)

    def take(self, room: int) -> int:
        """Add the next item, if it fits, and return how many characters it took."""
        if len(self.shown) == len(self.section.items):
            return 0
        heading = 0 if self.shown else len(self.section.heading) + 2
        text = self.section.items[len(self.shown)].shown(room - heading - 1)
        if text is None:
            return 0
        self.shown.append(text)
        return len(text) + 1 + heading

    def lines(self) -> Iterator[str]:
        if self.shown:
            yield ""
            yield self.section.heading
            yield from self.shown


@dataclass(frozen=True, slots=True)
class Brief:
    """The block, the keys of what is in it, and how many items are not."""

    text: str
    keys: Sequence[str]
    dropped: int


def laid_out(sections: Sequence[Section], budget: int) -> Brief:
    """Return the sections as one block of at most `budget` characters; nothing when not even one item fits."""
    filled = [_Filled(section) for section in sections if section.items]
    room = budget - len("\n".join((OPENING, INTRODUCTION, CLOSING)))
    for place, each in enumerate(filled):
        room -= each.take(room // (len(filled) - place) if place else room)
    before = room + 1
    while room < before:
        before = room
        for each in filled:
            room -= each.take(room)
    shown = [item.key for each in filled for item in each.section.items[: len(each.shown)]]
    dropped = sum(len(section.items) for section in sections) - len(shown)
    if not shown:
        return Brief("", (), dropped)
    body = [line for each in filled for line in each.lines()]
    return Brief("\n".join((OPENING, INTRODUCTION, *body, CLOSING)), shown, dropped)
