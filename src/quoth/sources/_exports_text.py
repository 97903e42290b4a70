"""Tell the speakers of a conversation that was written down as text: Markdown of several layouts, or a terminal's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from quoth.core.ids import digest16
from quoth.core.model import Kind, Role
from quoth.core.times import from_iso
from quoth.sources import _exports_terminal as terminal
from quoth.sources._exports_pieces import Piece
from quoth.sources._exports_speakers import Part, Speaker, said_by, speaker
from quoth.sources._text import without_blobs

_HEADING = re.compile(r"(#{1,6})\s+(\S.{0,80})")
_BOLD = re.compile(r"_?\*\*([^*]{1,60})\*\*_?(:?)(?:\s+(\S.*))?")
_PLAIN = re.compile(r"([^\s:：][^:：]{0,30})[:：](?:\s+(\S.*))?")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_RULE = re.compile(r"(?:[-*_] ?){3,}")
_TITLE = re.compile(r"#\s+(\S.*)|title:\s*[\"']?(\S.*?)[\"']?", re.IGNORECASE)
_DAY = re.compile(
    r"\W*(?:date|created|created at|started)\W*[:：]\W*(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?Z?).*", re.I
)
_HEAD_LENGTH = 4_000  # characters of a head in which title and day are looked for
_TITLE_LENGTH = 1_000


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation: its pieces with whole ids, and what its head says of it."""

    session: str
    pieces: Sequence[Piece]
    title: str = ""
    time: int | None = None
    cwd: str | None = None


def transcript(whole: str) -> Transcript | None:
    """Return the conversation that a text holds, or None when no layout finds a person and a model in it."""
    lines = whole.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if terminal.is_terminal(lines):
        parts = list(terminal.parts(lines))
        return _transcript(parts, Transcript("", (), cwd=terminal.directory(lines)))
    for marks in _LAYOUTS:
        found = marks(lines)
        if {Speaker.PERSON, Speaker.MODEL} <= {mark.speaker for mark in found}:
            return _transcript(list(_cut(lines, found)), _head(lines[: found[0].line]))
    return None


def _transcript(parts: Sequence[Part], head: Transcript) -> Transcript:
    session = f"text-{_session(parts)}"
    counted: Counter[str] = Counter()
    pieces = []
    for part in parts:
        digest = digest16(*(word.encode("utf-8", "replace") for word in (part.role, part.kind, part.text)))
        counted[digest] += 1
        suffix = f"#{counted[digest]}" if counted[digest] > 1 else ""
        shown = without_blobs(part.text)
        pieces.append(Piece(f"text:{session[5:]}:{digest}{suffix}", part.role, part.kind, shown, part.tool, part.own))
    return Transcript(session, pieces, head.title, head.time, head.cwd)


def _session(parts: Sequence[Part]) -> str:
    """Name a conversation by how it began; a longer export of it begins alike."""
    spoken = [(role, _first(parts, role)) for role in (Role.USER, Role.ASSISTANT)]
    return digest16(*(word.encode("utf-8", "replace") for pair in spoken for word in pair))


def _first(parts: Sequence[Part], role: Role) -> str:
    return next((part.text for part in parts if part.role is role and part.kind is Kind.MESSAGE), "")


# --- layouts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mark:
    """A line that names who speaks from here on; `rest` is what they say on that line."""

    line: int
    speaker: Speaker
    rest: str = ""


def _said_marks(lines: Sequence[str]) -> list[_Mark]:
    return [_Mark(n, who) for n, line in _outside_code(lines) if (who := said_by(line.lstrip("# ").strip("*_ ")))]


def _heading_marks(lines: Sequence[str]) -> list[_Mark]:
    """Take headings that name a speaker, of the level at which each speaker is first named."""
    levels: dict[Speaker, str] = {}
    found = []
    for n, line in _outside_code(lines):
        match = _HEADING.fullmatch(line.rstrip())
        if match and (who := speaker(match[2])) and levels.setdefault(who, match[1]) == match[1]:
            found.append(_Mark(n, who))
    return found


def _bold_marks(lines: Sequence[str]) -> list[_Mark]:
    found = []
    for n, line in _outside_code(lines):
        match = _BOLD.fullmatch(line.rstrip())
        # With words behind it, only a colon tells a speaker from an emphasised word.
        if (
            match
            and (not match[3] or match[2] or match[1].rstrip().endswith((":", "：")))
            and (who := speaker(match[1]))
        ):
            found.append(_Mark(n, who, match[3] or ""))
    return found


def _plain_marks(lines: Sequence[str]) -> list[_Mark]:
    """Take lines like `User: words`; only in a text that begins with one, because anybody may write like that."""
    found = []
    for n, line in _outside_code(lines):
        match = _PLAIN.fullmatch(line.rstrip())
        if match and (who := speaker(match[1])):
            found.append(_Mark(n, who, match[2] or ""))
        elif not found and line.strip() and not line.startswith(("#", "-", "*", "_")):
            return []
    return found


_LAYOUTS: Sequence[Callable[[Sequence[str]], list[_Mark]]] = (_said_marks, _heading_marks, _bold_marks, _plain_marks)


def _outside_code(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not inside a fence; one that is never closed is none."""
    last = {}
    for n, line in enumerate(lines):
        if match := _FENCE.match(line):
            last[match[1][0]] = n
    fence, inside = "", False
    for n, line in enumerate(lines):
        match = _FENCE.match(line)
        if match and inside and match[1].startswith(fence) and not line.strip(" `~"):
            inside = False
        elif match and not inside and last[match[1][0]] > n:
            fence, inside = match[1], True
        elif not inside:
            yield n, line


def _cut(lines: Sequence[str], marks: Sequence[_Mark]) -> Iterator[Part]:
    """Cut a text at its marks; what stands before the first was said by nobody."""
    if before := _body(lines[: marks[0].line]):
        yield Part(Role.SYSTEM, Kind.META, before)
    ends = [*(mark.line for mark in marks[1:]), len(lines)]
    for mark, end in zip(marks, ends, strict=True):
        said = _body([*([mark.rest] if mark.rest else []), *lines[mark.line + 1 : end]])
        if said:
            yield Part(*mark.speaker.speech, said)


def _body(lines: Sequence[str]) -> str:
    """Return lines without the blank ones and the rules around them."""
    kept = list(lines)
    while kept and (not kept[-1].strip() or _RULE.fullmatch(kept[-1].strip())):
        kept.pop()
    while kept and not kept[0].strip():
        kept.pop(0)
    return "\n".join(kept)


def _head(lines: Sequence[str]) -> Transcript:
    title, time = "", None
    for line in "\n".join(lines)[:_HEAD_LENGTH].split("\n"):
        if not title and (match := _TITLE.fullmatch(line.strip())):
            title = " ".join((match[1] or match[2]).split())[:_TITLE_LENGTH]
        if time is None and (match := _DAY.fullmatch(line.strip())):
            time = from_iso(match[1])
    return Transcript("", (), title, time)
