"""Operations as bytes: what a row binds for ever, and the payload that may be destroyed.

Both are canonical JSON objects whose `v` is the format. What a row binds is hashed as it stands, so a later format may
add fields and never rewrites a row. Ids and verdicts are bound; words are payload.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from quoth.core.errors import LedgerDamaged, NewerFormat
from quoth.core.ids import EntryId, EventId, OperationId
from quoth.core.ledger._json import Reader, write
from quoth.core.ledger._statement import (
    anchor,
    anchor_json,
    citation,
    citation_json,
    scope,
    scope_json,
    statement,
    statement_json,
)
from quoth.core.ledger.chain import Payload, Record
from quoth.core.ledger.operations import (
    Assert,
    Body,
    Cite,
    Destroy,
    Draft,
    Forget,
    Header,
    Judge,
    Move,
    Operation,
    Promote,
    Relate,
    Restore,
    Verdict,
)
from quoth.core.ledger.values import Citation, Epistemic, StoredAnchor, Tier
from quoth.core.model import Json

FORMAT = 1

_NAMES: Mapping[type[Body], str] = {
    Assert: "assert",
    Cite: "cite",
    Judge: "judge",
    Forget: "forget",
    Restore: "restore",
    Destroy: "destroy",
    Move: "move",
    Promote: "promote",
    Relate: "relate",
}

_BOUND: Mapping[type[Body], tuple[str, ...]] = {
    Assert: ("entry", "root", "supersedes", "saw", "events", "inherits"),
    Cite: ("entry", "root", "events"),
    Judge: ("verdict", "entry", "root", "epistemic", "saw"),
    Forget: ("entries", "events", "cited"),
    Restore: ("tombstone", "entries", "events"),
    Destroy: ("entries", "events", "operations"),
    Move: ("root", "saw"),
    Promote: ("root", "tier"),
    Relate: ("entry", "root", "other", "other_root"),
}


def kind_of(body: Body) -> str:
    return _NAMES[type(body)]


def encode(draft: Draft) -> tuple[bytes, bytes]:
    """Return what an operation binds and the data of its payload.

    Raises:
        ValueError: a number is not finite, or a text holds half a surrogate pair.
    """
    reason = draft.reason or None
    return (
        write({"v": FORMAT, **_bound(draft.body)}),
        write({"v": FORMAT, "reason": reason, **_content(draft.body)}),
    )


def decode(record: Record, payload: Payload | None) -> Operation:
    """Read an operation; without its payload it has only what it binds.

    Raises:
        NewerFormat: a newer program wrote it.
        LedgerDamaged: it can't be read.
    """
    try:
        bound, content = _versioned(record.bound), _versioned(payload.data if payload else None)
        body = _body(record.kind, bound, content)
        reason = (content.maybe("reason", content.text) or "") if payload else None
    except (ValueError, LookupError, RecursionError) as error:
        raise LedgerDamaged(record.id, type(error).__name__) from error
    return Operation(_header(record, reason), body)


def _header(record: Record, reason: str | None) -> Header:
    return Header(
        id=record.id,
        device=record.device,
        sequence=record.sequence,
        time=record.time,
        actor=record.actor,
        reason=reason,
        commitment=record.commitment,
        previous=record.previous,
        hash=record.hash,
    )


def _versioned(source: bytes | None) -> Reader:
    read = Reader(source if source is not None else {"v": FORMAT})
    if read.whole("v") > FORMAT:
        raise NewerFormat("ledger", read.whole("v"), FORMAT)
    return read


def _bound(body: Body) -> Mapping[str, Json]:
    return {name: _plain(getattr(body, name)) for name in _BOUND[type(body)]}


def _plain(value: str | bool | tuple[str, ...] | None) -> Json:
    return list(value) if isinstance(value, tuple) else value


def _content(body: Body) -> Mapping[str, Json]:
    match body:
        case Assert():
            said = statement_json(body.statement) if body.statement else None
            return {"statement": said, "citations": _citations_json(body.citations)}
        case Cite():
            return {"citations": _citations_json(body.citations)}
        case Forget() | Destroy():
            anchors = [[event, anchor_json(place)] for event, place in body.anchors]
            return {"fingerprints": [mark.hex() for mark in body.fingerprints], "anchors": anchors or None}
        case Move():
            return {"scope": scope_json(body.scope) if body.scope is not None else None}
        case Relate():
            return {"relation": body.relation}
        case Judge() | Restore() | Promote():
            return {}


def _body(kind: str, bound: Reader, content: Reader) -> Body:
    return _READERS[kind](bound, content)


def _assert(bound: Reader, content: Reader) -> Assert:
    said = content.maybe("statement", content.inner)
    return Assert(
        entry=EntryId(bound.text("entry")),
        root=EntryId(bound.text("root")),
        supersedes=_maybe_entry(bound, "supersedes"),
        saw=_entries(bound.texts("saw")),
        events=_events(bound),
        inherits=bound.flag("inherits"),
        statement=statement(said) if said is not None else None,
        citations=_citations(content),
    )


def _cite(bound: Reader, content: Reader) -> Cite:
    return Cite(EntryId(bound.text("entry")), EntryId(bound.text("root")), _events(bound), _citations(content))


def _judge(bound: Reader, content: Reader) -> Judge:
    return Judge(
        bound.word("verdict", Verdict),
        EntryId(bound.text("entry")),
        EntryId(bound.text("root")),
        bound.maybe("epistemic", lambda name: bound.word(name, Epistemic)),
        _operations(bound, "saw"),
    )


def _forget(bound: Reader, content: Reader) -> Forget:
    return Forget(
        _entries(bound.texts("entries")),
        _events(bound),
        bound.flag("cited"),
        _fingerprints(content),
        _anchors(content),
    )


def _restore(bound: Reader, content: Reader) -> Restore:
    return Restore(OperationId(bound.text("tombstone")), _entries(bound.texts("entries")), _events(bound))


def _destroy(bound: Reader, content: Reader) -> Destroy:
    return Destroy(
        _entries(bound.texts("entries")),
        _events(bound),
        _operations(bound, "operations"),
        _fingerprints(content),
        _anchors(content),
    )


def _move(bound: Reader, content: Reader) -> Move:
    place = content.maybe("scope", content.inner)
    return Move(EntryId(bound.text("root")), scope(place) if place is not None else None, _operations(bound, "saw"))


def _promote(bound: Reader, content: Reader) -> Promote:
    return Promote(EntryId(bound.text("root")), bound.word("tier", Tier))


def _relate(bound: Reader, content: Reader) -> Relate:
    entry, root, other, other_root = (EntryId(bound.text(name)) for name in _BOUND[Relate])
    return Relate(entry, root, other, other_root, content.maybe("relation", content.text))


_READERS: Mapping[str, Callable[[Reader, Reader], Body]] = {
    "assert": _assert,
    "cite": _cite,
    "judge": _judge,
    "forget": _forget,
    "restore": _restore,
    "destroy": _destroy,
    "move": _move,
    "promote": _promote,
    "relate": _relate,
}


def _entries(ids: Iterable[str]) -> tuple[EntryId, ...]:
    return tuple(map(EntryId, ids))


def _maybe_entry(read: Reader, name: str) -> EntryId | None:
    found = read.maybe(name, read.text)
    return EntryId(found) if found is not None else None


def _events(read: Reader) -> tuple[EventId, ...]:
    return tuple(map(EventId, read.texts("events")))


def _operations(read: Reader, name: str) -> tuple[OperationId, ...]:
    return tuple(map(OperationId, read.texts(name)))


def _fingerprints(read: Reader) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, read.texts("fingerprints")))


def _anchors(read: Reader) -> tuple[tuple[EventId, StoredAnchor], ...]:
    return tuple(map(_anchored, read.array("anchors")))


def _anchored(pair: Json) -> tuple[EventId, StoredAnchor]:
    match pair:
        case [str(event), place]:
            return EventId(event), anchor(place)
    raise ValueError("an anchor is a pair of an event and a place")


def _citations_json(citations: Iterable[Citation]) -> Json:
    return [citation_json(each) for each in citations]


def _citations(read: Reader) -> tuple[Citation, ...]:
    return tuple(map(citation, read.array("citations")))
