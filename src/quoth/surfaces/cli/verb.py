"""Make a command of a function: every verb has examples and exit codes in its help, and `--json`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from quoth.core.errors import InvalidArgument
from quoth.surfaces.cli.terminal import Terminal

if TYPE_CHECKING:
    from quoth.wiring import Kernel

_PHRASE_END = re.compile(r"[:;,](?= )|$")
EXIT_CODES = "0 done, 1 failed, 2 wrong use, 3 nothing found"


class ReaderGone(Exception):
    """Raised when the pipe we write into was closed."""


@dataclass(frozen=True)
class Call:
    """One use of a command: the services to ask and where to write."""

    kernel: Kernel
    terminal: Terminal


class Verb(click.Command):
    """A command whose help ends with examples and exit codes. `section` is its place in the list of commands."""

    section: str = ""
    examples: Sequence[str] = ()

    def get_short_help_str(self, limit: int = 66) -> str:
        return summary(self.help or "", limit)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_epilog(formatter, self.examples)


class Verbs(click.Group):
    """A command that has commands of its own; without one of them it lists."""

    section: str = ""
    examples: Sequence[str] = ()

    def get_short_help_str(self, limit: int = 66) -> str:
        return summary(self.help or "", limit)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, ["list", *args] if args in ([], ["--json"]) else args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_epilog(formatter, self.examples)


def summary(told: str, limit: int) -> str:
    """Return the first sentence of a help, or as many of its phrases as a line holds."""
    sentence, _, _ = f"{' '.join(told.split())} ".partition(". ")
    sentence = sentence.removesuffix(" ").removesuffix(".")
    fitting = (found.start() for found in _PHRASE_END.finditer(sentence) if found.start() < limit)
    return f"{sentence[: max(fitting, default=None)]}."


def write_epilog(formatter: click.HelpFormatter, examples: Sequence[str]) -> None:
    with formatter.section("Examples" if len(examples) > 1 else "Example"):
        for example in examples:
            formatter.write(f"{'':{formatter.current_indent}}{example}\n")
    with formatter.section("Exit codes"):
        formatter.write_text(EXIT_CODES)


def verb(
    *, examples: Sequence[str], section: str = "", name: str | None = None
) -> Callable[[Callable[..., int | None]], Verb]:
    """Make a `Verb` of a function that takes a `Call` and its options and returns an exit status (None: done)."""

    def decorate(function: Callable[..., int | None]) -> Verb:
        @functools.wraps(function)
        def invoke(*, as_json: bool, **options: object) -> int:
            kernel = click.get_current_context().find_root().obj
            try:
                return function(Call(kernel, Terminal(as_json)), **options) or 0
            except BrokenPipeError as error:  # click would make it a failure
                raise ReaderGone from error
            except InvalidArgument as error:
                raise InvalidArgument(_as_typed(error.argument), error.expected) from error

        command = click.command(name=name, cls=Verb)(invoke)
        command.examples, command.section = examples, section
        command.params.append(json_option())
        return command

    return decorate


def _as_typed(argument: str) -> str:
    """Return what a person types for an argument of a service: `--as-of` for `as_of`."""
    options = (each for each in click.get_current_context().command.params if isinstance(each, click.Option))
    return next((each.opts[0] for each in options if each.name == argument), argument)


def verbs(*, help: str, examples: Sequence[str], section: str = "") -> Verbs:  # noqa: A002 - click's own word
    """Make an empty group of verbs; its `add_command` takes them."""
    group = Verbs(help=help)
    group.examples, group.section = examples, section
    return group


def json_option() -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help="Print the answer as JSON.")
