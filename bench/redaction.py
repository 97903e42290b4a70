"""SEC-5: how many labelled secrets redaction finds, and how many look-alikes it touches.

The lists are in tests/data/redaction, spelled in ROT13 so that no scanner takes them for a leak. A row is a class and a
text with its secret between ⟦ and ⟧. The lists `…-before-the-rules` were written when there were no rules
yet, or by somebody who had not seen them. The rules were widened once with the second of them in sight; the third came
after that and nothing was changed for it.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.bars import Row
from bench.lists import UNSEEN, Listed
from quoth.core.redact import redact

LISTS = Path(__file__).parents[1] / "tests" / "data" / "redaction"
RECALL, TOUCHED = 0.97, 0.01
_MARKER = re.compile(r"\[REDACTED:[a-z_]+\]")
_WINDOW = 8  # characters of a secret in a row that must not remain


@dataclass(frozen=True)
class Labelled(Listed):
    """A text, what in it is secret, and the list it comes from."""

    kind: str
    text: str
    secrets: Sequence[str]

    @property
    def is_right(self) -> bool:
        """Say whether redaction does what the label says: no piece of a secret stays, nothing else is touched."""
        shown = redact(self.text).text
        if not self.secrets:
            return shown == self.text
        kept = _MARKER.sub("\0", shown)
        beside = _without(self.text, self.secrets)
        return not any(kept.count(piece) > beside.count(piece) for secret in self.secrets for piece in _pieces(secret))


def secrets() -> Sequence[Labelled]:
    return [row for row in _labelled() if row.secrets]


def look_alikes() -> Sequence[Labelled]:
    return [row for row in _labelled() if not row.secrets]


def share_right(rows: Sequence[Labelled]) -> float:
    return sum(row.is_right for row in rows) / len(rows)


def measure() -> Iterator[Row]:
    found, alike = secrets(), look_alikes()
    for kind in dict.fromkeys(row.kind for row in found):
        yield _row("secrets found", kind, [row for row in found if row.kind == kind])
    yield _row("secrets found", "before the rules", [row for row in found if row.is_blind])
    yield _row("secrets found", "never looked at", [row for row in found if row.is_unseen])
    yield _row("secrets found", "all", found, bar=f">= {RECALL}", ok=share_right(found) >= RECALL)
    yield _row("look-alikes left", "before the rules", [row for row in alike if row.is_blind])
    yield _row("look-alikes left", "never looked at", [row for row in alike if row.is_unseen])
    most = 1 - TOUCHED
    yield _row("look-alikes left", "all", alike, bar=f">= {most}", ok=share_right(alike) >= most)


def _row(work: str, which: str, rows: Sequence[Labelled], *, bar: str = "", ok: bool | None = None) -> Row:
    right = sum(row.is_right for row in rows)
    return Row("SEC-5", f"{work}, {which}", f"{right} of {len(rows)}", ratio=f"{right / len(rows):.3f}", bar=bar, ok=ok)


def _labelled() -> Iterator[Labelled]:
    """Read every row; a text that two lists have is counted once, and not as one that was never looked at."""
    seen: set[str] = set()
    for file in sorted(LISTS.glob("*.jsonl"), key=lambda file: (UNSEEN in file.name, file.name)):
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            marked = codecs.decode(row["rot13"], "rot13")
            text = re.sub("[⟦⟧]", "", marked)
            if text not in seen:
                seen.add(text)
                yield Labelled(file.name, row["class"], text, re.findall(r"⟦(.*?)⟧", marked, re.DOTALL))


def _without(text: str, secrets: Sequence[str]) -> str:
    """Return what stands beside the secrets: a name may have the same letters as the prefix of its key."""
    for secret in secrets:
        text = text.replace(secret, "\0")
    return text


def _pieces(secret: str) -> Iterator[str]:
    size = min(len(secret), _WINDOW)
    return (secret[start : start + size] for start in range(len(secret) - size + 1))
