"""Say single facts for a person: who spoke, when, how much; always literal text, never markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from quoth.core.query import Query
from quoth.core.snippet import snippet
from quoth.surfaces.cli.harmless import harmless, one_line
from quoth.surfaces.cli.shapes import EventShape, SessionShape

_MATCH = re.compile(r"\[([^\[\]]{1,200})\]")
_PROMPT = 79  # characters; a prompt this long was cut (ORI-30)
_SPEAKERS = {"user": ("you", "bold green"), "assistant": ("agent", "bold magenta"), "system": ("system", "dim")}
_HELD = {
    "[governed payload hidden: quarantined]": "(quarantined: nobody is shown what it says until you release it)",
    "[governed payload hidden: sealed]": "(sealed: nobody is shown what it says)",
}
_KINDS = {
    "tool_use": ("tool call", "yellow"),
    "tool_result": ("tool result", "yellow"),
    "meta": ("context", "dim"),
    "system": ("system", "dim"),
    "memory": ("memory", "cyan"),
}


def speaker(event: EventShape) -> Text:
    """Say who said it, or what it is when nobody did."""
    words, style = _KINDS.get(event["kind"]) or _SPEAKERS[event["role"]]
    return Text(words, style=style)


def moment(time: str) -> Text:
    """Print a local ISO instant to the minute."""
    return Text(time[:16].replace("T", " "), style="dim")


def clock(time: str) -> str:
    return time[11:16]


def span(started: str, ended: str) -> str:
    """Print when something began and ended; the day of the end only when it is another."""
    begun, done = started[:16].replace("T", " "), ended[:16].replace("T", " ")
    return begun if begun == done else f"{begun} – {done[11:] if begun[:10] == done[:10] else done}"


def project_name(name: str | None) -> Text:
    return Text(one_line(name) if name else "no project", style="cyan" if name else "dim")


def identity(text: str) -> Text:
    return Text(one_line(text), style="dim", overflow="fold")


def command_line(text: str) -> Text:
    return Text(one_line(text), style="bold")


def matched(text: str, query: Query, *, styled: bool) -> Text:
    """Show the matches of a snippet, which stand in `[ ]`, in colour where there is colour.

    A bracket of the text itself stays: what it holds is no match when it is looked at alone.
    """
    line = one_line(text)
    if not styled:
        return Text(line, overflow="fold")
    shown, at = Text(overflow="fold"), 0
    for match in _MATCH.finditer(line):
        if snippet(match[1], query) == match[0]:
            shown.append(line[at : match.start()])
            shown.append(match[1], style="bold black on yellow")
            at = match.end()
    return shown.append(line[at:])


def named(session: SessionShape) -> str:
    """Return what a session is called: its title, else how it began."""
    if session["title"]:
        return one_line(session["title"])
    prompt = one_line(session["prompt"] or "")
    return f"{prompt}…" if len(prompt) >= _PROMPT else prompt or "(no words of a person)"


def in_words(text: str) -> str:
    """Say for a person what stands in the place of words that nobody is shown; any other text as it is."""
    return _HELD.get(text, text)


def paragraphs(text: str) -> Text:
    return Text(harmless(text).strip("\n"), overflow="fold")


def homely(path: str, home: Path) -> str:
    """Write a path below the person's home with `~`, as the person would."""
    shown = one_line(path)
    return shown.replace(str(home), "~", 1) if shown.startswith(f"{home}/") else shown


def size(count: int) -> str:
    """Print bytes as people read them: 640 bytes, 3.1 MB."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            return f"{amount:.0f} {unit}" if unit == "bytes" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{count} bytes"


def counted(count: int, one: str, many: str | None = None) -> str:
    """Print a number with its noun: 1 event, 2,310 events."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def about(seconds: float) -> str:
    """Print a duration that is only an estimate."""
    if seconds < 1.5:
        return "about a second"
    return f"about {seconds:.0f} s" if seconds < 90 else f"about {seconds / 60:.0f} min"


def shortest(ids: Sequence[str], *, least: int = 8) -> dict[str, str]:
    """Give each id the shortest beginning that no other of them has."""
    return {id_: id_[: _distinct(id_, ids, least)] for id_ in ids}


def _distinct(id_: str, ids: Sequence[str], least: int) -> int:
    others = {other for other in ids if not other.startswith(id_)}  # those of its subagents do not count
    return next((n for n in range(least, len(id_)) if not any(o.startswith(id_[:n]) for o in others)), len(id_))
