"""Turn what went wrong into a sentence on standard error and an exit status (QUO-10)."""

from __future__ import annotations

import sys
import traceback

import click

from quoth.core.errors import Invalid, QuothError, Unknown, UnknownId
from quoth.core.ids import advice
from quoth.surfaces.cli.terminal import Terminal, to_json

DONE, FAILED, WRONG_USE, NOTHING_FOUND, INTERRUPTED = 0, 1, 2, 3, 130


def status_of(error: QuothError) -> int:
    match error:
        case Invalid():
            return WRONG_USE
        case Unknown():
            return NOTHING_FOUND
        case _:
            return FAILED


def report(error: Exception, *, as_json: bool, debug: bool) -> int:
    """Say what went wrong and return the exit status. Only `debug` shows a trace: it may hold words of a log."""
    if debug:
        traceback.print_exception(error)
    match error:
        case UnknownId():  # a person gives what was cut off somewhere
            code, message, status = error.code, f"{error} {advice(error.given)}".rstrip(), NOTHING_FOUND
        case QuothError():
            code, message, status = error.code, str(error), status_of(error)
        case click.UsageError():
            code, message, status = "wrong_use", _usage(error, as_json), WRONG_USE
        case click.ClickException():
            code, message, status = "failed", error.format_message(), FAILED
        case _:
            code, message, status = "internal", _unexpected(error), FAILED
    if as_json:
        print(to_json({"error": {"code": code, "message": message}}, indent=False, stream=sys.stderr), file=sys.stderr)
    else:
        Terminal().note(message)
    return status


def _usage(error: click.UsageError, as_json: bool) -> str:
    message = error.format_message()
    command = error.ctx.command_path if error.ctx else "quoth"
    return message if as_json else f"{message}\n`{command} --help` shows how to use it."


def _unexpected(error: Exception) -> str:
    return f"Something unexpected happened ({type(error).__name__}). QUOTH_DEBUG=1 shows where."
