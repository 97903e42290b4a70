"""Tell what the person and the model said from what was injected and from what repeats it.

A message is written twice or more: as a `response_item`, which the model reads, and as an event, which the person
sees. The event counts for the person (in front of it stand injected items that look alike), the item for the model.
Either may come first, and files of some versions have only one of them. So whatever comes first is taken as the message
until the other one comes; ids of what turned out otherwise are given back as `Reclassified`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from quoth.core.ids import EventId
from quoth.core.model import Kind, Reclassified

ITEM, EVENT, COMPLETED = "r", "e", "c"

_INJECTED = (
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<apps_instructions",
    "<codex_internal_context",
    "<collaboration_mode",
    "<environment_context>",
    "<goal_context>",
    "<hook_prompt",
    "<model_switch>",
    "<permissions",
    "<personality_spec>",
    "<plugins",
    "<recommended_plugins",
    "<skill",
    "<subagent_notification",
    "<turn_aborted>",
    "<user_instructions>",
    "<user_shell_command>",
    "Warning: The maximum number of unified exec processes",
    "Warning: apply_patch was requested via",
)
# In events only what is a block from its first to its last character: a prompt may well begin with a tag.
_INJECTED_WHOLE = re.compile(r"\s*<(environment_context|user_instructions)>.*</\1>\s*", re.DOTALL)
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\n?", re.MULTILINE)
_IMAGE_TAG = re.compile(r"\s*</?image(?: name=[^\n>]{0,200})?>\s*")
_FOLDER = re.compile(r"<cwd>([^<\n]{1,4096})</cwd>|^(?:cwd|Current working directory): ?(.{1,4096})$", re.MULTILINE)
_MOST = 64  # messages of one turn that may still be repeated
_HEAD = 48  # characters by which a repeat of an answer is known; the event lacks marks at the end


@dataclass(frozen=True, slots=True)
class Words:
    """What the person asked, and the context that was put in front of it."""

    request: str
    context: str = ""


def divide(blocks: Iterable[str], *, is_item: bool) -> Words:
    """Split injected blocks and the context of an editor from the request."""
    requests, contexts = [], []
    for block in blocks:
        if is_item and _IMAGE_TAG.fullmatch(block):
            continue
        if is_injected(block, is_item=is_item):
            contexts.append(block)
            continue
        marker = _REQUEST.search(block)
        contexts.append(block[: marker.start()].strip() if marker else "")
        requests.append(block[marker.end() :].strip() if marker else block)
    return Words("\n".join(filter(None, requests)), "\n".join(filter(None, contexts)))


def is_injected(block: str, *, is_item: bool) -> bool:
    return block.lstrip().startswith(_INJECTED) if is_item else bool(_INJECTED_WHOLE.fullmatch(block))


def folder(context: str) -> str:
    """Return the folder that injected context names; in files of 2025 nothing else does."""
    match = _FOLDER.search(context) if "<environment_context>" in context else None
    return (match[1] or match[2]).strip() if match else ""


@dataclass(slots=True)
class Said:
    """One message of the present turn: what it is known by, the shapes it was met in, the event that stands for it."""

    key: str
    shapes: str
    id: EventId


@dataclass(slots=True)
class Turn:
    """Remembers the messages since the last answer or question, and whether events tell the person's words here."""

    has_events: bool = False
    person: list[Said] = field(default_factory=list)
    model: list[Said] = field(default_factory=list)

    def asked_by_item(self, words: str, event: EventId) -> Kind:
        key = _key(words)
        if said := _unmet(self.person, key, ITEM):
            said.shapes += ITEM
            return Kind.META
        self.person = [*self.person, Said(key, ITEM, event)][-_MOST:]
        self.model = []
        return Kind.MESSAGE

    def asked_by_event(self, words: str, shape: str, event: EventId) -> tuple[Kind, list[Reclassified]]:
        """Take an event for what the person said; items that were waiting for one are its repeat, or injected."""
        self.has_events, self.model = True, []
        said = _unmet(self.person, _key(words), shape)
        is_repeat = said is not None and said.shapes != ITEM
        waiting = [other.id for other in self.person if other.shapes == ITEM]
        if said:
            said.shapes += shape
            said.id = said.id if is_repeat else event
        else:
            self.person.append(Said(_key(words), shape, event))
        self.person = [other for other in self.person if other.shapes != ITEM][-_MOST:]
        return Kind.META if is_repeat else Kind.MESSAGE, [Reclassified(event, Kind.META) for event in waiting]

    def ended(self) -> Iterator[Reclassified]:
        """Settle the person's items that got no event: messages in old files, injected where events are written."""
        waiting = [said.id for said in self.person if said.shapes == ITEM]
        self.person = []
        if self.has_events:
            yield from (Reclassified(event, Kind.META) for event in waiting)

    def answered_by_item(self, words: str, event: EventId) -> Iterator[Reclassified]:
        yield from self.ended()
        key = _key(words, _HEAD)
        if said := _unmet(self.model, key, ITEM):
            yield Reclassified(said.id, Kind.META)
            said.shapes, said.id = said.shapes + ITEM, event
        else:
            self.model = [*self.model, Said(key, ITEM, event)][-_MOST:]

    def answered_by_event(self, words: str, shape: str, event: EventId) -> Kind:
        key = _key(words, _HEAD)
        if said := _unmet(self.model, key, shape):
            said.shapes += shape
            return Kind.META
        self.model = [*self.model, Said(key, shape, event)][-_MOST:]
        return Kind.MESSAGE


def _key(words: str, head: int | None = None) -> str:
    return hashlib.sha256("".join(words.split())[:head].encode()).hexdigest()[:16]


def _unmet(said: list[Said], key: str, shape: str) -> Said | None:
    """Return the first message with that key that was not yet met in that shape."""
    return next((one for one in said if one.key == key and shape not in one.shapes), None)
