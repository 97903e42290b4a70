"""SEC-6 and SEC-7: what recognition and inference make of labelled lists, and the lines they are wrong about.

The lists are in tests/data/recognition and tests/data/inference; the README files there say how a row is read.
The lists `…-before-the-rules` were written by somebody who had not seen a rule. The rules were widened once with the
first of them in sight. The third, `…-third-before-the-rules`, came after that: for inference nothing was changed for
it, and recognition was widened by what was said of its misses. For recognition there is a fourth, written before that,
by whoever widened it. What the rules were mended with, `…learned`, is judged by the tests and is no part of a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.bars import Row
from bench.lists import Listed
from quoth.core.inference import infer
from quoth.core.recognition import recognise

DATA = Path(__file__).parents[1] / "tests" / "data"
LEARNED = "learned"
CAUGHT, QUARANTINED, RIGHT = 0.9, 0.01, 0.85
LANGUAGES, PARTS = ("english", "chinese", "russian"), ("epistemic", "polarity", "kind")
_LATER = ("third", "fourth")
_ESCAPE = re.compile(r"\\(n|u[0-9a-fA-F]{4})")


@dataclass(frozen=True)
class Line(Listed):
    """A text, whether it is hostile, and the list it comes from."""

    text: str
    is_hostile: bool

    @property
    def is_right(self) -> bool:
        return recognise(self.text).is_hostile == self.is_hostile


@dataclass(frozen=True)
class Sentence(Listed):
    """A statement and one label of it."""

    text: str
    part: str
    label: str

    @property
    def language(self) -> str:
        return language(self.text)

    @property
    def is_right(self) -> bool:
        return self.inferred == self.label

    @property
    def inferred(self) -> str:
        return str(getattr(infer(self.text), self.part))


def lines(kind: str, *, learned: bool = False) -> Sequence[Line]:
    """Return the `hostile` or the `ordinary` lines."""
    return [
        Line(file.name, _read(text), kind == "hostile")
        for file in _files(f"recognition/{kind}*.txt", learned=learned)
        for text in file.read_text("utf-8").split("\n")
        if text.strip() and not text.startswith("# ")
    ]


def sentences(*, learned: bool = False) -> Sequence[Sentence]:
    return [row for file in _files("inference/*.tsv", learned=learned) for row in _labelled(file)]


def share_right(rows: Sequence[Line] | Sequence[Sentence]) -> float:
    return sum(row.is_right for row in rows) / len(rows)


def language(text: str) -> str:
    """Tell the language by its letters: Chinese and Russian sentences name things in Latin ones."""
    if re.search("[\u3400-\u9fff]", text):
        return "chinese"
    return "russian" if re.search("[а-яА-Я]{3}", text) else "english"


def measure() -> Iterator[Row]:
    yield from _recognition()
    yield from _inference()


def _recognition() -> Iterator[Row]:
    hostile, ordinary = lines("hostile"), lines("ordinary")
    for spoken in LANGUAGES:
        yield from _row("SEC-6", f"hostile caught, {spoken}", [row for row in hostile if language(row.text) == spoken])
    yield from _row("SEC-6", "hostile caught, before the rules", [row for row in hostile if row.is_blind])
    for which in _LATER:
        yield from _row("SEC-6", f"hostile caught, {which} list", [row for row in hostile if which in row.file])
    yield from _row("SEC-6", "hostile caught, all", hostile, least=CAUGHT)
    yield from _row("SEC-6", "ordinary left, before the rules", [row for row in ordinary if row.is_blind])
    for which in _LATER:
        yield from _row("SEC-6", f"ordinary left, {which} list", [row for row in ordinary if which in row.file])
    yield from _row("SEC-6", "ordinary left, all", ordinary, least=1 - QUARANTINED)


def _inference() -> Iterator[Row]:
    labelled = sentences()
    for part in PARTS:
        for spoken in LANGUAGES:
            rows = [row for row in labelled if row.part == part and row.language == spoken]
            blind = [row for row in rows if row.is_blind]
            yield from _row("SEC-7", f"{part} right, {spoken}, before the rules", blind)
            unseen = [row for row in rows if row.is_unseen]
            yield from _row("SEC-7", f"{part} right, {spoken}, never looked at", unseen)
            yield from _row("SEC-7", f"{part} right, {spoken}", rows, least=RIGHT)


def wrong() -> Iterator[str]:
    """Yield every line that the rules are wrong about."""
    for line in (*lines("hostile"), *lines("ordinary")):
        if not line.is_right:
            rules = ", ".join(found.rule for found in recognise(line.text).found) or "not caught"
            yield f"{line.file}: {rules}: {line.text!r}"
    for row in sentences():
        if not row.is_right:
            because = infer(row.text).because[row.part]
            yield f"{row.file}: {row.part} {row.inferred} ({because}), not {row.label}: {row.text}"


def _row(
    id_: str, work: str, rows: Sequence[Line] | Sequence[Sentence], *, least: float | None = None
) -> Iterator[Row]:
    if not rows:
        return
    share = share_right(rows)
    right = sum(row.is_right for row in rows)
    bar, ok = (f">= {least}", share >= least) if least is not None else ("", None)
    yield Row(id_, work, f"{right} of {len(rows)}", ratio=f"{share:.3f}", bar=bar, ok=ok)


def _files(pattern: str, *, learned: bool) -> Sequence[Path]:
    return [file for file in sorted(DATA.glob(pattern)) if (LEARNED in file.name) == learned]


def _labelled(file: Path) -> Iterator[Sentence]:
    """Read the rows of a list; its first line with tabs names the columns."""
    head, *rows = (line.removeprefix("# ").split("\t") for line in file.read_text("utf-8").split("\n") if "\t" in line)
    for row in rows:
        named = dict(zip(head, row, strict=True))
        for part in PARTS:
            yield Sentence(file.name, named["sentence"], part, named[part])


def _read(text: str) -> str:
    return _ESCAPE.sub(lambda found: "\n" if found[1] == "n" else chr(int(found[1][1:], 16)), text)
