"""Take secrets out of a text: keys, passwords, private keys and addresses with a password become `[REDACTED:<type>]`.

It is a pure function of the text, by rules that can be read (docs/decisions/0013-redaction.md). Three laws hold: a text
without a secret comes back as it is, redacting twice is redacting once, and the time grows with the length of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from quoth.core._redact_assigned import assigned
from quoth.core._redact_blocks import LONGEST, blocks
from quoth.core._redact_keys import keys
from quoth.core._redact_named import named
from quoth.core._redact_said import said
from quoth.core._redact_span import Span, united

VERSION: Final = 2
"""Grows whenever a rule finds what no rule found before: memory is looked through once more then."""

_MARKER: Final = re.compile(r"(\[REDACTED:[a-z_]{1,40}\])")
_AROUND: Final = 16_000  # characters before and behind a part that may tell what it is
_PASSES: Final = 8  # what a marker now stands beside is looked at again; one or two suffice but for texts made for it


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and the type of each that was found, in the order of the text."""

    text: str
    found: Sequence[str] = ()


@dataclass(slots=True)
class Redactor:
    """Redacts one text after another and counts what it took out, by type."""

    taken: Counter[str] = field(default_factory=Counter)

    def __call__(self, text: str) -> str:
        redacted = redact(text)
        self.taken.update(redacted.found)
        return redacted.text


def redact(text: str) -> Redacted:
    """Return the text with a marker in the place of each secret; markers that are there stay as they are."""
    found: list[str] = []
    for _ in range(_PASSES):
        once = _once(text)
        if not once.found:
            break
        text = once.text
        found.extend(once.found)
    return Redacted(text, tuple(found))


def redact_part(text: str, start: int, end: int) -> Redacted:
    """Return a part of a text without secrets, those included that only the words around it tell to be secrets."""
    pieces: list[str] = []
    found: list[str] = []
    at = start
    near = (
        _within(text, start - around, end + around, find) for find, around in ((blocks, LONGEST), (_spans, _AROUND))
    )
    for span in united(chain.from_iterable(near)):
        if span.end > at and span.start < end:
            pieces += [text[at : max(at, span.start)], f"[REDACTED:{span.type}]"]
            found.append(span.type)
            at = min(end, span.end)
    rest = redact("".join([*pieces, text[at:end]]))
    return Redacted(rest.text, (*found, *rest.found))


def _within(text: str, start: int, end: int, find: Callable[[str], Iterator[Span]]) -> Iterator[Span]:
    """Find spans in a part of a text, by their places in the whole."""
    start = max(0, start)
    return (Span(start + span.start, start + span.end, span.type) for span in find(text[start:end]))


def _once(text: str) -> Redacted:
    parts = [_replaced(part) if not place % 2 else Redacted(part) for place, part in enumerate(_MARKER.split(text))]
    return Redacted("".join(part.text for part in parts), tuple(chain.from_iterable(part.found for part in parts)))


def _replaced(text: str) -> Redacted:
    spans = united(_spans(text))
    if not spans:
        return Redacted(text)
    pieces, end = [], 0
    for span in spans:
        pieces += [text[end : span.start], f"[REDACTED:{span.type}]"]
        end = span.end
    return Redacted("".join([*pieces, text[end:]]), tuple(span.type for span in spans))


def _spans(text: str) -> Iterator[Span]:
    yield from blocks(text)
    yield from keys(text)
    yield from named(text)
    yield from assigned(text)
    yield from said(text)
