"""Show where a query matches a text (ORI-37), and cut texts that are too long (ORI-29)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from quoth.core import text as words
from quoth.core.query import Phrase, Query

Span: TypeAlias = tuple[int, int]

_LONGEST = 200  # characters of a snippet, its brackets not counted
_BEFORE = 60  # characters shown before the first match
_NEAR = 20  # how far a cut may move to fall between words
_COARSE, _FINE = 8_000, 300  # characters looked at together
_OVERLAP = 80  # characters that windows share, beside those of the longest term
_MARGIN = 100  # how far a window may widen to the next white space
_SPACE = re.compile(r"\s")
_ONE_LINE = str.maketrans(dict.fromkeys("\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029", " "))


@dataclass(frozen=True, slots=True)
class Token:
    """A token with the characters of the text that it stands for; `first` is the end of the first of them."""

    token: str
    start: int
    first: int
    end: int


def snippet(text: str, query: Query) -> str:
    """Return at most 200 characters of one line around the first match, every match in `[ ]`.

    The characters are those of the text; matches are found as search finds them. Without a match it is the beginning.
    """
    first = _first(text, query)
    if first is None:
        return text[:_LONGEST].translate(_ONE_LINE)
    start, stop = _around(text, first)
    spans = [
        span for span in _matches(text, _region(text, start, max(stop, first[1])), query) if start <= span[0] < stop
    ]
    for begin, end in spans[1:]:
        if begin < stop < end:
            stop = begin
    return _bracketed(text, spans, start, stop).translate(_ONE_LINE)


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters, and a note of how many were cut, which does not count."""
    return text if len(text) <= limit else f"{text[:limit]}… [{len(text) - limit} more characters]"


def _first(text: str, query: Query) -> Span | None:
    """Return the first match; coarse windows are only scanned, fine ones are read token by token."""
    needles = {form.tokens[0] for term in query.terms for form in term.forms}
    lengths = (sum(len(token) + 2 for token in form.tokens) for term in query.terms for form in term.forms)
    shared = _OVERLAP + max(lengths, default=0)
    for coarse in _windows(text, 0, len(text), _COARSE, shared):
        if _may_match(text, coarse, needles):
            for fine in _windows(text, *coarse, _FINE + shared, shared):
                if _may_match(text, fine, needles) and (spans := _matches(text, fine, query)):
                    return spans[0]
    return None


def _may_match(text: str, window: Span, needles: Collection[str]) -> bool:
    marked = words.mark(text[slice(*window)])
    whole = marked.replace(words.JOINT, "")
    return any(needle in marked or needle in whole for needle in needles)


def _windows(text: str, start: int, stop: int, size: int, shared: int) -> Iterator[Span]:
    while True:
        window = _region(text, start, min(start + size, stop))
        yield window
        if window[1] >= stop:
            return
        start = window[1] - shared


def _region(text: str, start: int, stop: int) -> Span:
    """Widen a part of a text to the next white space on both sides, if there is any near, so that no word is cut."""
    before = text[max(0, start - _MARGIN) : start]
    spaces = [space.end() for space in _SPACE.finditer(before)]
    start = start - len(before) + spaces[-1] if spaces else start - len(before)
    space = _SPACE.search(text, stop, stop + _MARGIN)
    return start, space.start() if space else min(len(text), stop + _MARGIN)


def _around(text: str, match: Span) -> Span:
    """Choose what to show: some characters before the match, cut between words where that is near."""
    start = max(0, min(match[0] - _BEFORE, len(text) - _LONGEST))
    if match[1] - start > _LONGEST:
        start = match[0]
    if start and (space := _SPACE.search(text, start, min(start + _NEAR, match[0]))):
        start = space.end()
    stop = min(len(text), start + _LONGEST)
    while stop < len(text) and stop > match[1] and words.is_mark(text[stop]):
        stop -= 1
    return start, stop


def _bracketed(text: str, spans: Sequence[Span], start: int, stop: int) -> str:
    shown: list[str] = []
    at = start
    for begin, end in spans:
        if begin < stop:
            shown += (text[at:begin], "[", text[begin : min(end, stop)], "]")
            at = min(end, stop)
    return "".join((*shown, text[at:stop]))


# --- finding ---


def _matches(text: str, window: Span, query: Query) -> list[Span]:
    """Return where terms match in a part of a text, in order, joined where they overlap."""
    readings = _readings(text, window)
    forms = {form for term in query.terms for form in term.forms}
    found = sorted({span for form in forms for tokens in readings for span in _places(form, tokens)})
    joined: list[Span] = []
    for start, end in found:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _places(form: Phrase, tokens: Sequence[Token]) -> Iterator[Span]:
    *leading, last = form.tokens
    for at in range(len(tokens) - len(leading)):
        end = tokens[at + len(leading)]
        is_last = end.token.startswith(last) if form.is_open else end.token == last
        if is_last and all(tokens[at + n].token == token for n, token in enumerate(leading)):
            yield tokens[at].start, end.first if form.is_open else end.end


def _readings(text: str, window: Span) -> list[list[Token]]:
    """Return the tokens of a part of a text by parts, and with camelCase words whole if there are any."""
    plain = _plain(text, *window)
    joints = words.joints(plain.text)
    split: list[Token] = []
    whole: list[Token] = []
    for start, end, is_cjk in words.spans(plain.text):
        tokens = [plain.token(a, b) for a, b in (_pairs(start, end) if is_cjk else _parts(start, end, joints))]
        split += tokens
        whole += tokens if is_cjk or len(tokens) == 1 else [plain.token(start, end)]
    return [split] if len(split) == len(whole) else [split, whole]


def _pairs(start: int, end: int) -> list[Span]:
    return [(at, min(at + 2, end)) for at in range(start, end)]


def _parts(start: int, end: int, joints: Sequence[int]) -> list[Span]:
    borders = [start, *(joint for joint in joints if start < joint < end), end]
    return list(pairwise(borders))


@dataclass(frozen=True, slots=True)
class Plain:
    """A part of a text in one spelling, and where each of its characters begins and ends in the text."""

    text: str
    folded: str
    starts: Sequence[int]
    ends: Sequence[int]

    def token(self, start: int, end: int) -> Token:
        is_alike = len(self.folded) == len(self.text)
        folded = self.folded[start:end] if is_alike else words.fold(self.text[start:end])
        return Token(folded, self.starts[start], self.ends[start], self.ends[end - 1])


def _plain(text: str, start: int, stop: int) -> Plain:
    part = words.without_separators(text[start:stop])
    unified = words.unify(part)
    if len(unified) == len(part) and words.is_normal(part):  # only single characters were replaced, by single ones
        return Plain(unified, words.fold(unified), range(start, stop), range(start + 1, stop + 1))
    spelled: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in words.clusters(part):
        letters = words.unify(cluster[0])
        spelled.append(letters)
        starts += [start + cluster.start()] * len(letters)
        ends += [start + cluster.end()] * len(letters)
    unified = "".join(spelled)
    return Plain(unified, words.fold(unified), starts, ends)
