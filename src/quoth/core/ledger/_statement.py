"""Statements and citations as JSON."""

from __future__ import annotations

from quoth.core.ids import DeviceId, EventId, SourceId
from quoth.core.ledger._json import Reader
from quoth.core.ledger.values import (
    Approval,
    Attribution,
    Citation,
    EntryKind,
    Epistemic,
    Polarity,
    Scope,
    Statement,
    StoredAnchor,
    Tier,
)
from quoth.core.model import Json


def statement_json(said: Statement) -> Json:
    return _present(
        text=said.text,
        kind=said.kind.value,
        type=said.type,
        created_at=said.created_at,
        author=said.author,
        name=said.name,
        tags=list(said.tags),
        fields=dict(said.fields),
        confidence=float(said.confidence),
        epistemic=said.epistemic.value,
        polarity=said.polarity.value,
        importance=float(said.importance),
        scope=scope_json(said.scope),
        agent=said.agent,
        valid_from=said.valid_from,
        valid_to=said.valid_to,
        event_time=said.event_time,
        attribution=said.attribution.value,
        imported=said.imported,
        approval=_approval_json(said.approval),
        tier=said.tier.value,
        uncited=said.uncited,
        branch=said.branch or None,
    )


def statement(source: Json) -> Statement:
    read = Reader(source)
    return Statement(
        text=read.text("text"),
        kind=read.word("kind", EntryKind),
        type=read.text("type"),
        created_at=read.whole("created_at"),
        author=read.text("author"),
        name=read.maybe("name", read.text),
        tags=read.texts("tags"),
        fields=read.inner("fields"),
        confidence=read.real("confidence"),
        epistemic=read.word("epistemic", Epistemic),
        polarity=read.word("polarity", Polarity),
        importance=read.real("importance"),
        scope=scope(read.inner("scope")),
        agent=read.text("agent"),
        valid_from=read.maybe("valid_from", read.whole),
        valid_to=read.maybe("valid_to", read.whole),
        event_time=read.maybe("event_time", read.whole),
        attribution=read.word("attribution", Attribution),
        imported=read.flag("imported"),
        approval=_approval(read),
        tier=read.word("tier", Tier),
        uncited=read.maybe("uncited", read.text),
        branch=read.maybe("branch", read.text) or "",
    )


def scope_json(place: Scope) -> Json:
    parts = {
        "tenant": place.tenant,
        "workspace": place.workspace,
        "repository": place.repository,
        "branch": place.branch,
    }
    return {name: part for name, part in parts.items() if part}


def scope(source: Json) -> Scope:
    read = Reader(source)
    names = ("tenant", "workspace", "repository", "branch")
    return Scope(*(read.maybe(name, read.text) or "" for name in names))


def citation_json(cited: Citation) -> Json:
    return _present(
        event=cited.event,
        quote=cited.quote,
        span=list(cited.span) if cited.span else None,
        mark=cited.mark.hex() if cited.mark else None,
        anchor=anchor_json(cited.anchor) if cited.anchor else None,
    )


def citation(source: Json) -> Citation:
    read = Reader(source)
    return Citation(
        EventId(read.text("event")),
        read.maybe("quote", read.text),
        _span(read),
        read.maybe("mark", read.binary),
        anchor(stored) if (stored := read.inner("anchor")) else None,
    )


def _span(read: Reader) -> tuple[int, int] | None:
    match read.array("span"):
        case ():
            return None
        case (int(start), int(stop)):
            return start, stop
    raise ValueError("span is no pair of numbers")


def anchor_json(anchor: StoredAnchor) -> Json:
    return _present(
        device=anchor.device,
        source=anchor.source,
        stream=anchor.stream,
        generation=anchor.generation,
        first_line=anchor.first_line,
        last_line=anchor.last_line,
        sha256=anchor.sha256.hex(),
        part=anchor.part or None,
    )


def anchor(source: Json) -> StoredAnchor:
    read = Reader(source)
    return StoredAnchor(
        DeviceId(read.text("device")),
        SourceId(read.text("source")),
        read.text("stream"),
        read.whole("generation"),
        read.whole("first_line"),
        read.whole("last_line"),
        read.binary("sha256"),
        read.maybe("part", read.whole) or 0,
    )


def _approval_json(given: Approval | None) -> Json:
    return {"by": given.by, "how": given.how, "at": given.at} if given else None


def _approval(outer: Reader) -> Approval | None:
    if not (source := outer.inner("approval")):
        return None
    read = Reader(source)
    return Approval(read.text("by"), read.text("how"), read.whole("at"))


def _present(**fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value is not None}
