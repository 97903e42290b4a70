"""Choose what an export holds, and say it as records that can be written again elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from quoth.core.ids import EntryId, OperationId, ProjectId
from quoth.core.ledger.entries import EntryVersion, Relation, Root
from quoth.core.ledger.exported import Placed, Version, is_tellable
from quoth.core.ledger.merge import Resolve, fold
from quoth.core.ledger.operations import Assert, Cite, Operation
from quoth.core.ledger.state import Ledger
from quoth.core.ledger.values import Citation
from quoth.core.model import Named


@dataclass(frozen=True, slots=True)
class Records:
    """What a set of operations says that may leave: nothing forgotten, destroyed, sealed or quarantined."""

    ledger: Ledger
    resolve: Resolve
    asserted: Mapping[OperationId, Assert]
    later: Mapping[EntryId, tuple[Citation, ...]]

    def roots(self) -> list[Root]:
        """Return the roots that may leave, the oldest first."""
        shown = (root for root in self.ledger.visible() if not root.sealed and not root.quarantines)
        return sorted(shown, key=lambda root: (root.versions[0].time, root.versions[0].device, root.id))

    def of(self, root: Root) -> Iterator[Version | Placed]:
        yield from map(self._version, root.versions)
        if placed := _placed(root):
            yield placed

    def relations(self, roots: Iterable[Root]) -> Iterator[Relation]:
        listed = list(roots)
        known = {root.id for root in listed}
        edges = {
            edge for root in listed for edge in self.ledger.relations(root) if {edge.root, edge.other_root} <= known
        }
        return iter(sorted(edges, key=lambda edge: (edge.entry, edge.other, edge.relation)))

    def _version(self, version: EntryVersion) -> Version:
        body = self.asserted[version.operation]
        return Version(
            entry=version.id,
            root=version.root,
            supersedes=version.supersedes,
            saw=body.saw,
            inherits=body.inherits,
            actor=version.actor,
            reason=version.reason or "",
            written_at=version.time.ms,
            statement=version.statement,
            citations=tuple(self._shown([*body.citations, *self.later.get(version.id, ())])),
            negated=version.negated,
            epistemic=version.epistemic if version.judgements else None,
        )

    def _shown(self, cited: Iterable[Citation]) -> Iterator[Citation]:
        return (each for each in cited if not self.ledger.event(self.resolve(each.event)).is_hidden)


def records(operations: Iterable[Operation], resolve: Resolve) -> Records:
    """Read operations; `resolve` gives the present id of an event."""
    listed = list(operations)
    asserted: dict[OperationId, Assert] = {}
    later: dict[EntryId, tuple[Citation, ...]] = {}
    for operation in listed:
        match operation.body:
            case Assert() as body:
                asserted[operation.id] = body
            case Cite() as body:
                later[body.entry] = (*later.get(body.entry, ()), *body.citations)
    return Records(fold(listed, resolve=resolve), resolve, asserted, later)


def belonging(said: Iterable[Version | Placed], known: Mapping[ProjectId, Named]) -> Iterator[Named]:
    """Yield what the projects are called that versions and roots belong to; one that can't be told keeps its id."""
    used = {project for each in said if (project := _project(each))}
    return (told for project in sorted(used) if (told := known.get(project)) and is_tellable(told))


def _project(said: Version | Placed) -> ProjectId | None:
    scope = said.scope if isinstance(said, Placed) else said.statement.scope if said.statement else None
    return ProjectId(scope.repository) if scope else None


def _placed(root: Root) -> Placed | None:
    said = root.current.statement if root.current else None
    if said is None:
        return None
    scope = root.scope if root.scope != said.scope else None
    tier = root.tier if root.tier is not said.tier else None
    return Placed(root.id, scope, tier) if scope is not None or tier else None
