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


def limit(default: int, most: int) -> Callable[[F], F]:
    return click.option("--limit", type=int, default=default, metavar="N", help=f"At most N, up to {most}. [{default}]")
