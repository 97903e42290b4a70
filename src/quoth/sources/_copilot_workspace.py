"""Read `workspace.yaml`: a flat list of `key: value` lines that says what a session is called and where it is.

Its writer uses only what is read here of YAML: plain, quoted and block texts; nothing nests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from quoth.core.ids import SessionId
from quoth.core.model import Fact, Json, Line, Opened, Titled, Unread
from quoth.sources._copilot_parser import TITLE_WEIGHT

_ENTRY = re.compile(r"([A-Za-z_][\w-]*):(?:\s+(.*))?")
_BLOCK = re.compile(r"[|>][+-]?\d?")
_COMMENT = re.compile(r"\s+#.*")
_WEIGHTS = {"name": TITLE_WEIGHT + 2, "summary": TITLE_WEIGHT + 1}  # older versions have only a summary
_NOTHING = frozenset({"", "null", "~"})
_TITLE_LENGTH = 1_000


class WorkspaceParser:
    """Remembers the key whose text begins on the next line."""

    def __init__(self, session: str, state: Json = None) -> None:
        self._session = SessionId(session)
        self._open = state if isinstance(state, str) else ""

    def state(self) -> Json:
        return self._open

    def feed(self, line: Line) -> Iterator[Fact]:
        written = line.data.decode("utf-8", "replace").strip("\r\0\ufeff")
        if not written.strip():
            return
        if written[0].isspace():
            key, self._open = self._open, ""
            yield from self._said(key, written.strip(), line.number)
        elif match := _ENTRY.fullmatch(written.rstrip()):
            value = match[2] or ""
            self._open = match[1] if _BLOCK.fullmatch(value) else ""
            yield from self._said(match[1], "" if self._open else _plain(value), line.number)
        elif written.startswith(("#", "---")):
            yield Opened(self._session)
        else:
            yield Unread(line.number, "unparsable", "workspace.yaml")

    def _said(self, key: str, value: str, number: int) -> Iterator[Fact]:
        yield Opened(self._session, cwd=value if key == "cwd" and value not in _NOTHING else None)
        title = " ".join(value.split())[:_TITLE_LENGTH]
        if key in _WEIGHTS and title not in _NOTHING:
            yield Titled(self._session, title, _WEIGHTS[key], number)


def _plain(value: str) -> str:
    """Return a text without its quotes or its comment; one whose quotes do not end is taken as it is."""
    match value[:1]:
        case "'" if "'" in value[1:]:
            return value[1 : value.rindex("'")].replace("''", "'")
        case '"' if '"' in value[1:]:
            return _unescaped(value[: value.rindex('"') + 1])
        case "'" | '"':
            return value[1:]
    return _COMMENT.sub("", value)


def _unescaped(quoted: str) -> str:
    try:
        said = json.loads(quoted, strict=False)
    except ValueError:
        said = quoted[1:-1]
    return said.encode("utf-8", "replace").decode() if isinstance(said, str) else quoted
