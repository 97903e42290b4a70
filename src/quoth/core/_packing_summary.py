"""Say a text in short: its first sentences, as far as a number of characters goes."""

from __future__ import annotations

import re

SUMMARY = 200  # characters (OV-20)
TITLE = 60

_SENTENCE_END = re.compile(
    r"[.!?\u2026][\"')\]\u00bb\u201d\u2019]*(?=\s)|[\u3002\uff01\uff1f][\u300d\u300f\u201d\u2019\uff09]*"
)
_LOOKED_AT = 4  # times as many characters are looked at: white space is folded


def first_sentences(text: str, most: int = SUMMARY) -> str:
    """Return the sentences that fit whole, else as many words of the first, with an ellipsis where something is left.

    What comes back is one line; it is not harmless yet (`core.neutral`).
    """
    looked = text[: most * _LOOKED_AT]
    line = " ".join(looked.split())
    if len(line) <= most and len(looked) == len(text):
        return line
    ends = [match.end() for match in _SENTENCE_END.finditer(line, 0, most - 2)]
    if ends and ends[-1] >= most // 3:
        return f"{line[: ends[-1]]} \u2026"
    return f"{_whole_words(line[: most - 1])}\u2026"


def _whole_words(line: str) -> str:
    """Leave out a word that is cut off; scripts without spaces have none to leave out."""
    words, space, rest = line.rpartition(" ")
    return words if space and len(rest) <= 24 else line
