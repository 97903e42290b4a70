"""Tell which words of a question are names, by how they are written: `PgBouncer`, `v2`, `docs/api.md`, `Ada`."""

from __future__ import annotations

import re
from itertools import chain

from quoth.core.text import tokens

_RUN = re.compile(r"[A-Za-z0-9_.$/:'\u00c0-\u024f-]+|[\u0400-\u04ff-]+")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_EDGE = ".:'-/"
_ENGLISH = re.compile(r"[A-Za-z]")
_OTHER = re.compile(r"[\u0400-\u04ff]|[\u4e00-\u9fff]")
_WRITTEN = re.compile(r"[0-9_]|[a-z][A-Z]|[A-Z]{2}|\w[./]\w")
_IDEOGRAPH = 3  # letters that it is worth


def names_in(question: str) -> frozenset[str]:
    """Return the folded tokens of a question's names.

    A capital at the beginning of the question names nothing; Latin letters do where another script is written. What is
    written in Cyrillic is no name here: memory may well spell it in Latin letters.
    """
    is_other = _is_other(question)
    return frozenset(
        token
        for place, run in enumerate(_RUN.findall(question))
        if _is_name(named := run.strip(_EDGE).removesuffix("'s"), is_first=place == 0, is_other=is_other)
        for token in chain(*tokens(named))
    )


def _is_name(run: str, *, is_first: bool, is_other: bool) -> bool:
    if _CYRILLIC.match(run):
        return False
    if is_other and _ENGLISH.search(run):
        return True
    return _WRITTEN.search(run) is not None or (run[:1].isupper() and not is_first)


def _is_other(question: str) -> bool:
    """Tell whether most of a question is written in Cyrillic or Chinese."""
    others = sum(_IDEOGRAPH if found > "\u4dff" else 1 for found in _OTHER.findall(question))
    return others > len(_ENGLISH.findall(question))
