"""What an entry says: the statement, where it applies, what it cites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from quoth.core.ids import DeviceId, EventId, SourceId
from quoth.core.model import Anchor, Json

GLOBAL = "global"


class EntryKind(StrEnum):
    MEMORY = "memory"
    KNOWLEDGE = "knowledge"
    COGNITION = "cognition"


class Epistemic(StrEnum):
    POSSIBLE = "possible"
    ACTUAL = "actual"
    NECESSARY = "necessary"


class Polarity(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    CONDITIONAL = "conditional"


class Attribution(StrEnum):
    USER = "user"
    AGENT = "agent"
    OTHER = "other"


class Tier(StrEnum):
    WORKING = "working"
    DURABLE = "durable"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an entry applies; an empty part is wider."""

    tenant: str = ""
    workspace: str = ""
    repository: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class StoredAnchor:
    """Where in the mirror an event was read, in words that another device and another year understand.

    `stream` is `<root>/<key>`; `part` counts the events of one line. `sha256` is empty where the lines were destroyed.
    """

    device: DeviceId
    source: SourceId
    stream: str
    generation: int
    first_line: int
    last_line: int
    sha256: bytes
    part: int = 0

    @classmethod
    def of(cls, anchor: Anchor, device: DeviceId) -> StoredAnchor:
        """Say where this device read something."""
        stream = anchor.stream
        return cls(
            device=device,
            source=stream.source,
            stream=f"{stream.root}/{stream.key}",
            generation=stream.generation,
            first_line=anchor.first_line,
            last_line=anchor.line,
            sha256=anchor.sha256,
            part=anchor.part,
        )


@dataclass(frozen=True, slots=True)
class Citation:
    """The words a statement comes from. `quote` is redacted, `span` its place in the event's text in characters, and
    `mark` the HMAC of the exact words (`core.ledger.marks`)."""

    event: EventId
    quote: str | None = None
    span: tuple[int, int] | None = None
    mark: bytes | None = None
    anchor: StoredAnchor | None = None


@dataclass(frozen=True, slots=True)
class Approval:
    by: str
    how: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Everything that one version of an entry says. Redacted before it gets here; wiped when it is destroyed.

    `agent` owns it (`agent:<name>` or `global`), `author` wrote it (`<agent>@<device>`), `uncited` says why nothing is
    cited, `event_time` when what it tells of happened. `branch` was checked out where it was said and only ranks, while
    that of a scope shuts out.
    """

    text: str
    kind: EntryKind
    type: str
    created_at: int
    author: str
    name: str | None = None
    tags: tuple[str, ...] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)
    confidence: float = 0.8
    epistemic: Epistemic = Epistemic.ACTUAL
    polarity: Polarity = Polarity.POSITIVE
    importance: float = 0.5
    scope: Scope = Scope()
    agent: str = GLOBAL
    valid_from: int | None = None
    valid_to: int | None = None
    event_time: int | None = None
    attribution: Attribution = Attribution.AGENT
    imported: bool = False
    approval: Approval | None = None
    tier: Tier = Tier.DURABLE
    uncited: str | None = None
    branch: str = ""

    def words(self) -> Iterator[str]:
        """Yield everything that it says, in whatever part: its fields too, however deep, and their names."""
        yield self.text
        yield from filter(None, [self.name, self.uncited, *self.tags])
        yield from _words(self.fields)


def _words(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for name, each in value.items():
                yield name
                yield from _words(each)
        case Sequence():
            for each in value:
                yield from _words(each)
