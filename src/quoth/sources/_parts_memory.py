"""What a parser of sessions, messages and parts remembers from one row to the next, and how it is kept as JSON."""

from __future__ import annotations

from dataclasses import dataclass, fields

from quoth.core.model import Json, Role
from quoth.sources._parts_words import Speaker
from quoth.sources._values import Record, number, text


@dataclass(frozen=True, slots=True)
class Head:
    """The session that rows belong to."""

    session: str = ""
    directory: str = ""
    version: str = ""
    is_child: bool = False


@dataclass(slots=True)
class Owner:
    """The message that parts belong to. `blocks` and `texts` count what was told of it, by which parts are named."""

    message: str = ""
    session: str = ""
    by: Speaker = Speaker.PROGRAM
    role: Role = Role.SYSTEM
    cwd: str = ""
    time: int | None = None
    is_copy: bool = False
    blocks: int = 0
    texts: int = 0


def json_of(value: Head | Owner) -> Json:
    return {each.name: getattr(value, each.name) for each in fields(value)}


def head_of(memory: Record) -> Head:
    return Head(
        text(memory, "session"), text(memory, "directory"), text(memory, "version"), memory.get("is_child") is True
    )


def owner_of(memory: Record) -> Owner:
    by, role = text(memory, "by"), text(memory, "role")
    return Owner(
        text(memory, "message"),
        text(memory, "session"),
        Speaker(by) if by in set(Speaker) else Speaker.PROGRAM,
        Role(role) if role in set(Role) else Role.SYSTEM,
        text(memory, "cwd"),
        number(memory, "time"),
        memory.get("is_copy") is True,
        number(memory, "blocks") or 0,
        number(memory, "texts") or 0,
    )
