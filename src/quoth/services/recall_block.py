"""Recall for a prompt: what is relevant to a question as one block within its budget (QUO-3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from quoth.core import times
from quoth.core.block import SAID, UNITS, Block, block, nothing_found
from quoth.core.counting import Unit
from quoth.core.errors import InvalidArgument, UnknownType
from quoth.core.memory import EntryFilter
from quoth.core.model import Json
from quoth.core.types import Types
from quoth.services._prerequisites import with_prerequisites
from quoth.services._spots import Spots
from quoth.services.recall import Ranking, Recall, Where

BUDGET = 6_500

_LARGEST = 1_000_000
_LOOKED_AT = 100  # of the best that is found; a block holds fewer
_QUOTAS = {SAID: 12}  # what was said is long: without a quota it leaves what was learned little room
_SCOPES = ("all", "repository")


@dataclass(frozen=True, slots=True)
class Told:
    """A block, and what it was made of."""

    block: Block
    ranking: Ranking

    def answer(self) -> dict[str, Json]:
        """Return `{text, entries, dropped, tokens}`."""
        return self.block.answer()


@dataclass(frozen=True, slots=True)
class RecallBlock:
    recall: Recall
    spots: Spots
    types: Callable[[], Types]

    def run(
        self,
        query: str,
        *,
        budget: int = BUDGET,
        unit: str = "chars",
        quotas: Mapping[str, int] | None = None,
        types: Sequence[str] | None = None,
        scope: str = "all",
        as_of: str | None = None,
        include_outdated: bool = False,
        explain: bool = False,
        is_aside: bool = False,
        project: str | None = None,
        cwd: str | None = None,
        wait_ms: int | None = None,
    ) -> Told:
        """Return the block; where nothing is relevant it is a short note of what was searched.

        `types` are types of entries, `said` is what was said in sessions; a type that `quotas` does not name has none,
        but for `said` (12). `scope` "repository" leaves out what belongs elsewhere. With `explain` the whole answer
        stays within the budget; with `is_aside` what explains it is shown apart, and the block alone counts.

        Raises:
            InvalidArgument, UnknownType, UnknownProject, Ambiguous: an argument can't be used.
        """
        if not query.strip():
            raise InvalidArgument("query", "a question, or words to look for")
        room, counted, shares = _number("budget", budget), _unit(unit), self._shares(quotas or {})
        where = Where(
            spot=self.spots.of(project=project, cwd=cwd),
            is_only_here=_is_only_here(scope),
            types=self._of_entries(types),
            as_of=times.parse(as_of, argument="as_of", now=self.recall.memory.clock.now()) if as_of else None,
            with_replaced=include_outdated,
            with_entries=not types or any(each != SAID for each in types),
            with_events=not types or SAID in types,
        )
        found = self.recall.ranked(query, where, limit=_LOOKED_AT, wait_ms=wait_ms)
        if not found.items:
            return Told(self._nothing(where, room, counted, is_explained=explain and not is_aside), found)
        items = with_prerequisites(found.items, self.recall.memory.entries, self._along(where))
        packed = block(items, budget=room, unit=counted, quotas=shares, is_explained=explain, is_aside=is_aside)
        return Told(packed, found)

    def _along(self, where: Where) -> EntryFilter:
        """Return what may come along with what requires it, of whatever type."""
        return replace(where, types=None, with_replaced=False).entries(self.recall.memory.clock.now())

    def _shares(self, quotas: Mapping[str, int]) -> Mapping[str, int]:
        return {**_QUOTAS, **{self._group(name): _number(f"quotas.{name}", most) for name, most in quotas.items()}}

    def _of_entries(self, types: Sequence[str] | None) -> tuple[str, ...] | None:
        return tuple(self._group(name) for name in types if name != SAID) if types else None

    def _group(self, name: str) -> str:
        known = self.types().by_name
        if name != SAID and name not in known:
            raise UnknownType(name, [*sorted(known), SAID])
        return name

    def _nothing(self, where: Where, room: int, unit: Unit, *, is_explained: bool) -> Block:
        index = self.recall.memory.index
        return nothing_found(
            entries=index.memory.count() if where.with_entries else None,
            sessions=sum(each.sessions for each in index.coverage()) if where.with_events else None,
            budget=room,
            unit=unit,
            is_explained=is_explained,
            is_part=where.is_only_here or bool(where.types) or where.as_of is not None,
        )


def _number(argument: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= _LARGEST:
        raise InvalidArgument(argument, f"a whole number from 0 to {_LARGEST}")
    return given


def _unit(given: str) -> Unit:
    if given not in UNITS:
        raise InvalidArgument("unit", f"one of {', '.join(UNITS)}")
    return UNITS[given]


def _is_only_here(scope: str) -> bool:
    if scope not in _SCOPES:
        raise InvalidArgument("scope", f"one of {', '.join(_SCOPES)}")
    return scope == "repository"
