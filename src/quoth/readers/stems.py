"""Stems of words, so that a question finds what is said in another form: `fixes` and `fixed`, `файл` and `файлы`.

Latin letters are taken for English, Cyrillic ones for Russian; everything else has no stem but itself. The index holds
stems, so another version of these rules is another schema of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

_KEPT = 1 << 16  # words whose stems are remembered; a long log has a few ten thousand
_LONGEST = 32  # letters; what is longer is no word
_TOKEN = "[^\x00-/:-`{-\x7f]"  # a character of a token, see `core.text`
_WORD = re.compile(f"(?<!{_TOKEN})(?:[a-z]{{3,{_LONGEST}}}|[а-я]{{3,{_LONGEST}}})(?!{_TOKEN})")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


class _Known(dict[str, str]):
    """The stem of each word that was asked for, or nothing where it is the word itself."""

    def __missing__(self, word: str) -> str:
        stemmed = _stemmer(word[0] <= "z").stemWord(word)
        if len(self) >= _KEPT:
            self.clear()
        self[word] = found = "" if stemmed == word else stemmed
        return found


_known = _Known()


def stem(token: str) -> str:
    """Return the stem of a folded token; the token itself where nothing is inflected."""
    return _known[token] or token if _WORD.fullmatch(token) else token


def stems(spelled: str) -> Iterator[str]:
    """Yield, in their order, the stems of those words of a text as `core.text.spell` gives it that differ from them."""
    return filter(None, map(_known.__getitem__, _WORD.findall(spelled)))


@cache
def _stemmer(is_english: bool) -> _Stemmer:
    """Load one language alone: `snowballstemmer.stemmer` would take another library where one is installed."""
    from snowballstemmer.english_stemmer import EnglishStemmer
    from snowballstemmer.russian_stemmer import RussianStemmer

    chosen: type[_Stemmer] = EnglishStemmer if is_english else RussianStemmer
    return chosen()
