"""Show what an agent and the server said to each other, shortened to what a person wants to know."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from rich.console import Group, RenderableType
from rich.highlighter import JSONHighlighter
from rich.text import Text

from quoth.core.model import Json
from quoth.surfaces.cli.demo.agent import Exchange
from quoth.surfaces.cli.shown.layout import Indented, apart

_ABOUT = ("id", "snippet")  # of an event


def exchanges(said: Sequence[Exchange]) -> RenderableType:
    """Show each request with its answer below, an empty line between them."""
    return apart([Group(_sent(each), _got(each)) for each in said])


def _sent(each: Exchange) -> RenderableType:
    asked = _json(each.params) if each.method == "tools/call" else ""
    said = Text.assemble((each.method, "bold"), " ", asked, overflow="fold")
    return Indented(said, 2, ("→", "bold yellow"))


def _got(each: Exchange) -> RenderableType:
    return Indented(_told(each), 2, ("←", "bold green"))


def _told(each: Exchange) -> RenderableType:
    match each.method:
        case "initialize":
            return _server(each.result)
        case "tools/list":
            return Text(", ".join(tool["name"] for tool in cast("Sequence[Mapping[str, str]]", each.result["tools"])))
    return Group(*(_json(event, indent=2) for event in _events(each.result)))


def _server(result: Mapping[str, Json]) -> Text:
    info = cast("Mapping[str, str]", result["serverInfo"])
    first = str(result["instructions"]).partition(". ")[0]
    return Text.assemble((f"{info['name']} {info['version']}", "bold"), f': "{first}. …"')


def _events(result: Mapping[str, Json]) -> Sequence[Mapping[str, Json]]:
    content = cast("Sequence[Mapping[str, str]]", result["content"])
    found = cast("Sequence[Mapping[str, Json]]", json.loads(content[0]["text"])["events"])
    return [{name: event[name] for name in _ABOUT} for event in found]


def _json(value: Mapping[str, Json], *, indent: int | None = None) -> Text:
    shown = Text(json.dumps(value, ensure_ascii=False, indent=indent), overflow="fold")
    JSONHighlighter().highlight(shown)
    return shown
