"""What a line of a log is without some words: as long as before, so that everything else stays where it is.

A line goes as a whole, or only the JSON strings in it that hold the words (others may share the line). Agents write
one text in many spellings: escaped, inside JSON inside a string, packed as base64, cut for a title. So texts are
compared in their *normal form*: escapes resolved; white space, quotes and backslashes left out; case ignored.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from quoth.core.spelling import normal, spans, unpacked

_SPECIFIC = 12  # characters in normal form: fewer may stand anywhere by chance
_DEEPEST = 4  # JSON inside strings inside JSON
_ELLIPSIS = "….-"

_NEAR = 64  # bytes that stay between two changed ones and are not worth a range of their own
_BLOCK = 4096

_LITERAL = re.compile(r'"((?:[^"\\]++|\\.)*+)"(\s*+:)?', re.DOTALL)
_CHARACTER = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)|(.)", re.DOTALL)
_PACKED_BYTES = re.compile(rb"[A-Za-z0-9+/_-]{24,}={0,2}")
_WORD = re.compile(r"[a-z0-9]{3,}", re.ASCII)
_MEANT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
# What these say is an agent's own word, even where a person happened to say the same short one.
_STRUCTURE = frozenset(
    {
        *("author", "channel", "cwd", "event", "id", "kind", "level", "method", "model", "name", "object", "path"),
        *("phase", "recipient", "role", "sender", "session", "sessionId", "source", "status", "subtype", "timestamp"),
        *("type", "uuid", "version"),
    }
)


def blank(line: bytes) -> bytes:
    return b" " * len(line)


def filled(line: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    """Return a line with ranges of it filled with spaces."""
    changed = bytearray(line)
    for start, stop in ranges:
        changed[start:stop] = b" " * len(changed[start:stop])
    return bytes(changed)


def is_blank(line: bytes) -> bool:
    return not line.strip()


@dataclass(frozen=True)
class Wanted:
    """What must go. `phrases` go wherever they stand; `texts` are whole texts of events and entries: a string that
    holds one, equals one line or paragraph of it, or is cut from it, belongs to it. `spared` are texts that stay: what
    they say belongs to them, unless it holds a whole text that must go.
    """

    phrases: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.phrases or self.texts)

    def belongs(self, said: str, key: str = "") -> bool:
        """Tell whether the string `said`, as it stands in JSON under a key, is or holds something that must go."""
        return self._belongs(normal(said), said, key) or any(
            self._belongs(normal(packed), packed, key) for packed in unpacked(said)
        )

    def is_in(self, said: str) -> bool:
        """Tell whether something that must go is in a text as a whole."""
        form = normal(said)
        return any(phrase in form for phrase in self._phrases) or any(text in form for text in self._long)

    def spares_in(self, said: str) -> bool:
        """Tell whether a text that stays is in a string."""
        form = normal(said) if self.spared else ""
        return any(len(text) > 1 and text in form for text in self._spared)

    def spans(self, said: str) -> Iterator[tuple[int, int]]:
        """Yield where whole texts that must go stand in a text."""
        return spans(said, sorted(self._long, key=len, reverse=True))

    def may_be_in(self, line: bytes, *, is_packed: bool = False) -> bool:
        """Tell whether it is worth to look at a line; `is_packed` where rows may hold base64."""
        if self._is_probable(line) and self._begins_in(line.decode("utf-8", "replace")):
            return True
        return is_packed and any(
            self._begins_in(packed)
            for found in _PACKED_BYTES.finditer(line)
            for packed in unpacked(found[0].decode("ascii"))
        )

    def _begins_in(self, said: str) -> bool:
        form = normal(said)
        return any(probe in form for probe in self._probes)

    def _is_probable(self, line: bytes) -> bool:
        """Tell by a word of each, in a fraction of the time, where none can be."""
        lowered = line.lower()
        if b"\\u00" in line:
            return True
        is_escaped = b"\\u" in line
        is_plain = line.isascii() and not is_escaped
        return any(
            word in lowered or (is_escaped and not word.isascii()) if word else not is_plain for word in self._words
        )

    def _belongs(self, form: str, said: str, key: str) -> bool:
        if any(phrase in form for phrase in self._phrases) or any(text in form for text in self._long):
            return True
        if form in self._spared:
            return False
        if form in self._parts:
            return len(form) >= _SPECIFIC or key not in _STRUCTURE
        return self._is_cut(form, said)

    def _is_cut(self, form: str, said: str) -> bool:
        """Tell whether a string is a piece of a text. A single token, such as a path, is not: anybody may name it."""
        cut = form.rstrip(_ELLIPSIS)
        is_phrase = not said.isascii() or any(character.isspace() for character in said.strip()) or "\\" in said
        return len(cut) >= _SPECIFIC and is_phrase and any(cut in text for text in self._long)

    @cached_property
    def _phrases(self) -> frozenset[str]:
        return frozenset(form for phrase in self.phrases if (form := normal(phrase)))

    @cached_property
    def _long(self) -> frozenset[str]:
        return frozenset(form for text in self.texts if len(form := normal(text)) >= _SPECIFIC)

    @cached_property
    def _parts(self) -> frozenset[str]:
        return _parts(self.texts)

    @cached_property
    def _spared(self) -> frozenset[str]:
        return _parts(self.spared)

    @cached_property
    def _probes(self) -> frozenset[str]:
        """What any line that matters holds: a title is cut, but begins as the text did."""
        return self._phrases | {form[:_SPECIFIC] for form in self._long}

    @cached_property
    def _words(self) -> frozenset[bytes]:
        """A word of each probe that is easy to look for; an empty one when it has none."""
        said = [*self.phrases, *(_beginning(text) for text in self.texts if len(normal(text)) >= _SPECIFIC)]
        return frozenset(_easy(each).encode() for each in said)


def _parts(texts: Iterable[str]) -> frozenset[str]:
    """Return whole texts, their paragraphs and lines in normal form."""
    parts = (part for text in texts for part in (text, *text.split("\n\n"), *text.splitlines()))
    return frozenset(form for part in parts if (form := normal(part)))


def without(line: bytes, wanted: Wanted) -> bytes:
    """Return a line without the strings that belong to what must go, or a blank one where that leaves something."""
    text = line.decode("utf-8", "surrogateescape")
    ranges = _ranges(text, range(len(text) + 1), wanted, 0)
    if ranges is None:
        return blank(line)
    cleared = _cleared(text, ranges)
    return blank(line) if wanted.is_in(cleared.decode("utf-8", "replace")) else cleared


def _ranges(text: str, places: Sequence[int], wanted: Wanted, depth: int) -> list[tuple[int, int]] | None:
    """Return where the strings of a text that is JSON must be cleared; None when clearing strings is not enough.

    `places` says for each character where it stands in the whole line.
    """
    found: list[tuple[int, int]] = []
    key, key_end = "", -1
    for literal in _LITERAL.finditer(text):
        said = literal[1]
        if literal[2]:
            if wanted.is_in(said):
                return None
            key, key_end = said, literal.end()
        elif wanted.belongs(
            said, key if text[key_end : literal.start()].isspace() or key_end == literal.start() else ""
        ):
            found += _inside(text, literal, places, wanted, depth)
    return found


def _inside(
    text: str, literal: re.Match[str], places: Sequence[int], wanted: Wanted, depth: int
) -> list[tuple[int, int]]:
    """Return what to clear of one string: strings of the JSON in it, where that is enough, else all of it."""
    start, stop = literal.span(1)
    whole = [(places[start], places[stop])]
    if wanted.spares_in(literal[1]):
        return _cut(*_unescaped(text, start, stop, places), wanted) or whole
    if depth >= _DEEPEST or literal[1].lstrip()[:1] not in {"{", "["}:
        return whole
    said, inner_places = _unescaped(text, start, stop, places)
    try:
        json.loads(said)
    except (ValueError, RecursionError):
        return whole
    inner = _ranges(said, inner_places, wanted, depth + 1)
    return inner if inner and not wanted.is_in(_spaced(said, inner_places, inner)) else whole


def _cut(said: str, places: Sequence[int], wanted: Wanted) -> list[tuple[int, int]]:
    """Return where whole texts stand in a string that says other things, too; nothing where that is not enough."""
    found = [(places[start], places[stop]) for start, stop in wanted.spans(said)]
    return found if found and not wanted.is_in(_spaced(said, places, found)) else []


def _spaced(said: str, places: Sequence[int], ranges: Iterable[tuple[int, int]]) -> str:
    left = list(said)
    for start, stop in ranges:
        first, last = bisect_left(places, start), bisect_left(places, stop)
        left[first:last] = " " * (last - first)
    return "".join(left)


def _unescaped(text: str, start: int, stop: int, places: Sequence[int]) -> tuple[str, list[int]]:
    """Return what a string says and where each of its characters stands, and the end."""
    characters: list[str] = []
    found: list[int] = []
    for token in _CHARACTER.finditer(text, start, stop):
        code, escaped, plain = token.groups()
        characters.append(chr(int(code, 16)) if code else _MEANT.get(escaped, escaped) if escaped else plain)
        found.append(places[token.start()])
    return "".join(characters), [*found, places[stop]]


def _cleared(text: str, ranges: Iterable[tuple[int, int]]) -> bytes:
    """Fill ranges of characters with spaces, as many as they take bytes."""
    pieces: list[bytes] = []
    done = 0
    for start, stop in _apart(ranges):
        pieces.append(text[done:start].encode("utf-8", "surrogateescape"))
        pieces.append(b" " * len(text[start:stop].encode("utf-8", "surrogateescape")))
        done = stop
    return b"".join((*pieces, text[done:].encode("utf-8", "surrogateescape")))


def _apart(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield ranges in order, without what an earlier one covers."""
    end = 0
    for start, stop in sorted(ranges):
        if stop > end:
            yield max(start, end), stop
            end = stop


def _easy(said: str) -> str:
    """Return the longest plain word of a text, else a character of a script without capitals."""
    uncased = (each for each in said if not each.isascii() and each.isalpha() and each.lower() == each.upper())
    return max(_WORD.findall(said.lower()), key=len, default="") or next(uncased, "")


def _beginning(text: str) -> str:
    """Return the shortest beginning of a text that is specific."""
    return next((text[:size] for size in range(_SPECIFIC, len(text)) if len(normal(text[:size])) >= _SPECIFIC), text)


def differing(old: bytes, new: bytes) -> Iterator[tuple[int, int]]:
    """Yield the ranges in which two texts of one length differ; near ones as one."""
    begin = end = -1
    for place in _differences(old, new):
        if begin < 0 or place - end > _NEAR:
            if begin >= 0:
                yield begin, end
            begin = place
        end = place + 1
    if begin >= 0:
        yield begin, end


def _differences(old: bytes, new: bytes) -> Iterator[int]:
    for start in range(0, len(old), _BLOCK):
        if old[start : start + _BLOCK] != new[start : start + _BLOCK]:
            yield from (at for at in range(start, min(start + _BLOCK, len(old))) if old[at] != new[at])
