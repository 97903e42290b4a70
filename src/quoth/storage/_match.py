"""Say a query in the language of FTS5. Every token is quoted: no word of a query is an operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quoth.core.candidates import Word
from quoth.core.query import Phrase, Query, Term

# A phrase of up to this many tokens lies in one piece of a long event as a whole: pieces share as many.
SHARED = 64


def said(expression: str) -> str:
    """Return an expression that looks at what is said alone, and not at stems."""
    return f"{{parts joined}} : ({expression})"


def word(asked: Word) -> str:
    """Return the expression for a word in any of its forms: those that are inflected are found by their stem."""
    return _quoted(Phrase((asked.stem,), asked.is_open))


def whole(query: Query) -> str:
    """Return the expression for one row that holds every term."""
    return " AND ".join(_any(term.forms) for term in query.terms)


def apart(query: Query) -> Sequence[str]:
    """Return one expression for each thing that may lie in another piece of a long event than the others."""
    return list(dict.fromkeys(expression for term in query.terms for expression in _windows(term)))


def _windows(term: Term) -> Iterator[str]:
    """Yield the term, or what a row can hold of it when it is longer than what pieces share."""
    longest = max(len(phrase.tokens) for phrase in term.forms)
    for start in range(0, max(1, longest - SHARED // 2), SHARED // 2):
        yield _any([_window(phrase, start) for phrase in term.forms])


def _window(phrase: Phrase, start: int) -> Phrase:
    if len(phrase.tokens) <= SHARED:
        return phrase
    start = min(start, len(phrase.tokens) - SHARED)
    tokens = phrase.tokens[start : start + SHARED]
    return Phrase(tokens, phrase.is_open and start + SHARED == len(phrase.tokens))


def _any(phrases: Sequence[Phrase]) -> str:
    return f"({' OR '.join(map(_quoted, dict.fromkeys(phrases)))})"


def _quoted(phrase: Phrase) -> str:
    return f'"{" ".join(phrase.tokens)}"{" *" if phrase.is_open else ""}'
