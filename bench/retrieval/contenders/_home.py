"""A home of Quoth with the texts of a group in it: turns in logs that are ingested, statements as entries."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import orjson

from bench import subject
from bench.retrieval.sets import Doc
from quoth.core.ids import EntryId, entry_id
from quoth.core.ledger import exported
from quoth.core.ledger.values import EntryKind, Scope, Statement
from quoth.core.memory import Spot
from quoth.core.speaker import Speaker
from quoth.services.recall import Recall
from quoth.wiring import Kernel

_BEGUN = 1_767_225_600_000  # 2026-01-01, for texts without a time
_STEP = 10_000  # milliseconds between turns that are said to have one time
_KNOWLEDGE = {"fact", "constraint", "entity", "tool", "lesson", "experience"}
_COGNITION = {"preference", "rule", "skill", "profile", "identity", "soul"}
_BY = Speaker("bench")
_VERSION = "2.1.270"


@dataclass
class Home:
    """`names` gives the text behind an entry's or an event's id."""

    folder: Path
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = subject.Store(self.folder / "logs", self.folder / "home")
        self._opened = self.store.open()
        self.kernel = self._opened.__enter__()
        self.recall: Recall = self.kernel.recall

    def remember(self, docs: Sequence[Doc]) -> None:
        """Write texts as entries through an export, which is one write however many they are."""
        if not docs:
            return
        file = self.folder / "memory.jsonl"
        file.write_text("\n".join(_export(self.kernel, docs)) + "\n", encoding="utf-8")
        self.kernel.importing.run(file, by=_BY, format="quoth")
        self.names |= {_entry(doc.id): doc.id for doc in docs}

    def ingest(self, docs: Sequence[Doc]) -> None:
        """Write turns as sessions of Claude Code and read them in."""
        sessions: dict[str, list[Doc]] = defaultdict(list)
        for doc in docs:
            sessions[doc.session or ""].append(doc)
        for name, turns in sessions.items():
            _write_session(self.store.logs / "claude" / "projects", name, turns)
        self.kernel.ingest.run(subject.Silent())
        said = {_uuid(doc): doc.id for doc in docs}
        for event in subject.events(self.kernel.index):
            if (uuid := _uuid_in(event.id)) in said:
                self.names[event.id] = said[uuid]

    def spot(self, project: str | None) -> Spot | None:
        """Return the place where a question is asked."""
        return self.kernel.spots.of(cwd=_cwd(project)) if project else None

    def close(self) -> None:
        self._opened.__exit__(None, None, None)


def _export(kernel: Kernel, docs: Sequence[Doc]) -> Iterator[str]:
    roots: dict[str, str] = {}
    for doc in docs:
        roots[doc.id] = roots.get(doc.replaces, doc.replaces) if doc.replaces else doc.id
    yield exported.line(
        exported.Header(_BEGUN, exported.key_mark(kernel.memory.key()), len({*roots.values()}), len(docs))
    )
    scopes: dict[str | None, Scope] = {}
    for place, doc in enumerate(docs):
        if doc.project not in scopes:
            scopes[doc.project] = _scope(kernel, doc.project)
        before = _entry(doc.replaces) if doc.replaces else None
        written = _ms(doc.time) + place
        yield exported.line(
            exported.Version(
                entry=_entry(doc.id),
                root=_entry(roots[doc.id]),
                supersedes=before,
                saw=(before,) if before else (),
                inherits=False,
                actor="bench@bench",
                reason="",
                written_at=written,
                statement=_statement(doc, written, scopes[doc.project]),
                citations=(),
            )
        )


def _statement(doc: Doc, written: int, scope: Scope) -> Statement:
    type_ = doc.kind or "note"
    return Statement(
        text=doc.shown,
        kind=_kind(type_),
        type=type_,
        created_at=written,
        author=f"{doc.agent or 'bench'}@bench",
        scope=scope,
        uncited="a text of the bench",
    )


def _kind(type_: str) -> EntryKind:
    if type_ in _KNOWLEDGE:
        return EntryKind.KNOWLEDGE
    return EntryKind.COGNITION if type_ in _COGNITION else EntryKind.MEMORY


def _scope(kernel: Kernel, project: str | None) -> Scope:
    if project is None:
        return kernel.placing.scope(level="tenant")
    return kernel.placing.scope(cwd=_cwd(project))


def _write_session(folder: Path, name: str, turns: Sequence[Doc]) -> None:
    cwd = _cwd(turns[0].project)
    session = str(uuid5(NAMESPACE_URL, name))
    path = folder / "-bench" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    now, lines = 0, []
    for turn in turns:
        now = max(_ms(turn.time), now + _STEP)
        lines += [{**record, **_frame(session, cwd, now)} for record in _records(turn)]
    path.write_bytes(b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines))
    os.utime(path, (now / 1000, now / 1000))


def _records(turn: Doc) -> Iterator[Mapping[str, object]]:
    uuid = _uuid(turn)
    if turn.speaker == "tool":
        call = {"type": "tool_use", "id": f"toolu_{uuid}", "name": "Bash", "input": {"command": "true"}}
        yield _said("assistant", str(uuid5(NAMESPACE_URL, uuid)), [call])
        result = {"tool_use_id": f"toolu_{uuid}", "type": "tool_result", "content": turn.text}
        yield _said("user", uuid, [result])
    elif turn.speaker == "assistant":
        yield _said("assistant", uuid, [{"type": "text", "text": turn.shown}])
    else:
        yield _said("user", uuid, turn.shown, origin={"kind": "human"}, promptSource="typed")


def _said(role: str, uuid: str, content: object, **more: object) -> Mapping[str, object]:
    message = {
        "role": role,
        "content": content,
        **({"model": "bench", "id": f"msg_{uuid}"} if role == "assistant" else {}),
    }
    return {"type": role, "uuid": uuid, "parentUuid": None, "isSidechain": False, "message": message, **more}


def _frame(session: str, cwd: str, now: int) -> Mapping[str, object]:
    time = datetime.fromtimestamp(now / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"sessionId": session, "cwd": cwd, "timestamp": time, "version": _VERSION, "gitBranch": "main"}


def _cwd(project: str | None) -> str:
    return f"/home/dev/{project or 'bench'}"


def _uuid(doc: Doc) -> str:
    return str(uuid5(NAMESPACE_URL, f"turn {doc.session} {doc.id}"))


def _uuid_in(event: str) -> str:
    return event.partition(":")[2].removeprefix("toolu_").partition("#")[0]


def _entry(name: str) -> EntryId:
    return entry_id(sha256(name.encode()).digest()[:16])


def _ms(time: str | None) -> int:
    if not time:
        return _BEGUN
    try:
        moment = datetime.fromisoformat(time)
    except ValueError:
        return _BEGUN
    return int(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() * 1000)
