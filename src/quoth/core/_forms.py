"""Regular expressions that are compiled when a text is first read with them: together they would slow every start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

_END: Final = 2**31 - 1


class Form:
    """A pattern that compiles itself when it is needed."""

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._source, self._flags = source, flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled

    def search(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        return self.pattern.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = _END) -> re.Match[str] | None:
        return self.pattern.match(text, start, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.pattern.fullmatch(text)

    def finditer(self, text: str, start: int = 0, end: int = _END) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text, start, end)

    def findall(self, text: str) -> list[str]:
        return self.pattern.findall(text)

    def split(self, text: str) -> list[str]:
        return self.pattern.split(text)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self.pattern.sub(by, text)
