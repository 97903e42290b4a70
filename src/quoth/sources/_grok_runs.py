"""Join the chunks of one message: a run of one type and one prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from quoth.core.ids import SessionId
from quoth.core.model import Kind, Role
from quoth.sources import _grok_words
from quoth.sources._grok_ids import Ids
from quoth.sources._grok_pieces import chunk
from quoth.sources._grok_updates import Update
from quoth.sources._values import Record, inner, number, text
from quoth.sources._words import Words

_USER, _AGENT, _THOUGHT = "user_message_chunk", "agent_message_chunk", "agent_thought_chunk"
CHUNKS = frozenset({_USER, _AGENT, _THOUGHT})

_LONGEST = 64_000  # characters that are kept to be joined; a chunk behind them begins another event


@dataclass(frozen=True, slots=True)
class Run:
    """The message so far. `prompt` and `index` say which prompt it belongs to, `by_program` that nobody said it.

    `is_marked`: what came last is no text but a mark, which stands on a line of its own.
    """

    id: str
    kind: str
    session: str
    prompt: str
    index: int | None
    by_program: bool
    text: str
    is_marked: bool
    first_line: int
    time: int | None

    @property
    def is_full(self) -> bool:
        return len(self.text) > _LONGEST


def begin(said: Update, session: SessionId, line: int, ids: Ids, *, is_child: bool) -> Run:
    content = inner(said.body, "content")
    return Run(
        ids.of(said.kind, text(content, "text") if _is_text(content) else f"[{text(content, 'type')}]"),
        said.kind,
        session,
        said.prompt,
        _index(said),
        _is_by_program(said) or (is_child and said.kind == _USER),
        chunk(content),
        not _is_text(content),
        line,
        said.time,
    )


def goes_on(run: Run, said: Update, session: SessionId) -> Run | None:
    """Return the message with one chunk more, or None when the chunk begins another one."""
    content = inner(said.body, "content")
    of_chunk = (said.kind, session, said.prompt, _index(said))
    if (run.kind, run.session, run.prompt, run.index) != of_chunk:
        return None
    if said.kind == _USER and _grok_words.is_steered(text(content, "text")):
        return None
    is_marked = not _is_text(content)
    between = "\n" if (is_marked or run.is_marked) and run.text else ""
    return replace(run, text=f"{run.text}{between}{chunk(content)}", is_marked=is_marked)


def pieces_of(run: Run) -> Iterator[tuple[str, Words]]:
    """Yield what a message is, each piece with the end of its id."""
    if run.kind == _THOUGHT:
        yield "", Words(Role.ASSISTANT, Kind.META, run.text)
    elif run.kind == _AGENT and run.by_program:
        yield "", Words(Role.SYSTEM, Kind.SYSTEM, run.text)
    elif run.kind == _AGENT:
        yield "", Words(Role.ASSISTANT, Kind.MESSAGE if run.text.strip() else Kind.META, run.text)
    elif run.by_program:
        yield "", Words(Role.USER, Kind.META, run.text)
    else:
        yield from _said(_grok_words.divide(run.text))


def _said(words: Words) -> Iterator[tuple[str, Words]]:
    yield "", words
    if words.injected:
        yield ":injected", Words(Role.USER, Kind.META, words.injected)


def _is_by_program(said: Update) -> bool:
    if said.kind == _USER:
        return _grok_words.is_by_program(said.body, said.prompt)
    return inner(said.body, "_meta").get("hostTurn") is True


def _index(said: Update) -> int | None:
    return number(inner(said.body, "_meta"), "promptIndex")


def _is_text(content: Record) -> bool:
    return text(content, "type") in {"text", ""}


def remembered(state: Record) -> Run | None:
    """Read a run from the state of a parser."""
    line = number(state, "first_line")
    if line is None:
        return None
    return Run(
        text(state, "id"),
        text(state, "kind"),
        text(state, "session"),
        text(state, "prompt"),
        number(state, "index"),
        state.get("by_program") is True,
        text(state, "text"),
        state.get("is_marked") is True,
        line,
        number(state, "time"),
    )
