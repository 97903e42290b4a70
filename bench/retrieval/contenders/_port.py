"""What a contender is: something that texts are put into and questions are asked of.

A module of this folder is one contender under its own name (`fts5_any.py` is `fts5-any`) and exports `CONTENDER`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from bench.retrieval.sets import Doc, Question


class Found(NamedTuple):
    """A text and how good it is; more is better, on the contender's own scale."""

    id: str
    score: float


class Store(Protocol):
    def index(self, docs: Sequence[Doc]) -> None:
        """Take in the texts of one group; called once, before any question."""

    def ask(self, question: Question, *, most: int) -> Sequence[Found]:
        """Return the best texts, the best first. It must look at nothing of a question but its text and place."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Contender:
    """`open` makes an empty store in an empty folder.

    - `floor`: what scores less is held back when nobody says otherwise; None where there is no such line.
    - `cuts_itself`: it can't be asked for what is below its floor, so what the cut costs is not to be seen.
    - `is_judged`: the bars are about it.
    - `is_here`: whether what it needs is installed; what is not here does not take part.
    """

    open: Callable[[Path], Store]
    has_model: bool = False
    floor: float | None = None
    cuts_itself: bool = False
    is_judged: bool = False
    is_here: Callable[[], bool] = lambda: True
