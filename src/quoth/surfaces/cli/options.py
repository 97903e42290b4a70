"""Options that several commands take, each with the same words and meaning."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])


def text(value: str) -> str:
    """Read words, names and ids: bytes of the command line that are no text become replacement characters."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


_TIME = "a time: 30m, 24h, 7d, 2w back from now, a date, or ISO 8601"


def combined(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Make one decorator of several, in the order in which the help shows them."""
    return lambda function: reduce(lambda done, option: option(done), reversed(options), function)


def since(default: str | None = None) -> Callable[[F], F]:
    shown = f" [default: {default}]" if default else ""
    return click.option("--since", type=text, metavar="TIME", default=default, help=f"From {_TIME}.{shown}")


until = click.option("--until", type=text, metavar="TIME", help="Before a time, said in the same way.")
source = click.option("--source", type=text, metavar="SOURCE", help="Only one agent, such as claude-code or codex.")
project = click.option(
    "--project", type=text, metavar="PROJECT", help="Only one project: name, owner/name, or a path in it."
)
tools = click.option(
    "--tools",
    "--include-tools",
    "include_tools",
    is_flag=True,
    help="Also what tools were asked and what they answered.",
)
cursor = click.option("--cursor", type=text, metavar="CURSOR", help="Go on where an answer ended: its `next`.")
no_sync = click.option("--no-sync", is_flag=True, help="Answer from what is stored; do not read new lines first.")


def limit(default: int, most: int, of: str = "N") -> Callable[[F], F]:
    told = f"At most {of}, up to {most}. [{default}]"
    return click.option("--limit", type=int, default=default, metavar="N", help=told)


# --- what a statement is ---

quotes = click.option(
    "--quote", "quotes", multiple=True, type=text, metavar="WORDS", help="Words that were said; may be repeated."
)
events = click.option(
    "--event", "events", multiple=True, type=text, metavar="ID", help="The event it comes from; may be repeated."
)
kind = click.option(
    "--kind",
    type=click.Choice(["memory", "knowledge", "cognition"]),
    help="What happened, what is so, or how to go about things.",
)
type_ = click.option("--type", "type_", type=text, metavar="TYPE", help="Finer: decision, fact, rule, lesson …")
name = click.option("--name", type=text, metavar="NAME", help="A name to call it by, unique where it applies.")
tags = click.option("--tag", "tags", multiple=True, type=text, metavar="TAG", help="A word to group by; repeatable.")
confidence = click.option("--confidence", type=float, metavar="0–1", help="How sure it is. [0.8]")
importance = click.option("--importance", type=float, metavar="0–1", help="How much it matters. [0.5]")
valid_from = click.option("--valid-from", type=text, metavar="TIME", help="Not so before a time.")
valid_to = click.option("--valid-to", type=text, metavar="TIME", help="Not so from a time on.")
