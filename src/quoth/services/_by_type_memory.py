"""Say our entries in the words of OpenViking: types, origins, addresses, and how one is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from quoth.core import neutral
from quoth.core._packing_summary import SUMMARY, first_sentences
from quoth.core.ledger.values import EntryKind, Scope, Statement
from quoth.core.memory import EntryRow
from quoth.core.names import portable_part, root_name
from quoth.core.packing import Mode, Shape
from quoth.core.times import local_iso
from quoth.core.types import Types
from quoth.services._placing import project_of

ORIGINS: Mapping[str, str] = {
    "actor_peer": "## Current Project Memory",
    "self": "## Global Memory",
    "other_peer": "## Other Projects Memory",
}
"""Where a memory comes from, seen from the caller, with its heading, in their order."""

_HOME: Mapping[str, str] = {
    "event": "events",
    "entity": "entities",
    "preference": "preferences",
    "experience": "experiences",
}
_OF: Mapping[str, str] = {
    **_HOME,
    **dict.fromkeys(("decision", "handoff", "note"), "events"),
    **dict.fromkeys(("fact", "constraint"), "entities"),
    "rule": "preferences",
    "lesson": "experiences",
}
_OF_KIND = {EntryKind.MEMORY: "events", EntryKind.KNOWLEDGE: "entities", EntryKind.COGNITION: "preferences"}
_NOT_RECALLED = frozenset({"profile", "identity", "soul", "case", "trajectory", "tool", "skill"})

_LONG_EVENT = 600  # characters of an event above which its summary is shown, never the whole (OV-20)
_NAME = 400  # characters of a name that are looked at
_TAIL = 12  # digits of an id in an address: eight are not enough for a hundred thousand entries
_OURS = re.compile(r"[\s>*+.)\d-]*(?:[#\uff03\ufe5f]|[\[\uff3b\u3010]\s*\d+\s*[\]\uff3d\u3011])|[=_*\s-]+$")


def types_of(type_: str, types: Types) -> Sequence[str]:
    """Return our types that a type of OpenViking stands for."""
    return [ours.name for ours in types if _type_of(ours.name, ours.kind) == type_]


def type_of(said: Statement) -> str | None:
    """Return the type that an entry is recalled as; None is never recalled."""
    return _type_of(said.type, said.kind)


def _type_of(name: str, kind: EntryKind) -> str | None:
    """Tell a type by its name, one of a deployment's own by its kind."""
    return None if name in _NOT_RECALLED else _OF.get(name, _OF_KIND[kind])


def origin_of(scope: Scope, actor: str | None) -> str:
    """Return where a memory comes from: what belongs to no repository is the person's own."""
    project = project_of(scope)
    if project is None:
        return "self"
    return "actor_peer" if project == actor else "other_peer"


def peer_of(repository: str) -> str:
    """Spell a repository as a peer: one safe part of an address, another one for every repository (OV-16)."""
    kind, _, rest = repository.partition(":")
    if kind in {"dir", "commit"}:
        return f"{kind}-{rest[:_TAIL]}"
    return _segment(root_name(neutral.one_line(repository)))


def root_of(user: str, repository: str | None) -> str:
    """Return the address below which the memories of a repository are, else those that are the person's own."""
    home = f"viking://user/{_segment(portable_part(neutral.one_line(user)))}"
    return f"{home}/peers/{peer_of(repository)}/memories" if repository else f"{home}/memories"


def address_of(row: EntryRow, said: Statement, *, user: str, origin: str) -> str:
    """Return the address of an entry (OV-1). A name that need not be unique there is ended by digits of its id."""
    type_ = type_of(said) or said.type
    digits = row.root.partition("_")[2]
    name = neutral.one_line(row.name[:_NAME]) if row.name else ""
    scope = row.scope
    is_unique = _HOME.get(said.type) == type_ and not scope.branch and bool(scope.workspace) == bool(scope.repository)
    if not name:
        name = f"ent_{digits[-_TAIL:]}"
    elif not is_unique or (origin == "self" and scope.repository):
        name = f"{name}-{digits[-_TAIL:]}"
    root = root_of(user, None if origin == "self" else scope.repository)
    return f"{root}/{type_}/{_segment(portable_part(name))}.md"


def shapes_of(
    row: EntryRow, said: Statement, lead: Callable[[], str], *, is_outdated: bool
) -> tuple[Mapping[Mode, Shape], Callable[[Mode], str]]:
    """Return the ways to show an entry behind its address and score, and what says its body alone."""
    notes = [*_dates(row, said), *(["possibly outdated"] if is_outdated else [])]
    note = [f"({'; '.join(notes)})"] if notes else []
    bodies: dict[Mode, Callable[[], list[str]]] = {
        Mode.FULL: partial(_whole, said),
        Mode.SUMMARY: partial(_short, said),
        Mode.REFERENCE: list,
    }
    if _is_long_event(said):
        del bodies[Mode.FULL]
    elif not _stored(said) and len(said.text) <= SUMMARY:
        del bodies[Mode.SUMMARY]
    made: dict[Mode, str] = {}

    def make(mode: Mode) -> str:
        made[mode] = "\n".join((*note, *bodies[mode]()))
        return "\n".join(filter(None, (lead(), made[mode])))

    words = {Mode.FULL: said.text, Mode.SUMMARY: (_stored(said) or said.text)[:SUMMARY], Mode.REFERENCE: ""}
    return {mode: Shape(words[mode], partial(make, mode)) for mode in bodies}, made.__getitem__


def _is_long_event(said: Statement) -> bool:
    return type_of(said) == "events" and len(said.text) > _LONG_EVENT


def _dates(row: EntryRow, said: Statement) -> Sequence[str]:
    """Return the day that an event tells of and the one on which it was recorded (OV-20)."""
    if type_of(said) != "events":
        return ()
    recorded = local_iso(row.version.created_at)[:10]
    return (
        (f"recorded {recorded}",)
        if said.event_time is None
        else (local_iso(said.event_time)[:10], f"recorded {recorded}")
    )


def _stored(said: Statement) -> str:
    summary = said.fields.get("summary")
    return summary if isinstance(summary, str) and summary.strip() else ""


def _whole(said: Statement) -> list[str]:
    return [_guarded(line) for line in neutral.lines(said.text)]


def _short(said: Statement) -> list[str]:
    if stored := _stored(said):
        return [_guarded(neutral.one_line(first_sentences(stored, SUMMARY)))]
    return [_guarded(f"{neutral.one_line(first_sentences(said.text, SUMMARY))} (extractive)")]


def _guarded(line: str) -> str:
    """Mark a line that could pass for a heading, its underline, or the beginning of an entry."""
    return f"> {line}" if _OURS.match(line) else line


def _segment(name: str) -> str:
    """Return a part of an address: white space and what ends an address would let words pass for ours."""
    return re.sub(r"[\s/()\[\]#]", lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), name)
