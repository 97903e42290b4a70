"""Compile phrases script by script, each at the places where it can begin: hundreds of them are tried on every text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

_SPACE: Final = re.compile(r"(\[(?:\\.|[^\]\\])*\])| \?| ")
_AT_A_SIGN: Final = ("(?:^", "(?:(?:^", "(?<", "[", "\\n", "【")
# The first character, one behind a Han letter, or a sign.
_SIGN: Final = r"(?:(?<![\s\S])|(?=[^\w ])|(?<=[\u3400-\u9fff])(?=[a-z]))"
_BEGINS: Final = {
    "latin": "(?<![a-z0-9])(?=[a-z])",
    "cyrillic": "(?<![а-я])(?=[а-я])",
    "han": "(?=[\u3400-\u9fff])",
}


@dataclass(frozen=True, slots=True)
class Phrases:
    """The forms of a rule in one script: those that begin with a word, and those that begin with a sign or a line."""

    script: str
    forms: tuple[str, ...]

    def patterns(self) -> Sequence[re.Pattern[str]]:
        return _patterns(self.script, self.forms)


@cache
def _patterns(script: str, forms: tuple[str, ...]) -> Sequence[re.Pattern[str]]:
    """Compile when a text has the script: hundreds of forms would slow every start."""
    by_beginning: dict[str, list[str]] = {}
    for form in forms:
        by_beginning.setdefault(_begins(script, form), []).append(_spaced(form))
    return [
        re.compile(begins + "(?:" + "|".join(f"(?:{form})" for form in same) + ")")
        for begins, same in by_beginning.items()
    ]


def _begins(script: str, form: str) -> str:
    """Return what a form can begin before: what is tried at fewer places takes less time."""
    if "|^)" in form[:80]:
        return ""
    return _SIGN if form.startswith(_AT_A_SIGN) else _BEGINS[script]


def _spaced(form: str) -> str:
    """Let a space outside of a class stand for whatever is between two words."""
    return _SPACE.sub(_between, form.replace("you are", "you(?: are|'re)"))


def by_script(forms: Sequence[str]) -> Sequence[Phrases]:
    by_script: dict[str, list[str]] = {}
    for form in forms:
        by_script.setdefault(_script(form), []).append(form)
    return [Phrases(script, tuple(same)) for script, same in by_script.items()]


def _script(form: str) -> str:
    if re.search("[\u4e00-\u9fff]", re.sub(r"\[(?:\\.|[^\]\\])*\]", "", form)):
        return "han"
    return "cyrillic" if re.search("[а-я]{3}", form) else "latin"


def _between(found: re.Match[str]) -> str:
    return found.group(1) or (r"[\W_]{0,6}" if found.group() == " ?" else r"[\W_]{1,6}")
