"""Say one entry or event of a block: what it is, of which day, of whom, and then its words, harmless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from quoth.core import neutral
from quoth.core._packing_summary import SUMMARY, TITLE, first_sentences
from quoth.core.ids import EntryId, tail
from quoth.core.ledger.entries import State
from quoth.core.ledger.values import Statement
from quoth.core.memory import EntryRow
from quoth.core.model import EventRow
from quoth.core.packing import Mode, Shape
from quoth.core.redact import redact
from quoth.core.times import local_iso

_PLAIN = re.compile(r"[\w.:@/+#-]{1,120}", re.ASCII)
_CLOSING = str.maketrans({"(": "[", ")": "]", '"': "'"})
_BEGINNING = 1_600  # characters of an event that are looked at for a summary
_LAST_WORD = re.compile(r"\S{1,200}\Z")
_LEAST = "- ent_a1b2c3d4 (2026-10-26) "  # what stands before the words of every item, at least
_LABEL = 120  # characters of a name or an author
_SESSION = 24  # characters of a session's id that are shown whole
_SUMMARIES = ("summary", "abstract")  # fields of an entry that say it in short


def shapes_of_entry(row: EntryRow, said: Statement, *, is_outdated: bool) -> Mapping[Mode, Shape]:
    """Return the ways to show an entry."""
    title = "" if row.name else said.text[: 4 * TITLE]

    def lead(*, is_whole: bool = True) -> str:
        facts = _entry_facts(row, said) if is_whole else [date(row.version.created_at)]
        return _lead(_entry_head(row, said.type), [*facts, *_marks(row, is_outdated=is_outdated)])

    return {
        Mode.FULL: Shape(_LEAST + said.text, lambda: led(lead(), neutral.lines(said.text))),
        **_summary(partial(summary_of, said), said.text, lead),
        Mode.REFERENCE: Shape(_LEAST + (row.name or title[:TITLE]), lambda: _titled(lead(is_whole=False), title)),
    }


def shapes_of_event(row: EventRow) -> Mapping[Mode, Shape]:
    """Return the ways to show what was said: a quote of who said it, in which session."""

    def lead(*, is_whole: bool = True) -> str:
        facts = _event_facts(row) if is_whole else [date(row.time), row.role.value]
        return _lead(label(row.id), facts)

    return {
        Mode.FULL: Shape(_LEAST + row.text, lambda: led(lead(), neutral.lines(row.text))),
        **_summary(lambda: first_sentences(_beginning(row.text)), row.text, lead),
        Mode.REFERENCE: Shape(_LEAST + row.text[:TITLE], lambda: _titled(lead(is_whole=False), _beginning(row.text))),
    }


def _beginning(text: str) -> str:
    """Return the beginning of an event without secrets: what is cut in the middle is known as one no more."""
    return redact(text if len(text) <= _BEGINNING else _LAST_WORD.sub("", text[:_BEGINNING])).text


def summary_of(said: Statement) -> str:
    """Return what says an entry in short: what was stored for that, else its first sentences."""
    stored = (text for each in _SUMMARIES if isinstance(text := said.fields.get(each), str) and text.strip())
    return first_sentences(next(stored, said.text))


def led(lead: str, lines: Sequence[str]) -> str:
    """Return words behind what is ours; further lines are marked, so that none of them begins like ours."""
    return "\n> ".join((lead, *lines)) if len(lines) > 1 else " ".join((lead, *lines))


def label(text: str) -> str:
    """Return a short text that stands in a line of ours, harmless; it can't close what it stands in."""
    return text if _PLAIN.fullmatch(text) else _harmless(text[:_LABEL]).translate(_CLOSING)


def date(instant: int) -> str:
    return local_iso(instant)[:10]


@lru_cache(maxsize=1024)
def _harmless(text: str) -> str:
    return neutral.one_line(text)


def _summary(short: Callable[[], str], text: str, lead: Callable[[], str]) -> dict[Mode, Shape]:
    """Return the way to show a long text in short."""
    if len(text) <= SUMMARY:
        return {}
    return {Mode.SUMMARY: Shape(_LEAST + text[:SUMMARY], lambda: led(lead(), [neutral.one_line(short())]))}


def _titled(lead: str, title: str) -> str:
    return led(lead, [neutral.one_line(first_sentences(title, TITLE))]) if title else lead.removesuffix(":")


def _lead(head: str, facts: Sequence[str]) -> str:
    return f"- {head} ({', '.join(facts)}):"


def _entry_head(row: EntryRow, type_: str) -> str:
    name = f' "{label(row.name)}"' if row.name else ""
    return f"{short_id(row.id)} {label(type_)}{name}"


def short_id(entry: EntryId) -> str:
    """Spell an id as short as every tool takes it."""
    return f"ent_{tail(entry, ())}"


def _entry_facts(row: EntryRow, said: Statement) -> Sequence[str]:
    about = [f"about {date(said.event_time)}, recorded"] if said.event_time is not None else []
    recorded = " ".join([*about, date(row.version.created_at)])
    return [recorded, *map(label, filter(None, [said.author, row.project]))]


def _event_facts(row: EventRow) -> Sequence[str]:
    minute = local_iso(row.time)[:16].replace("T", " ")
    return [minute, row.role.value, f"session {_session(row.session)}", *map(label, filter(None, [row.project]))]


def _marks(row: EntryRow, *, is_outdated: bool) -> Iterator[str]:
    """Say what is to be known of an entry that is no longer so, or perhaps not."""
    if row.state is State.NEGATED:
        yield "negated"
    if not row.is_current and row.current:
        yield f"replaced by {short_id(row.current)}"
    elif is_outdated:
        yield "possibly outdated"


def _session(session: str) -> str:
    return label(session if len(session) <= _SESSION else f"{session[:8]}\u2026")
