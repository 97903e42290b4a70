"""A text as the rules of recognition see it: folded, without what hides letters, and where each character was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

from quoth.core._forms import Form
from quoth.core.han import SIMPLIFIED, TRADITIONAL

_HAN: Final = dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))
_PLAIN: Final = {"ё": "е", "’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "«": '"', "»": '"', "…": "."}
_TAGS: Final = range(0xE0020, 0xE007F)  # invisible twins of ASCII; a text may be written in them
_CYRILLIC: Final = "авекмнорстухѕіјԛԝһԁ"
_LATIN: Final = "abekmhopctyxsijqwhd"
_TO_LATIN: Final = str.maketrans(_CYRILLIC + "αειονρτυχκ", _LATIN + "aeiovptuxk")
_TO_CYRILLIC: Final = str.maketrans("abekmhopctyxu", "авекмнорстухи")
_MOST: Final = 4  # characters that one may fold to; some ligatures are whole sentences
_DIGITS: Final = str.maketrans("013457", "oieast")
_WORD: Final = Form(r"[a-z\u0370-\u052f]+")
_SPELLED: Final = Form(r"(?<![a-z0-9])[a-z0-9]{5,24}(?![a-z0-9])")
_DIGIT: Final = Form("[0-9]")
# Not where a line begins with who speaks.
_SPACED_HAN: Final = Form(
    r"(?<=[\u3400-\u9fff])(?!\s{0,3}\n\s{0,3}[\u3400-\u9fff]{2,6} ?:)[\s*_·|~]{1,4}(?=[\u3400-\u9fff])"
)
_FOREIGN: Final = Form(r"[\u0370-\u052f]")


@dataclass(frozen=True, slots=True)
class Folded:
    """`at[i]` is the place in the original of character `i`; one more place at the end."""

    text: str
    at: Sequence[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of the folded text stands in the original."""
        return self.at[start], self.at[end - 1] + 1


def folded(text: str) -> Folded:
    """Fold case, width, script and look-alikes; leave out what nobody sees."""
    if text.isascii():
        return Folded(_digits(text.lower().replace("`", "'")), range(len(text) + 1))
    pieces = list(map(_character, text))
    joined = _same_script("".join(pieces))
    return _without(Folded(_digits(joined), _places(pieces)), _SPACED_HAN)


def _places(pieces: Sequence[str]) -> Sequence[int]:
    if set(map(len, pieces)) == {1}:
        return range(len(pieces) + 1)
    return [*(place for place, piece in enumerate(pieces) for _ in piece), len(pieces)]


def compact(given: Folded) -> Folded:
    """Keep the letters alone, so that words are found that spaces or dots were put into."""
    kept = [place for place, character in enumerate(given.text) if character.isalpha()]
    return Folded(letters(given.text), [*(given.at[place] for place in kept), given.at[-1]])


def letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


@lru_cache(maxsize=4096)
def _character(character: str) -> str:
    if ord(character) in _TAGS:
        return chr(ord(character) - 0xE0000).lower()
    same = normalize("NFKC", character).casefold()
    return "".join(map(_plain, same if len(same) <= _MOST else character))


def _plain(character: str) -> str:
    if category(character) in {"Cf", "Mn", "Me"}:
        return ""
    return _PLAIN.get(character) or _HAN.get(character, character)


def _same_script(text: str) -> str:
    """Write each word that mixes scripts in one of them, where its letters look the same in both."""
    if not _FOREIGN.search(text):
        return text
    return _WORD.sub(lambda word: _one_script(word.group()), text)


def _one_script(word: str) -> str:
    if not _FOREIGN.search(word) or _FOREIGN.sub("", word) == "":
        return word
    latin, cyrillic = word.translate(_TO_LATIN), word.translate(_TO_CYRILLIC)
    if latin.isascii():
        return latin
    return word if re.search("[a-z]", cyrillic) else cyrillic


def _digits(text: str) -> str:
    return text if not _DIGIT.search(text) else _SPELLED.sub(lambda word: _letters(word.group()), text)


def _letters(word: str) -> str:
    return word.translate(_DIGITS) if len(word) / 2 <= len(letters(word)) < len(word) else word


def _without(given: Folded, pattern: Form) -> Folded:
    parts = list(_kept(given.text, pattern))
    if len(parts) == 1:
        return given
    text = "".join(given.text[start:end] for start, end in parts)
    return Folded(text, [*(place for start, end in parts for place in given.at[start:end]), given.at[-1]])


def _kept(text: str, pattern: Form) -> Iterator[tuple[int, int]]:
    start = 0
    for found in pattern.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)
