"""Versions of entries as JSON: how an engine keeps what folding gave."""

from __future__ import annotations

from quoth.core.ids import DeviceId, EntryId, OperationId
from quoth.core.ledger._json import Reader
from quoth.core.ledger._statement import citation, citation_json, statement, statement_json
from quoth.core.ledger.clock import Hybrid
from quoth.core.ledger.entries import EntryVersion
from quoth.core.ledger.values import Epistemic
from quoth.core.model import Json


def version_json(version: EntryVersion) -> Json:
    fields: dict[str, Json] = {
        "id": version.id,
        "root": version.root,
        "supersedes": version.supersedes,
        "depth": version.depth,
        "operation": version.operation,
        "ms": version.time.ms,
        "step": version.time.step,
        "device": version.device,
        "actor": version.actor,
        "reason": version.reason,
        "statement": statement_json(version.statement) if version.statement else None,
        "cites": [citation_json(cited) for cited in version.cites],
        "negated": version.negated,
        "epistemic": version.epistemic.value if version.epistemic else None,
        "judgements": sorted(version.judgements),
    }
    return {name: value for name, value in fields.items() if value is not None}


def version(source: Json) -> EntryVersion:
    """Read what `version_json` wrote.

    Raises:
        ValueError: it is something else.
    """
    read = Reader(source)
    superseded = read.maybe("supersedes", read.text)
    said = read.inner("statement")
    return EntryVersion(
        id=EntryId(read.text("id")),
        root=EntryId(read.text("root")),
        supersedes=EntryId(superseded) if superseded else None,
        depth=read.whole("depth"),
        operation=OperationId(read.text("operation")),
        time=Hybrid(read.whole("ms"), read.whole("step")),
        device=DeviceId(read.text("device")),
        actor=read.text("actor"),
        reason=read.maybe("reason", read.text),
        statement=statement(said) if said else None,
        cites=tuple(map(citation, read.array("cites"))),
        negated=read.flag("negated"),
        epistemic=Epistemic(read.text("epistemic")) if read.maybe("epistemic", read.text) else None,
        judgements=frozenset(map(OperationId, read.texts("judgements"))),
    )
