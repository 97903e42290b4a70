"""The `quoth` command: finds its commands by file name, imports only the one that is asked for, and ends quietly."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import cast

import click

from quoth import _plugins
from quoth._version import __version__
from quoth.surfaces.cli.failures import DONE, INTERRUPTED, report
from quoth.surfaces.cli.terminal import Terminal, prepare_streams
from quoth.surfaces.cli.verb import Call, ReaderGone, Verb, Verbs, json_option, write_epilog
from quoth.wiring import Kernel

_COMMANDS = "quoth.surfaces.cli.commands"
_SECTIONS = ("Begin", "Find", "Remember", "Look after")
_EXAMPLES = ("quoth demo", "quoth sync", 'quoth search "rate limit"', "quoth timeline --since 30d")


class Program(click.Group):
    """The group of all commands, listed by section without a table that names them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_plugins.names(_COMMANDS))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _plugins.names(_COMMANDS):
            return None
        command = cast("Verb | Verbs", _plugins.load(_COMMANDS, cmd_name, "COMMAND"))
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.list_commands(ctx) and (like := self._like(ctx, args[0])):
            raise click.UsageError(f"No such command '{args[0]}'. Did you mean {' or '.join(like)}?", ctx)
        return super().resolve_command(ctx, args)

    def _like(self, ctx: click.Context, given: str) -> Sequence[str]:
        from difflib import get_close_matches

        return [f"`quoth {name}`" for name in get_close_matches(given, self.list_commands(ctx), n=2)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, cast("Verb | Verbs", self.get_command(ctx, name))) for name in self.list_commands(ctx)]
        room = formatter.width - 6 - max(len(name) for name, _ in commands)  # as click leaves it beside the names
        for section in (*_SECTIONS, ""):
            rows = [(name, each.get_short_help_str(room)) for name, each in commands if each.section == section]
            if rows:
                with formatter.section(section or "More"):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_epilog(formatter, _EXAMPLES)


@click.command(
    cls=Program,
    invoke_without_command=True,
    params=[json_option()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="quoth", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context, as_json: bool) -> int:
    """One memory shared by all your coding agents.

    Quoth keeps every session of your agents exactly as it was written, finds what was said in any language, and keeps
    what was learned with the words it comes from. Without a command it says how things stand and what to do next.
    """
    if context.invoked_subcommand is not None:
        return DONE
    from quoth.surfaces.cli.overview import show_overview

    return show_overview(Call(context.obj, Terminal(as_json)))


def main(args: Sequence[str]) -> int:
    """Run a command line and return the exit status."""
    prepare_streams()
    kernel = Kernel.from_environment()
    try:
        status = _run(args, kernel)
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGone):
        return _hush(DONE)
    except OSError as error:  # the disk that our output goes to is full
        return _hush(report(error, as_json="--json" in args, debug=False))
    return status


def _run(args: Sequence[str], kernel: Kernel) -> int:
    try:
        status = program.main(list(args), prog_name="quoth", standalone_mode=False, obj=kernel)
        return status if isinstance(status, int) else DONE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (BrokenPipeError, ReaderGone):
        raise
    except Exception as error:
        debug = kernel.env.get("QUOTH_DEBUG", "") not in {"", "0"}
        return report(error, as_json="--json" in args, debug=debug)
    finally:
        kernel.close()


def _hush(status: int) -> int:
    """Keep the interpreter from writing to the lost output once more at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status
