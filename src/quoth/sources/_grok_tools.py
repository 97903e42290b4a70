"""Follow the tool calls of Grok Build: a call and its updates share a `toolCallId`, which providers may use again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from quoth.core.model import Json, Kind, Role
from quoth.sources import _grok_pieces as pieces
from quoth.sources._grok_ids import Ids
from quoth.sources._grok_updates import Update
from quoth.sources._values import Record, text

Said: TypeAlias = tuple[str, Role, Kind, str, bool]
"""Id, role, kind, text, and whether it is traffic of our own tools."""

ENDED = frozenset({"completed", "failed"})

_MOST = 200  # calls remembered
_LONGEST = 100  # characters of a native id


@dataclass(frozen=True, slots=True)
class Call:
    """A call by the hash that its ids begin with. `is_ended`: it was answered, so its native id may name a new call."""

    hash: str
    name: str = ""
    own: bool = False
    is_ended: bool = False


@dataclass(slots=True)
class Calls:
    known: dict[str, Call] = field(default_factory=dict)

    def called(self, said: Update, ids: Ids) -> Iterator[Said]:
        """Yield the call, and its answer where the record has one: tools that the server runs are told of at once."""
        native = text(said.body, "toolCallId")[:_LONGEST]
        found = self.known.get(native)
        if found is None or found.is_ended:
            found = Call(ids.of(said.kind, native))
        found = self._remember(native, found, said)
        yield (found.hash, Role.ASSISTANT, Kind.TOOL_USE, pieces.call(found.name, said.body), found.own)
        yield from _answer(found, said)

    def updated(self, said: Update, ids: Ids) -> Iterator[Said]:
        """Yield what an update changes: the call when it says what was asked, the answer when it has some of it."""
        native = text(said.body, "toolCallId")[:_LONGEST]
        found = self._remember(native, self.known.get(native) or Call(ids.of(said.kind, native)), said)
        changes = list(_answer(found, said))
        if said.body.get("rawInput") is not None:
            changes.insert(
                0, (found.hash, Role.ASSISTANT, Kind.TOOL_USE, pieces.call(found.name, said.body), found.own)
            )
        if not changes:
            words = " ".join(filter(None, [said.kind, found.name, text(said.body, "status")]))
            changes.append((ids.of(f"{said.kind}/state", native), Role.SYSTEM, Kind.META, words, found.own))
        yield from changes

    def _remember(self, native: str, call: Call, said: Update) -> Call:
        name = pieces.tool(said.body) or call.name
        own = call.own or pieces.is_own(name, said.body)
        call = replace(call, name=name, own=own, is_ended=call.is_ended or text(said.body, "status") in ENDED)
        self.known.pop(native, None)
        self.known[native] = call
        if len(self.known) > _MOST:
            del self.known[next(iter(self.known))]
        return call

    def state(self) -> Json:
        return {native: [call.hash, call.name, call.own, call.is_ended] for native, call in self.known.items()}

    @classmethod
    def remembered(cls, state: Record) -> Calls:
        return cls({native: call for native in state if (call := _call(state, native))})


def _answer(call: Call, said: Update) -> Iterator[Said]:
    status = text(said.body, "status")
    words = pieces.result(said.body) or (status if status in ENDED else "")
    if words:
        yield (f"{call.hash}:out", Role.USER, Kind.TOOL_RESULT, words, call.own)


def _call(state: Record, native: str) -> Call | None:
    said = state.get(native)
    match said:
        case [str(hashed), str(name), bool(own), bool(is_ended)]:
            return Call(hashed, name, own, is_ended)
    return None
