"""Find a quote in a text: white space on both sides and case do not count, everything else does (ORI-49, ORI-72).

Both are composed (NFC), case-folded and stripped of white space; what is found is answered as the characters of the
text itself. The time grows with the length of the text, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import normalize

from quoth.core import text as words
from quoth.core.query import Phrase, Query, Term

LONGEST = 4_000  # characters of a quote

_BLANK = r"\s\u200b\u2060\ufeff"  # with the white space that has no width
_SPACE = re.compile(f"[{_BLANK}]+")
_CHUNK = re.compile(f"[{_BLANK}]*[^{_BLANK}]*")  # composing never reaches back over white space
# What composing can join to the character before it: marks, and the vowels and finals of hangul.
_JOINED = r"(?:[^\w\s\x00-\x7f]|[\u1160-\u11ff\ud7b0-\ud7ff])"
_MOST = 30  # marks on one character: composing many takes the square of their number, and no language needs more
_PILE = re.compile(rf"[^\w\s\x00-\x7f]{{{_MOST + 1}}}")
_CLUSTER = re.compile(rf".{_JOINED}{{0,{_MOST}}}", re.DOTALL)
_TERMS = 12  # more make a question to the full text slower and no narrower


def fold(text: str) -> str:
    """Return what is compared of a text or a quote; empty for white space alone."""
    return _SPACE.sub("", _composed(text).casefold())


def find(text: str, quote: str) -> tuple[int, int] | None:
    """Return where a text first holds a quote, in characters of the text; None where it does not."""
    wanted = fold(quote)
    at = fold(text).find(wanted) if wanted else -1
    return None if at < 0 else (_origin(text, at)[0], _origin(text, at + len(wanted) - 1)[1])


def query_for(quote: str) -> Query | None:
    """Return what full text must hold where a quote is; None when nothing can be asked.

    The first and the last word may be parts of longer ones. White space may part two characters of a script that is
    written without; the former then ends a run. A word that the text breaks in the middle is not found like that.
    """
    unified = words.unify(quote).strip()
    terms = {term for term in _terms(unified) if term.forms}
    chosen = sorted(terms, key=lambda term: (-_weight(term), term.forms[0].tokens))[:_TERMS]
    return Query(quote, tuple(chosen)) if chosen else None


def _composed(text: str) -> str:
    if text.isascii():
        return text
    if _PILE.search(text) is None:
        return normalize("NFC", text)
    return "".join(normalize("NFC", cluster) for cluster in _CLUSTER.findall(text))


def _origin(text: str, at: int) -> tuple[int, int]:
    """Return which characters of a text gave a character of the folded one."""
    for chunk in _CHUNK.finditer(text):
        size = len(fold(chunk[0]))
        if at < size:
            return _within(text, chunk.start(), chunk.end(), at)
        at -= size
    raise IndexError("a folded text has no such character")


def _within(text: str, start: int, stop: int, at: int) -> tuple[int, int]:
    """Return it for a part of the text that begins with all of its white space."""
    part = text[start:stop].lstrip()
    if len(part.casefold()) == len(part) and _composed(part) == part and _SPACE.search(part) is None:
        return stop - len(part) + at, stop - len(part) + at + 1  # each character gave one
    place = start, stop
    for cluster in _CLUSTER.finditer(text, start, stop):
        size = len(fold(cluster[0]))
        if size:
            place = cluster.span()
        if at < size:
            break
        at -= size
    return place


def _terms(unified: str) -> Iterator[Term]:
    for start, end, is_cjk in words.spans(unified):
        if is_cjk:
            run = words.fold(unified[start:end])
            yield from (Term((Phrase((pair,)), Phrase((pair[0],)))) for pair in words.bigrams(run))
        elif start > 0 and end < len(unified):
            yield from Query.parse(unified[start:end]).terms


def _weight(term: Term) -> int:
    return sum(map(len, term.forms[0].tokens))
