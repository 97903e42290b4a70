"""The answers of the services as a door reads them (the published contract's shapes), typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, cast

from quoth.core.model import Json


class EventShape(TypedDict):
    id: str
    time: str
    source: str
    project: str | None
    session: str
    role: str
    kind: str
    text: str
    snippet: NotRequired[str | None]
    cwd: NotRequired[str | None]
    git_branch: NotRequired[str | None]
    agent_version: NotRequired[str | None]


class SessionShape(TypedDict):
    session: str
    source: str
    project: str | None
    title: str | None
    prompt: str | None
    started: str
    ended: str
    events: int
    parent: str | None
    forked_from: str | None
    resume: str | None


class SourceShape(TypedDict):
    event_id: str
    time: str
    original_file: str
    mirror_file: str
    line: int
    raw: str
    generation: int
    lines: int
    quote: NotRequired[str | None]


def event_of(answer: Mapping[str, Json]) -> EventShape:
    return cast("EventShape", answer)


def events_of(answer: Mapping[str, Json]) -> Sequence[EventShape]:
    return cast("Sequence[EventShape]", answer["events"])


def session_of(answer: Mapping[str, Json]) -> SessionShape:
    return cast("SessionShape", answer["session"])


def sessions_of(answer: Mapping[str, Json]) -> Sequence[SessionShape]:
    return cast("Sequence[SessionShape]", answer["sessions"])


def sources_of(answer: Sequence[Mapping[str, Json]]) -> Sequence[SourceShape]:
    return cast("Sequence[SourceShape]", answer)
