"""`quoth mcp`: put a dialect, the archive and two pipes together, importing only what the first answer needs."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from quoth import _plugins
from quoth._version import __version__
from quoth.surfaces.mcp.archive import Archive
from quoth.surfaces.mcp.dialect import Dialect
from quoth.surfaces.mcp.freshness import Freshness, Pass
from quoth.surfaces.mcp.sealing import Seal
from quoth.surfaces.mcp.server import Server
from quoth.surfaces.mcp.stdio import Output, Stdio

if TYPE_CHECKING:
    from quoth.wiring import Kernel

_DIALECTS = "quoth.surfaces.mcp.dialects"
_LAST = 5.0  # seconds from the end of the client to the end of the server
_DEFAULT_INTERVAL_MS = 60_000


@dataclass(frozen=True)
class Options:
    dialect: str = "quoth"
    unknown: tuple[str, ...] = ()


class _Ended(BaseException):
    """Raised in the reading thread when the host asks the server to end."""


def main(arguments: Sequence[str]) -> int:
    """Serve until the client goes, and return the exit status."""
    output = Output(_own_stdout())
    options = parse(arguments)
    for name in options.unknown:
        _tell(f"unknown option {name!a} is ignored")
    dialect = load(options.dialect)
    if dialect is None:
        known = ", ".join(_plugins.names(_DIALECTS))
        _tell(f"unknown dialect {options.dialect!a}; the dialects are {known}")
        return 2
    if os.isatty(0):
        _tell("agents start this by themselves (`quoth link`); it reads messages of the protocol, and Ctrl-D ends it")
    return _serve(dialect, output)


def parse(arguments: Sequence[str]) -> Options:
    """Read the options; an unknown one must not keep an agent from its memory (ENG-8)."""
    dialect, unknown, rest = "quoth", [], iter(arguments)
    for each in rest:
        name, equals, value = each.partition("=")
        if name == "--dialect":
            dialect = value if equals else next(rest, "")
        elif each != "--json":  # every command has it; here everything is JSON
            unknown.append(name)
    return Options(dialect, tuple(unknown))


def load(name: str) -> Dialect[Archive] | None:
    """Return the dialect of that name."""
    if "_" in name or not name.replace("-", "").isidentifier():
        return None
    try:
        dialect = _plugins.load(_DIALECTS, name, "DIALECT")
    except ModuleNotFoundError:
        if name in _plugins.names(_DIALECTS):
            raise
        return None
    return dialect if isinstance(dialect, Dialect) else None


def _serve(dialect: Dialect[Archive], output: Output) -> int:
    freshness = Freshness(_start_pass)
    archive = Archive(_kernel, freshness)
    seal = Seal(now=time.monotonic, random=os.urandom)
    stdio = Stdio(Server(dialect, archive, version=__version__, seal=seal, report=_report), output)
    watcher = threading.Thread(target=freshness.watch, args=(stdio.has_listed, _interval_ms), daemon=True)
    signal.signal(signal.SIGTERM, _end)
    try:
        watcher.start()
        with open(0, "rb", closefd=False) as stream:
            stdio.serve(stream)
    except (_Ended, KeyboardInterrupt, OSError):
        pass
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whoever asks twice does not want to wait
    end = time.monotonic() + _LAST
    last = threading.Thread(target=freshness.end, args=(_LAST,), daemon=True)
    last.start()
    if stdio.drain(_LAST):
        archive.close()
    last.join(max(0.0, end - time.monotonic()) + 1)
    os._exit(0)  # no thread that still waits for something may hold the host up


def _start_pass(unless_ms: int) -> Pass:
    from quoth.surfaces.mcp import passes

    return passes.begin(unless_ms)


def _kernel() -> Kernel:
    from quoth.wiring import Kernel

    return Kernel.from_environment()


def _interval_ms() -> int:
    from quoth.core.errors import QuothError

    try:
        return _kernel().settings.watch_interval_ms
    except QuothError as error:
        _tell(str(error))
    except (OSError, ValueError) as error:
        _report(error)
    return _DEFAULT_INTERVAL_MS


def _own_stdout() -> int:
    """Keep standard output for messages alone: what anything else prints goes to standard error, or nowhere."""
    descriptor = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # the host closed standard error
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = sys.stderr
    for pipe in (0, descriptor):
        with suppress(OSError, AttributeError):  # Windows can't, before Python 3.12
            os.set_blocking(pipe, True)
    return descriptor


def _end(*_: object) -> NoReturn:
    raise _Ended


def _report(error: Exception) -> None:
    """Say where something failed; what it says of itself may hold words of a log."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "an unknown place"
    _tell(f"{type(error).__name__} at {where}")


def _tell(sentence: str) -> None:
    with suppress(OSError, ValueError):  # nobody listens
        print(f"quoth mcp: {sentence}", file=sys.stderr, flush=True)
