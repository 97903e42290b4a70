"""What is said and what tools print: messages in three languages, code, paths, listings, tracebacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from bench import words


class Language(StrEnum):
    ENGLISH = "en"
    CHINESE = "zh"
    RUSSIAN = "ru"


# Out of twenty sessions; the shares of research on mixed archives: English leads, the others are no footnote.
LANGUAGES = [Language.ENGLISH] * 9 + [Language.CHINESE] * 6 + [Language.RUSSIAN] * 5

_ERRORS = (
    "KeyError: '%s'",
    "TypeError: %s() got an unexpected keyword argument '%s'",
    "ModuleNotFoundError: No module named '%s'",
    "error[E0382]: borrow of moved value: `%s`",
    "AssertionError: assert %s == %s",
    "ECONNREFUSED 127.0.0.1:5432 while calling %s",
    "fatal: pathspec '%s' did not match any files",
)
_CODE = (
    "    %s = %s(%s)",
    "def %s(%s, %s):",
    "        return %s.%s",
    "    if %s is None or %s < 0:",
    "from %s import %s",
    "const %s = await %s(%s);",
    "        raise ValueError(f'%s {%s}')",
    "    for %s in %s:",
    "  %s: %s,",
    "class %s(%s):",
)
_SUFFIXES = ("py", "py", "ts", "tsx", "go", "rs", "md", "sql", "yaml", "json", "toml")


@dataclass(frozen=True)
class Size:
    """Lengths that are mostly short with a long tail: a log-normal distribution, clipped."""

    median: float
    spread: float
    least: int
    most: int

    def draw(self, random: Random) -> int:
        return min(self.most, max(self.least, round(random.lognormvariate(0, self.spread) * self.median)))


PROMPT = Size(18, 0.9, 2, 400)  # words
ANSWER = Size(38, 1.0, 4, 900)  # words
OUTPUT = Size(800, 1.25, 40, 60_000)  # characters


class Prose:
    """Everything random that sessions are made of, from one seed."""

    def __init__(self, seed: int, *, vocabulary: int = 60_000) -> None:
        self.random = Random(seed)
        english = words.english(self.random, vocabulary)
        self._words = {
            Language.ENGLISH: words.Zipf(english, self.random),
            Language.CHINESE: words.Zipf(words.chinese(self.random, vocabulary), self.random),
            Language.RUSSIAN: words.Zipf(words.russian(self.random, vocabulary), self.random),
        }
        self.identifiers = words.Zipf(words.identifiers(self.random, english, vocabulary), self.random)
        folders = ["src", "tests", "api", "web", "docs", "internal", "pkg"]
        self.paths = words.Zipf([self._path(folders) for _ in range(vocabulary // 6)], self.random, exponent=0.8)

    def prompt(self, language: Language) -> str:
        return self.text(language, PROMPT.draw(self.random))

    def answer(self, language: Language) -> str:
        return self.text(language, ANSWER.draw(self.random))

    def title(self, language: Language) -> str:
        return self.text(language, self.random.randint(3, 6)).rstrip(".。").replace("\n\n", " ")

    def text(self, language: Language, length: int) -> str:
        """Return sentences of `length` words, with an identifier, a path or an error here and there."""
        drawn = self._words[language].take(length)
        for place in range(3, length, self.random.randint(9, 25)):
            drawn[place] = self._mention(language)
        joined = self._sentences(drawn, language)
        return joined if length < 60 else self._paragraphs(joined, language)

    def output(self, language: Language) -> str:
        """Return what a tool prints."""
        kind: Callable[[int], list[str]] = self.random.choice(
            (self._code, self._code, self._found, self._numbered, self._listing, self._traceback)
        )
        size = OUTPUT.draw(self.random)
        lines = kind(size // 45 + 1)
        if self.random.random() < 0.2:
            lines[len(lines) // 2 : len(lines) // 2] = [
                "# " + self.text(language, 12) for _ in range(len(lines) // 8 + 1)
            ]
        return "\n".join(lines)

    def path(self) -> str:
        return self.paths.one()

    def code(self, lines: int) -> str:
        return "\n".join(self._code(lines))

    def error(self) -> str:
        template = self.random.choice(_ERRORS)
        return template % tuple(self.identifiers.take(template.count("%s")))

    def hexadecimal(self, digits: int) -> str:
        return f"{self.random.getrandbits(4 * digits):0{digits}x}"

    def uuid(self) -> str:
        return _dashed(f"{self.random.getrandbits(128):032x}", version=4)

    def uuid7(self, milliseconds: int) -> str:
        return _dashed(f"{milliseconds:012x}{self.random.getrandbits(80):020x}", version=7)

    def _mention(self, language: Language) -> str:
        dice = self.random.random()
        named = self.error() if dice < 0.1 else self.path() if dice < 0.35 else self.identifiers.one()
        return f"`{named}`" if self.random.random() < 0.5 else f" {named} " if language is Language.CHINESE else named

    def _sentences(self, drawn: list[str], language: Language) -> str:
        space, stop = ("", "。") if language is Language.CHINESE else (" ", ". ")
        length = self.random.randint(7, 16)
        parts = [space.join(drawn[start : start + length]) for start in range(0, len(drawn), length)]
        return stop.join(part[:1].upper() + part[1:] for part in parts) + stop.strip()

    def _paragraphs(self, text: str, language: Language) -> str:
        stop = "。" if language is Language.CHINESE else ". "
        pieces = text.split(stop)
        return "\n\n".join(stop.join(pieces[start : start + 4]) for start in range(0, len(pieces), 4))

    def _code(self, lines: int) -> list[str]:
        templates = self.random.choices(_CODE, k=lines)
        names = iter(self.identifiers.take(3 * lines))
        return [template % tuple(next(names) for _ in range(template.count("%s"))) for template in templates]

    def _numbered(self, lines: int) -> list[str]:
        return [f"{number:6}→{line}" for number, line in enumerate(self._code(lines), self.random.randint(1, 900))]

    def _found(self, lines: int) -> list[str]:
        paths = self.paths.take(lines)
        return [
            f"{path}:{self.random.randint(1, 999)}:{line}" for path, line in zip(paths, self._code(lines), strict=True)
        ]

    def _listing(self, lines: int) -> list[str]:
        return [f"-rw-r--r-- 1 dev dev {self.random.randint(20, 99999):6} {path}" for path in self.paths.take(lines)]

    def _traceback(self, lines: int) -> list[str]:
        frames = zip(self.paths.take(lines // 2 + 1), self._code(lines // 2 + 1), strict=True)
        body = [f'  File "{path}", line {self.random.randint(1, 999)}\n    {line.strip()}' for path, line in frames]
        return ["Traceback (most recent call last):", *body, self.error()]

    def _path(self, folders: list[str]) -> str:
        parts = [name.replace(".", "_").lower() for name in self.identifiers.take(self.random.randint(1, 3))]
        return f"{self.random.choice(folders)}/{'/'.join(parts)}.{self.random.choice(_SUFFIXES)}"


def _dashed(digits: str, *, version: int) -> str:
    marked = f"{digits[:12]}{version:x}{digits[13:16]}{8 + int(digits[16], 16) % 4:x}{digits[17:]}"
    return f"{marked[:8]}-{marked[8:12]}-{marked[12:16]}-{marked[16:20]}-{marked[20:]}"
