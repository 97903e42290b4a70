"""The lines of an export: JSON that another home, another program and another year can read.

The first line is the header, then one line a thing, in an order in which they can be written again:

    {"record": "header", "quoth": "export", "format": 2, "made_at": ms, "key": hex, "entries": n, "versions": n}
    {"record": "project", "project", "name", "owner"}    what a project is called where the export was made
    {"record": "version", "entry", "root", "supersedes", "saw", "inherits", "actor", "reason", "written_at": ms,
     "negated", "epistemic", "statement": {…}, "citations": [{…}]}
    {"record": "root", "root", "scope", "tier"}          where they are not those of the current version
    {"record": "relation", "relation", "entry", "root", "other", "other_root"}

Of a version whose words were destroyed only its place is told: it has no `statement`. `epistemic` stands where one was
confirmed or demoted. `key` recognises the key of the person's devices without giving it away: only under that key the
marks of quotes can be proved. No folder of a machine is told. Format 1 had no projects. Never change a meaning; raise
the format.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TypeAlias

from quoth.core.errors import InvalidArgument, NewerFormat
from quoth.core.ids import EntryId, ProjectId, id_bits
from quoth.core.ledger._json import Reader, write
from quoth.core.ledger._statement import citation, citation_json, scope, scope_json, statement, statement_json
from quoth.core.ledger.entries import Relation
from quoth.core.ledger.marks import fingerprint
from quoth.core.ledger.values import Citation, Epistemic, Scope, Statement, Tier
from quoth.core.model import Json, Named
from quoth.core.owners import owner

FORMAT = 2

_LONGEST_ID, _LONGEST_NAME = 2_000, 200
_PROJECT = re.compile(r"(?:dir|commit):[0-9a-f]+|git:[^/@]+/.+")  # an `@` before the path may end a password


@dataclass(frozen=True, slots=True)
class Header:
    made_at: int
    key: str
    entries: int
    versions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version with its own citations, inherited ones excepted. `negated` and `epistemic` were judged later,
    `statement` is None where the words were destroyed."""

    entry: EntryId
    root: EntryId
    supersedes: EntryId | None
    saw: tuple[EntryId, ...]
    inherits: bool
    actor: str
    reason: str
    written_at: int
    statement: Statement | None
    citations: tuple[Citation, ...]
    negated: bool = False
    epistemic: Epistemic | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a root applies and how long it is kept, where that was changed after it was written."""

    root: EntryId
    scope: Scope | None
    tier: Tier | None


Exported: TypeAlias = Header | Named | Version | Placed | Relation


def key_mark(key: bytes) -> str:
    """Recognise the key of the person's devices."""
    return fingerprint(key, "quoth export").hex()


def line(exported: Exported) -> str:
    return write(_fields(exported)).decode("utf-8")


def read_header(source: str) -> Header | None:
    """Read the first line of an export; None when it is no export's.

    Raises:
        NewerFormat: a newer program wrote it.
        ValueError: it is ours and can't be read.
    """
    try:
        read = Reader(json.loads(source))
    except (ValueError, RecursionError):
        return None
    if read.maybe("quoth", lambda name: name) is None:
        return None
    if read.text("quoth") != "export":
        return None
    if read.whole("format") > FORMAT:
        raise NewerFormat("export", read.whole("format"), FORMAT)
    return Header(read.whole("made_at"), read.text("key"), read.whole("entries"), read.whole("versions"))


def is_tellable(told: Named) -> bool:
    """Tell whether a project is one that every home can take in: the id of a place, names that can be shown."""
    names = [told.name, *([] if told.owner is None else [told.owner])]
    is_id = len(told.project) <= _LONGEST_ID and told.project.isprintable() and _PROJECT.fullmatch(told.project)
    return bool(is_id) and all(0 < len(name) <= _LONGEST_NAME and name.isprintable() for name in names)


def read_line(source: str) -> Named | Version | Placed | Relation:
    """Read a line behind the header.

    Raises:
        ValueError: it can't be read; the sentence holds no words of it.
    """
    try:
        read = Reader(json.loads(source))
        match read.text("record"):
            case "project":
                return _project(read)
            case "version":
                return _version(read)
            case "root":
                return _placed(read)
            case "relation":
                return _relation(read)
    except (LookupError, RecursionError) as error:
        raise ValueError("it can't be read") from error
    raise ValueError("it is no record that this program knows")


def _fields(exported: Exported) -> dict[str, Json]:
    match exported:
        case Header():
            return {
                "record": "header",
                "quoth": "export",
                "format": FORMAT,
                "made_at": exported.made_at,
                "key": exported.key,
                "entries": exported.entries,
                "versions": exported.versions,
            }
        case Named():
            return {
                "record": "project",
                "project": exported.project,
                "name": exported.name,
                "owner": exported.owner,
            }
        case Version():
            return _version_json(exported)
        case Placed():
            return {
                "record": "root",
                "root": exported.root,
                "scope": scope_json(exported.scope) if exported.scope is not None else None,
                "tier": exported.tier.value if exported.tier else None,
            }
        case Relation():
            return {
                "record": "relation",
                "relation": exported.relation,
                "entry": exported.entry,
                "root": exported.root,
                "other": exported.other,
                "other_root": exported.other_root,
            }


def _version_json(version: Version) -> dict[str, Json]:
    return {
        "record": "version",
        "entry": version.entry,
        "root": version.root,
        "supersedes": version.supersedes,
        "saw": list(version.saw),
        "inherits": version.inherits,
        "actor": version.actor,
        "reason": version.reason or None,
        "written_at": version.written_at,
        "negated": version.negated or None,
        "epistemic": version.epistemic.value if version.epistemic else None,
        "statement": statement_json(version.statement) if version.statement else None,
        "citations": [citation_json(each) for each in version.citations],
    }


def _version(read: Reader) -> Version:
    found = Version(
        entry=_entry(read.text("entry")),
        root=_entry(read.text("root")),
        supersedes=read.maybe("supersedes", lambda name: _entry(read.text(name))),
        saw=tuple(map(_entry, read.texts("saw"))),
        inherits=read.flag("inherits"),
        actor=read.text("actor"),
        reason=read.maybe("reason", read.text) or "",
        written_at=read.whole("written_at"),
        statement=read.maybe("statement", lambda name: _bounded(statement(read.inner(name)))),
        citations=tuple(map(citation, read.array("citations"))),
        negated=read.flag("negated"),
        epistemic=read.maybe("epistemic", lambda name: read.word(name, Epistemic)),
    )
    if (found.supersedes is None) != (found.root == found.entry):
        raise ValueError("a first version is its own root; a later one names its root and what it supersedes")
    return found


def _bounded(said: Statement) -> Statement:
    """Return a statement whose owner is spelled as everywhere."""
    for name, share in (("confidence", said.confidence), ("importance", said.importance)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is not between 0 and 1")
    try:
        return replace(said, agent=owner(said.agent))
    except InvalidArgument as error:
        raise ValueError("its agent is neither `global` nor `agent:<name>`") from error


def _project(read: Reader) -> Named:
    told = Named(ProjectId(read.text("project")), read.text("name"), read.maybe("owner", read.text))
    if not is_tellable(told):
        raise ValueError("a project has an id that begins with git:, commit: or dir:, and a printable name")
    return told


def _placed(read: Reader) -> Placed:
    place = read.maybe("scope", read.inner)
    tier = read.maybe("tier", lambda name: read.word(name, Tier))
    return Placed(_entry(read.text("root")), scope(place) if place is not None else None, tier)


def _relation(read: Reader) -> Relation:
    entry, root, other, other_root = (_entry(read.text(name)) for name in ("entry", "root", "other", "other_root"))
    return Relation(read.text("relation"), entry, root, other, other_root)


def _entry(text: str) -> EntryId:
    """Read an id as it is written inside: nothing else may become one."""
    entry = EntryId(text)
    if text != f"ent_{id_bits(entry).hex()}":
        raise ValueError("an entry's id is `ent_` and 32 hexadecimal digits")
    return entry
