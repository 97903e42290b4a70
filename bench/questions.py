"""Draw queries of sixteen classes from a corpus by how many of its texts contain them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random

_WORD = re.compile(r"(?<![\w.-])[a-z]{2,}(?![\w.-])|(?<![\w.-])[а-я]{1,}(?![\w.-])")
_RUN = re.compile("[\u4e00-\u9fff]+")
_IDENTIFIER = re.compile(r"(?<![\w./-])[a-z]+_[a-z]+(?![\w./-])")
_RARE = 5  # texts; the other classes are shares of all texts, as they were in a corpus of a million

# class: (which words, in how many texts)
_BY_FREQUENCY: Mapping[str, tuple[str, float]] = {
    "en rare": ("en", 0.0),
    "en mid": ("en", 0.005),
    "en common": ("en", 0.26),
    "ru rare": ("ru", 0.0),
    "ru mid": ("ru", 0.004),
    "ru common": ("ru", 0.026),
    "zh 1 char": ("zh1", 0.10),
    "zh 2 chars rare": ("zh2", 0.0),
    "zh 2 chars mid": ("zh2", 0.004),
    "zh 2 chars common": ("zh2", 0.06),
}


class Corpus:
    """What is in the texts: how many hold each word, and texts to pick pairs and runs from."""

    def __init__(self, texts: Iterable[str], random: Random) -> None:
        self._random = random
        self._texts: list[str] = []
        self._counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("en", "ru", "zh1", "zh2")}
        for text in texts:
            self._read(text.lower().replace("ё", "е"))
        self._sample = random.sample(self._texts, min(20_000, len(self._texts)))

    def questions(self, each: int) -> Mapping[str, Sequence[str]]:
        """Return up to `each` queries of every class."""
        drawn = {name: self._near(*wanted, each) for name, wanted in _BY_FREQUENCY.items()}
        drawn |= {"en and": self._pairs("en", 0.005, each), "ru and": self._pairs("ru", 0.004, each)}
        drawn["en phrase"] = self._pick(_IDENTIFIER.findall, each)
        for length in (4, 7):
            drawn[f"zh {length} chars"] = self._pick(partial(_runs, length=length), each)
        drawn["zh and identifier"] = self._pick(_mixed, each)
        return dict(sorted(drawn.items()))

    def _read(self, text: str) -> None:
        self._texts.append(text)
        words = set(_WORD.findall(text))
        runs = _RUN.findall(text)
        self._counts["en"].update(word for word in words if word.isascii())
        self._counts["ru"].update(word for word in words if not word.isascii())
        self._counts["zh1"].update({character for run in runs for character in run})
        self._counts["zh2"].update({run[place : place + 2] for run in runs for place in range(len(run) - 1)})

    def _near(self, kind: str, share: float, each: int) -> list[str]:
        """Return the words whose number of texts is nearest to the wanted one."""
        wanted = share * len(self._texts) or _RARE
        words = list(self._counts[kind].items())
        self._random.shuffle(words)
        words.sort(key=lambda pair: abs(math.log(pair[1] / wanted)))
        return [word for word, _ in words[:each]]

    def _pairs(self, kind: str, share: float, each: int) -> list[str]:
        """Return two middling words of one text, for every query another text."""
        middling = set(self._near(kind, share, 150))
        return self._pick(lambda text: _couple([word for word in set(_WORD.findall(text)) if word in middling]), each)

    def _pick(self, find: Callable[[str], Sequence[str]], each: int) -> list[str]:
        found = (self._random.choice(sorted(choices)) for text in self._sample if (choices := find(text)))
        return list(islice(dict.fromkeys(islice(found, 4 * each)), each))


def _couple(words: Sequence[str]) -> Sequence[str]:
    return [" ".join(sorted(words)[:2])] if len(words) > 1 else []


def _runs(text: str, length: int) -> Sequence[str]:
    return [run[:length] for run in _RUN.findall(text) if len(run) >= length]


def _mixed(text: str) -> Sequence[str]:
    names = _IDENTIFIER.findall(text)
    return [f"{run} {names[0]}" for run in _runs(text, 2)] if names else []
