"""Read the Markdown files in which an agent, or the person for it, keeps memory: each version is one event.

Ids are frozen; they are stored in citations: `<source>:memory:<key>:<hash>`. The key is that of the file below the
agent's folder when it is made of up to 200 ASCII letters, digits, `_`, `.`, `-` and `/`, else the first 16 hex digits
of its hash by `core.ids.digest16`. The hash is the first 16 hex digits of the SHA-256 of the file's bytes, without one
LF at its end.

The event belongs to the session that the file says it comes from, else to a hidden one of its folder. A file that is
blank says nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from quoth.core.ids import SessionId, SourceId, digest16, event_id
from quoth.core.model import (
    Event,
    Fact,
    Form,
    Found,
    Json,
    Kind,
    Line,
    MemoryFile,
    Opened,
    Role,
    Skipped,
    Stream,
    Unread,
)
from quoth.core.names import printable_path
from quoth.core.times import from_iso
from quoth.readers.memory_head import read
from quoth.readers.tree import Entry
from quoth.sources._values import is_name

# What the word for its type means that Claude Code writes at the top of a memory file.
TYPES = {"user": "profile", "feedback": "preference", "project": "fact", "reference": "fact"}

LONGEST = 1 << 20  # bytes; memory is written to be put into a prompt

_SUFFIX = ".md"
_AT = "\n"  # between a key and a directory; no file of the agents has one in its name
_KEY = re.compile(r"[A-Za-z0-9_./-]{0,200}")
_THREAD = re.compile(r"\Athread_id:[ \t]*([\w.-]+)[ \t\r]*$", re.MULTILINE | re.ASCII)
_GLOB = re.compile(r"\*\*/|\*")
_GLOBS = {"**/": "(?:[^/]+/)*", "*": "[^/]*"}


@dataclass(frozen=True, slots=True)
class Family:
    """Files of one meaning. `sessions` is how many parts of the key name the folder that the sessions share with them,
    `digest` finds in the key the hash of the directory that they are about."""

    patterns: tuple[str, ...]
    type: str = "note"
    types: Mapping[str, str] = field(default_factory=dict)
    is_instruction: bool = False
    sessions: int = 0
    digest: str = ""

    def holds(self, key: str) -> bool:
        return any(_glob(pattern).fullmatch(key) for pattern in self.patterns)

    def described(self, key: str) -> MemoryFile:
        folder = "".join(f"{part}/" for part in key.split("/")[: self.sessions])
        digest = re.search(self.digest, key) if self.digest else None
        return MemoryFile(self.type, self.types, self.is_instruction, folder, digest[1] if digest else "")


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """The memory files of one agent; a key counts for the first family that holds it, `working` names are left out."""

    source: SourceId
    families: Sequence[Family]
    working: frozenset[str] = frozenset()

    @property
    def patterns(self) -> tuple[str, ...]:
        return tuple(pattern for family in self.families for pattern in family.patterns)

    def memory_file(self, key: str) -> MemoryFile | None:
        if not key.endswith(_SUFFIX):
            return None
        family = next((each for each in self.families if each.holds(key)), None)
        return family.described(key) if family else None

    def found(self, entry: Entry, *, cwd: str | None = None, beside: Path | None = None) -> Iterator[Found | Skipped]:
        """Yield a file for an entry; the directory it is about becomes a part of its identity, for the parser."""
        if entry.key.rpartition("/")[2] in self.working:
            return
        if entry.signature.size > LONGEST:
            yield Skipped(printable_path(str(entry.path)), "too_large")
            return
        file = self.memory_file(entry.key)
        identity = _AT.join(filter(None, [entry.key, cwd]))
        yield Found(
            entry.key,
            entry.path,
            Form.FILE,
            identity,
            entry.signature,
            entry.compressed,
            cwd=cwd,
            beside=beside,
            digest=file.digest if file else "",
        )

    def parser(self, stream: Stream, state: Json) -> MemoryParser:
        return MemoryParser(self.source, stream.key, stream.identity.partition(_AT)[2] or None, *_held(state))


@dataclass(slots=True)
class MemoryParser:
    """Holds the lines of a file until it ends; a file that grew too large since it was found gives no event."""

    source: SourceId
    key: str
    cwd: str | None = None
    held: list[bytes] = field(default_factory=list)
    size: int = 0
    line: int = 0

    def state(self) -> Json:
        return {"held": [line.decode("latin-1") for line in self.held], "size": self.size, "line": self.line}

    def feed(self, line: Line) -> Iterator[Fact]:
        self.size += len(line.data) + 1
        self.line = line.number
        if self.size <= LONGEST + 1:
            self.held.append(line.data)
        else:
            self.held.clear()
        return iter(())

    def end(self) -> Iterator[Fact]:
        whole, size, self.held, self.size = b"\n".join(self.held), self.size, [], 0
        if size > LONGEST + 1:
            yield Unread(self.line, "unknown", "memory file over 1 MiB")
        elif whole.strip(b"\0 \t\r\n\xef\xbb\xbf"):
            yield from self._facts(whole)

    def _facts(self, whole: bytes) -> Iterator[Fact]:
        text = whole.decode("utf-8", "replace")
        said = read(text).said
        session = said.get("originSessionId") or _thread(text)
        if not is_name(session):
            session = ":".join(["memory", *filter(None, [_id_of(self.key.rpartition("/")[0])])])
            yield Opened(SessionId(session), cwd=self.cwd, hidden=True)
        first = self.line - whole.count(b"\n")
        yield Event(
            event_id(self.source, "memory", _id_of(self.key), hashlib.sha256(whole).hexdigest()[:16]),
            SessionId(session),
            Role.SYSTEM,
            Kind.MEMORY,
            text,
            self.line,
            time=from_iso(said.get("modified", "")),
            cwd=self.cwd,
            first_line=first if first != self.line else None,
        )


def _held(state: Json) -> tuple[list[bytes], int, int]:
    memory = state if isinstance(state, Mapping) else {}
    held, size, line = memory.get("held"), memory.get("size"), memory.get("line")
    lines = (
        [each.encode("latin-1", "replace") for each in held if isinstance(each, str)] if isinstance(held, list) else []
    )
    return lines, size if isinstance(size, int) else 0, line if isinstance(line, int) else 0


def _thread(text: str) -> str:
    match = _THREAD.search(text)
    return match[1] if match else ""


def _id_of(key: str) -> str:
    return key if _KEY.fullmatch(key) else digest16(key.encode("utf-8", "surrogatepass"))


@cache
def _glob(pattern: str) -> re.Pattern[str]:
    """Return what keys a pattern of `readers.tree` matches."""
    parts, end = [], 0
    for match in _GLOB.finditer(pattern):
        parts += [re.escape(pattern[end : match.start()]), _GLOBS[match[0]]]
        end = match.end()
    return re.compile("".join([*parts, re.escape(pattern[end:])]), re.DOTALL)
