"""Count what a budget is given in: characters, which are code points, or tokens, which are estimated.

Every model has its own tokens and none of their vocabularies is here, so ours is a unit of its own, exact by these
rules and meant to be no less than what a model counts (docs/packing.md has the comparison):

- a word of ASCII letters: one for every 4 begun, of more than 16 letters one for every 2; `camelCase` is two words;
- a run of capitals: one for every 2 begun;
- ASCII digits, punctuation and control characters: one each;
- one space: none; more in a row: one for every 4 begun; a line end: one;
- other letters of the Latin, Greek and Cyrillic alphabets: one for every 2 begun of a run;
- Han, kana, Hangul and full-width forms: three for every 2 characters of a run, rounded up;
- general punctuation (dashes, quotation marks): one each;
- anything else below U+10000: two each, above: four each, which is as many as it has bytes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Protocol

from quoth.core.model import Json

_EACH = {"single": 1, "other": 2, "astral": 4}
_LONG_WORD = 16  # letters; more of them are rarely a word
_RUNS = re.compile(
    r"(?P<capitals>[A-Z]{2,}(?![a-z]))"
    r"|(?P<letters>[A-Z]?[a-z]+|[A-Z])"
    r"|(?P<single>[!-/:-@\[-`{-~0-9\x00-\x1f\x7f\u2010-\u205f])"
    r"|(?P<spaces>\x20+)"
    r"|(?P<alphabetic>[\u00c0-\u052f\u1e00-\u1fff]+)"
    r"|(?P<wide>[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+)"
    r"|(?P<other>[\x80-\uffff])"
    r"|(?P<astral>[\U00010000-\U0010ffff])"
)


class Unit(Protocol):
    """What a budget is given in. Text counts line by line: the lines, and `line_end` between every two."""

    @property
    def line_end(self) -> int: ...

    def count(self, text: str) -> int:
        """Return how much of the budget a text takes."""

    def most(self, budget: int) -> int:
        """Return how many characters a budget holds at most."""


@dataclass(frozen=True, slots=True)
class Characters:
    line_end: int = 1

    def count(self, text: str) -> int:
        return len(text)

    def most(self, budget: int) -> int:
        return budget


@dataclass(frozen=True, slots=True)
class Tokens:
    line_end: int = 1

    def count(self, text: str) -> int:
        return sum(_weight(match.lastgroup or "", len(match.group())) for match in _RUNS.finditer(text))

    def most(self, budget: int) -> int:
        return 5 * budget  # four letters and the space behind them


@dataclass(frozen=True, slots=True)
class Quoted:
    """Counts text as a part of a JSON string, as it is in a whole answer."""

    unit: Unit

    @property
    def line_end(self) -> int:
        return self.unit.count("\\n")

    def count(self, text: str) -> int:
        return self.unit.count(compact(text)[1:-1])

    def most(self, budget: int) -> int:
        return self.unit.most(budget)


CHARACTERS = Characters()
TOKENS = Tokens()


def compact(value: Json) -> str:
    """Return JSON as an answer over MCP is written."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _weight(kind: str, length: int) -> int:
    match kind:
        case "letters" if length <= _LONG_WORD:
            return -(-length // 4)
        case "letters" | "capitals" | "alphabetic":
            return -(-length // 2)
        case "spaces":
            return -(-length // 4) if length > 1 else 0
        case "wide":
            return -(-3 * length // 2)
    return _EACH[kind]
