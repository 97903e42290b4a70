"""Types of entries as values: what a type is for, where it applies, which fields it has and how they change.

The templates that say so are data (`readers.templates`); a deployment adds its own and replaces ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from quoth.core.errors import InvalidArgument, UnknownType
from quoth.core.ledger.values import EntryKind
from quoth.core.model import Json

_DEFAULTS = {EntryKind.MEMORY: "note", EntryKind.KNOWLEDGE: "fact", EntryKind.COGNITION: "preference"}


class Rule(StrEnum):
    """What a new value does to the one that is there.

    `patch` changes objects key by key and adds to lists, `replace` takes its place, `sum` adds numbers, `immutable`
    refuses another value.
    """

    PATCH = "patch"
    REPLACE = "replace"
    SUM = "sum"
    IMMUTABLE = "immutable"


class Mode(StrEnum):
    """What a writer that asks nobody may do with a type: add or replace the entry of a name, only add, only replace."""

    UPSERT = "upsert"
    ADD_ONLY = "add_only"
    UPDATE_ONLY = "update_only"


class Level(StrEnum):
    """How wide an entry applies: on a branch, in a repository, in all repositories of its owner, everywhere."""

    BRANCH = "branch"
    REPOSITORY = "repository"
    WORKSPACE = "workspace"
    TENANT = "tenant"


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    rule: Rule
    description: str


@dataclass(frozen=True, slots=True)
class EntryType:
    """One type. `place` is where an entry of it applies when its writer names no other."""

    name: str
    kind: EntryKind
    description: str
    place: Level = Level.REPOSITORY
    mode: Mode = Mode.UPSERT
    fields: Mapping[str, Field] = field(default_factory=dict)

    def merged(self, old: Mapping[str, Json], new: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the fields of an entry after a change, each by its rule; null takes a field away.

        Raises:
            InvalidArgument: the type has no such field, or its rule refuses the value.
        """
        result = dict(old)
        for name, value in new.items():
            merged = self._merged(self._field(name), old.get(name), value)
            if merged is None:
                result.pop(name, None)
            else:
                result[name] = merged
        return result

    def _field(self, name: str) -> Field:
        if name not in self.fields:
            known = ", ".join(self.fields) or "none"
            raise InvalidArgument("fields", f"an object with fields of the type {self.name}: {known}")
        return self.fields[name]

    def _merged(self, known: Field, old: Json, new: Json) -> Json:
        match known.rule:
            case Rule.PATCH:
                return _patched(old, new)
            case Rule.SUM:
                return _sum(known.name, old, new)
            case Rule.IMMUTABLE if old is not None and old != new:
                raise InvalidArgument(f"fields.{known.name}", "what it is; this field never changes")
            case _:
                return new


@dataclass(frozen=True, slots=True)
class Types:
    """All types by name."""

    by_name: Mapping[str, EntryType]

    def get(self, name: str) -> EntryType:
        """Return a type.

        Raises:
            UnknownType: no template describes it.
        """
        if name not in self.by_name:
            raise UnknownType(name, sorted(self.by_name))
        return self.by_name[name]

    def default(self, kind: EntryKind) -> EntryType:
        """Return the type of a statement of which only the kind is known."""
        return self.get(_DEFAULTS[kind])

    def of(self, kind: EntryKind) -> Sequence[EntryType]:
        return [each for each in self if each.kind is kind]

    def __iter__(self) -> Iterator[EntryType]:
        return iter(self.by_name.values())


def _patched(old: Json, new: Json) -> Json:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {name: value for name, value in {**old, **new}.items() if value is not None}
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        return [*old, *(each for each in new if each not in old)]
    return new


def _sum(name: str, old: Json, new: Json) -> Json:
    if new is None:
        return None
    if isinstance(new, bool) or not isinstance(new, int | float):
        raise InvalidArgument(f"fields.{name}", "a number, which is added to what is there")
    return new + old if isinstance(old, int | float) else new
