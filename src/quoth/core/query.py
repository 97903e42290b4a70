"""A search as words: every term must occur. Knows nothing of an engine; each storage renders its own expression."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quoth.core import text as words

_CJK = re.compile(f"[{words.CJK}]")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens that must stand side by side. With `is_open` the last one is only the beginning of a token."""

    tokens: tuple[str, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """What one term may look like in a text: by its parts, and a camelCase word also as one word."""

    forms: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A text to look for. `terms` is empty when nothing in it can be looked for, such as punctuation alone."""

    text: str
    terms: tuple[Term, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Query:
        """Read what a person or agent typed; every character is meant literally."""
        terms = (_term(typed) for typed in words.unify(text).split())
        return cls(text, tuple(dict.fromkeys(term for term in terms if term.forms)))


def _term(typed: str) -> Term:
    marked = words.mark(typed)
    spellings = dict.fromkeys((marked.replace(words.JOINT, " "), marked.replace(words.JOINT, "")))
    phrases = (_phrase(words.parts(spelling)) for spelling in spellings)
    return Term(tuple(dict.fromkeys(phrase for phrase in phrases if phrase.tokens)))


def _phrase(parts: Sequence[str]) -> Phrase:
    """Join parts. A CJK run at the end may go on in the text; any other ends where its neighbour begins."""
    if not parts:
        return Phrase(())
    *glued, last = parts
    tokens = [token for part in glued for token in _closed(part)]
    if not _CJK.match(last):
        return Phrase((*tokens, last))
    if len(last) == 1:
        return Phrase((*tokens, last), is_open=True)
    return Phrase((*tokens, *words.bigrams(last)))


def _closed(part: str) -> Iterator[str]:
    if _CJK.match(part):
        yield from words.bigrams(part)
        yield part[-1]
    else:
        yield part
