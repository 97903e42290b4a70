"""Labelled lists: who wrote a row, and whether a rule was changed with it in sight, is in the name of its file."""

from __future__ import annotations

from dataclasses import dataclass

BLIND, UNSEEN = "-before-the-rules", "-third-before-the-rules"


@dataclass(frozen=True)
class Listed:
    """A row of a list. Blind rows are by somebody who had not seen a rule; for unseen ones no rule was changed."""

    file: str

    @property
    def is_blind(self) -> bool:
        return BLIND in self.file

    @property
    def is_unseen(self) -> bool:
        return UNSEEN in self.file
