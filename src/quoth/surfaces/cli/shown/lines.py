"""Show original lines: where they are, and what they hold."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.highlighter import JSONHighlighter
from rich.text import Text

from quoth.surfaces.cli.harmless import harmless, harmless_json, one_line
from quoth.surfaces.cli.shapes import SourceShape
from quoth.surfaces.cli.shown.layout import Unbroken, apart, indented
from quoth.surfaces.cli.shown.words import counted

_LONGEST = 2_000  # characters of one line as it is shown; --raw and --json give the rest


def lines(sources: Sequence[SourceShape]) -> RenderableType:
    return apart(
        [Group(*quoted(source), Unbroken(place(source), 0), indented(content(source["raw"]))) for source in sources]
    )


def quoted(source: SourceShape) -> Sequence[RenderableType]:
    """Show the words that an entry cites from an event."""
    quote = source.get("quote")
    return [Text(f"“{one_line(quote)}”", style="italic", overflow="fold")] if quote else []


def place(source: SourceShape) -> Text:
    """Name the file and line, and which life of the file it was when it was rewritten since."""
    shown = Text(one_line(source["original_file"]), style="bold", overflow="fold")
    shown.append(f":{source['line']}", style="bold yellow")
    if source["lines"] > 1:
        shown.append(f"–{source['line'] + source['lines'] - 1}", style="bold yellow")
    if source["generation"] > 1:
        shown.append(f"  (before it was rewritten: generation {source['generation']})", style="dim")
    return shown


def content(raw: str, *, laid_out: bool = True) -> Text:
    """Lay out JSON; whatever is no JSON is shown as it is."""
    shown = Text(_cut(_laid_out(raw) if laid_out else harmless(raw)), overflow="fold")
    JSONHighlighter().highlight(shown)
    return shown


def _laid_out(raw: str) -> str:
    try:
        return harmless_json(json.dumps(json.loads(raw), ensure_ascii=False, indent=2))
    except (ValueError, RecursionError):
        return harmless(raw)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\n… {counted(len(text) - _LONGEST, 'more character')}"
