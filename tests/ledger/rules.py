"""The merge rules said once more, as questions to the whole set: slow, plain, and sharing no code with the merge.

Every function takes all operations and answers from the words of the rule. Used to check `core.ledger.merge`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quoth.core.ids import EntryId, EventId, OperationId
from quoth.core.ledger.operations import (
    Assert,
    Cite,
    Destroy,
    Forget,
    Judge,
    Move,
    Operation,
    Promote,
    Relate,
    Restore,
    Verdict,
)
from quoth.core.ledger.values import Epistemic, Tier

Answer = dict[str, object]


def describe(given: Sequence[Operation]) -> tuple[dict[EntryId, Answer], dict[EventId, tuple[bool, bool]]]:
    """Answer every question about every root and version, and about every event."""
    operations = list({each.id: each for each in given}.values())
    roots = {each.body.root for each in operations if isinstance(each.body, Assert)}
    names = shown(operations, roots)
    described = {root: {**about_root(operations, root), "name": names.get(root)} for root in roots}
    return described, {
        event: (True, is_hidden_itself(operations, event))
        for event in mentioned(operations)
        if is_hidden_event(operations, event)
    }


def about_root(operations: Sequence[Operation], root: EntryId) -> Answer:
    return {
        "current": current(operations, root),
        "heads": heads(operations, root),
        "hidden": is_hidden(operations, root),
        "destroyed": is_destroyed(operations, root),
        "quarantined": is_quarantined(operations, root),
        "sealed": any(judge.verdict is Verdict.SEAL for _, judge in judges(operations, root)),
        "scope": scope(operations, root),
        "tier": tier(operations, root),
        "relations": relations(operations, root),
        "versions": {version: about_version(operations, root, version) for version in versions(operations, root)},
    }


def about_version(operations: Sequence[Operation], root: EntryId, version: EntryId) -> Answer:
    asserted = versions(operations, root)[version]
    body = said(operations, asserted)
    newest = current(operations, root)
    return {
        "statement": body.statement if body else None,
        "depth": depth(operations, root, version),
        "superseded by": None if version == newest else newest,
        "concurrent": version in heads(operations, root) and version != newest,
        "negated": any(
            judge.verdict is Verdict.NEGATE and judge.entry == version for _, judge in judges(operations, root)
        ),
        "epistemic": epistemic(operations, root, version),
        "citations": citations(operations, root, version),
    }


def order(operation: Operation) -> tuple[object, ...]:
    return operation.header.time, operation.header.device, operation.id


# --- versions ---


def versions(operations: Sequence[Operation], root: EntryId) -> dict[EntryId, Operation]:
    """The version of an id is the first operation that asserted it."""
    found: dict[EntryId, Operation] = {}
    for each in sorted(operations, key=order, reverse=True):
        if isinstance(each.body, Assert) and each.body.root == root:
            found[each.body.entry] = each
    return found


def replaced(operations: Sequence[Operation], root: EntryId, version: EntryId) -> set[EntryId]:
    """What a version's writer knew and replaced, as far as it is here."""
    known = versions(operations, root)
    body = known[version].body
    assert isinstance(body, Assert)
    return {each for each in (*body.saw, body.supersedes) if each in known and each != version}


def heads(operations: Sequence[Operation], root: EntryId) -> set[EntryId]:
    known = versions(operations, root)
    return {head for head in known if not any(head in replaced(operations, root, other) for other in known)}


def depth(operations: Sequence[Operation], root: EntryId, version: EntryId) -> int:
    return max((1 + depth(operations, root, each) for each in replaced(operations, root, version)), default=0)


def current(operations: Sequence[Operation], root: EntryId) -> EntryId:
    known = versions(operations, root)
    return max(
        heads(operations, root),
        key=lambda head: (depth(operations, root, head), known[head].header.time, known[head].header.device),
    )


def said(operations: Sequence[Operation], asserted: Operation) -> Assert | None:
    """What a version says, unless its root, or this very operation, was destroyed."""
    assert isinstance(asserted.body, Assert)
    if is_destroyed(operations, asserted.body.root) or is_wiped(operations, asserted.id):
        return None
    return asserted.body


# --- forgetting ---


def is_restored(operations: Iterable[Operation], tombstone: OperationId) -> bool:
    return any(isinstance(each.body, Restore) and each.body.tombstone == tombstone for each in operations)


def tombstones(operations: Sequence[Operation]) -> list[Forget]:
    return [each.body for each in operations if isinstance(each.body, Forget) and not is_restored(operations, each.id)]


def is_destroyed(operations: Iterable[Operation], root: EntryId) -> bool:
    return any(isinstance(each.body, Destroy) and root in each.body.entries for each in operations)


def is_wiped(operations: Iterable[Operation], operation: OperationId) -> bool:
    return any(isinstance(each.body, Destroy) and operation in each.body.operations for each in operations)


def cites(operations: Iterable[Operation], root: EntryId) -> set[EventId]:
    """Every event that any version of a root cites, whatever became of the words."""
    bodies = (each.body for each in operations)
    return {event for body in bodies if isinstance(body, Assert | Cite) and body.root == root for event in body.events}


def is_hidden_itself(operations: Sequence[Operation], event: EventId) -> bool:
    """Whether an event was forgotten or destroyed by its own name: then it hides the entries that cite it."""
    destroyed = any(isinstance(each.body, Destroy) and event in each.body.events for each in operations)
    return destroyed or any(event in tombstone.events for tombstone in tombstones(operations))


def is_hidden_event(operations: Sequence[Operation], event: EventId) -> bool:
    through = (tombstone.entries for tombstone in tombstones(operations) if tombstone.cited)
    return is_hidden_itself(operations, event) or any(
        event in cites(operations, root) for entries in through for root in entries
    )


def is_hidden(operations: Sequence[Operation], root: EntryId) -> bool:
    return (
        is_destroyed(operations, root)
        or any(root in tombstone.entries for tombstone in tombstones(operations))
        or any(is_hidden_itself(operations, event) for event in cites(operations, root))
    )


def mentioned(operations: Iterable[Operation]) -> set[EventId]:
    return {event for each in operations for event in getattr(each.body, "events", ())}


def citations(operations: Sequence[Operation], root: EntryId, version: EntryId) -> list[tuple[EventId, str | None]]:
    """The inherited ones, its own, those added later; each once; without those of hidden events."""
    own = versions(operations, root).get(version)
    if own is None:
        return []
    assert isinstance(own.body, Assert)
    inherited = citations(operations, root, own.body.supersedes) if own.body.inherits and own.body.supersedes else []
    later = [
        each
        for each in sorted(operations, key=order)
        if isinstance(each.body, Cite) and each.body.entry == version and not is_destroyed(operations, root)
    ]
    body = said(operations, own)
    found = [*inherited, *((c.event, c.quote) for c in (body.citations if body else ()))]
    for each in later:
        assert isinstance(each.body, Cite)
        if not is_wiped(operations, each.id):
            found += [(citation.event, citation.quote) for citation in each.body.citations]
    return [each for each in dict.fromkeys(found) if not is_hidden_event(operations, each[0])]


# --- judgements, places, names ---


def judges(operations: Iterable[Operation], root: EntryId) -> list[tuple[Operation, Judge]]:
    return [(each, each.body) for each in operations if isinstance(each.body, Judge) and each.body.root == root]


def is_quarantined(operations: Iterable[Operation], root: EntryId) -> bool:
    given = judges(operations, root)
    undone = {each for _, judge in given if judge.verdict is Verdict.RELEASE for each in judge.saw}
    return any(judge.verdict is Verdict.QUARANTINE and operation.id not in undone for operation, judge in given)


def epistemic(operations: Sequence[Operation], root: EntryId, version: EntryId) -> Epistemic | None:
    votes = [
        (operation, judge)
        for operation, judge in judges(operations, root)
        if judge.entry == version and judge.verdict in {Verdict.CONFIRM, Verdict.DEMOTE}
    ]
    unanswered = [(o, judge) for o, judge in votes if not any(o.id in other.saw for _, other in votes)]
    if unanswered:
        _, last = max(unanswered, key=lambda vote: order(vote[0]))
        return last.epistemic or Epistemic.POSSIBLE
    body = said(operations, versions(operations, root)[version])
    return body.statement.epistemic if body and body.statement else None


def scope(operations: Sequence[Operation], root: EntryId) -> object:
    moves = [(each, each.body) for each in operations if isinstance(each.body, Move) and each.body.root == root]
    unanswered = [(o, move) for o, move in moves if not any(o.id in other.saw for _, other in moves)]
    if unanswered:
        operation, last = max(unanswered, key=lambda move: order(move[0]))
        if not is_wiped(operations, operation.id):
            return last.scope
    body = said(operations, versions(operations, root)[current(operations, root)])
    return body.statement.scope if body and body.statement else None


def tier(operations: Sequence[Operation], root: EntryId) -> Tier:
    body = said(operations, versions(operations, root)[current(operations, root)])
    own = body.statement.tier if body and body.statement else Tier.WORKING
    raised = [each.body.tier for each in operations if isinstance(each.body, Promote) and each.body.root == root]
    return Tier.DURABLE if Tier.DURABLE in (own, *raised) else Tier.WORKING


def relations(operations: Sequence[Operation], root: EntryId) -> set[tuple[str | None, EntryId, EntryId]]:
    edges = [each.body for each in operations if isinstance(each.body, Relate) and not is_wiped(operations, each.id)]
    return {
        (edge.relation, edge.entry, edge.other)
        for edge in edges
        if root in (edge.root, edge.other_root)
        and not is_hidden(operations, edge.root)
        and not is_hidden(operations, edge.other_root)
    }


def shown(operations: Sequence[Operation], roots: Iterable[EntryId]) -> dict[EntryId, str]:
    """Of the visible roots of one name, scope and type the oldest has it plain."""
    spoken = {root: said(operations, versions(operations, root)[current(operations, root)]) for root in roots}
    names = {
        root: (body.statement.name, scope(operations, root), body.statement.type)
        for root, body in spoken.items()
        if body and body.statement and body.statement.name and not is_hidden(operations, root)
    }

    def age(root: EntryId) -> tuple[object, ...]:
        known = versions(operations, root)
        first = min(known, key=lambda entry: (depth(operations, root, entry), order(known[entry])))
        return known[first].header.time, known[first].header.device, root

    return {
        root: str(name[0]) if root == min((r for r in names if names[r] == name), key=age) else f"{name[0]}-{root[-4:]}"
        for root, name in names.items()
    }
