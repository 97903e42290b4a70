"""The entries of the services' answers, typed (ORI-21, QUO-4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, cast

from quoth.core.model import Json


class EntryShape(TypedDict):
    id: str
    kind: str
    text: str
    confidence: float
    status: str
    concurrent: bool
    project: str | None
    author: str
    created: str
    valid_from: str | None
    valid_to: str | None
    supersedes: str | None
    superseded_by: str | None
    root: str
    imported: bool
    name: str | None
    type: str | None
    state: str
    tags: NotRequired[Sequence[str]]
    uncited: NotRequired[str | None]
    reason: NotRequired[str | None]
    possibly_outdated: NotRequired[Sequence[str]]


class CitedShape(TypedDict):
    """An event that an entry cites."""

    id: str
    time: str
    source: str
    project: str | None
    role: str
    kind: str
    text: str
    quote: str | None


class VersionShape(TypedDict):
    id: str
    supersedes: str | None
    author: str
    created: str
    status: str


def shapes_of(listed: Sequence[Mapping[str, Json]]) -> Sequence[EntryShape]:
    return cast("Sequence[EntryShape]", listed)


def entries_of(answer: Mapping[str, Json]) -> Sequence[EntryShape]:
    return cast("Sequence[EntryShape]", answer["entries"])


def entry_of(answer: Mapping[str, Json]) -> EntryShape:
    return cast("EntryShape", answer["entry"])


def versions_of(answer: Mapping[str, Json]) -> Sequence[EntryShape]:
    return cast("Sequence[EntryShape]", answer["versions"])


def cited_of(answer: Mapping[str, Json]) -> Sequence[CitedShape]:
    return cast("Sequence[CitedShape]", answer["sources"])


def history_of(answer: Mapping[str, Json]) -> Sequence[VersionShape]:
    return cast("Sequence[VersionShape]", answer["history"])
