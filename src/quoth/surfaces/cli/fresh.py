"""Read new lines before answering, and say why when that was not possible; the answer comes either way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from quoth.core.errors import Busy, StoreFailed
from quoth.core.model import Json
from quoth.core.times import local_iso
from quoth.surfaces.cli.failures import DONE, FAILED
from quoth.surfaces.cli.meters import meter
from quoth.surfaces.cli.verb import Call

_PATIENCE = 1.0  # seconds for another process that reads the logs


def read_new(call: Call) -> int:
    """Ingest and return the exit status that a command ends with when it finds something.

    The first time of all is left to `quoth sync`: it says what it would read, and the person may exclude some of it.
    """
    if call.kernel.index.last_pass() is None:
        return DONE
    try:
        with meter(call.terminal, "Reading new lines") as shown:
            report = replace(call.kernel.ingest, lock=lambda: call.kernel.lock(_PATIENCE)).run(shown)
    except Busy:
        call.terminal.note("Another process is reading the logs; this answer has what is stored so far.")
        return DONE
    except StoreFailed as error:
        call.terminal.note(f"{error} This answer has what is stored so far.")
        return FAILED
    if report.paused_until is not None:
        call.terminal.note(f"{paused(report.paused_until)} This answer has what was read before.")
    elif report.failed:
        call.terminal.note(f"Not everything could be read ({report.failed} failed); `quoth sync` says what.")
    return DONE


def say_empty(call: Call) -> str | None:
    """Return what to do when nothing is kept yet; None when something is."""
    answer = call.kernel.status.run()
    sources = cast("Sequence[Mapping[str, Json]]", answer["sources"])
    return None if any(source["events"] for source in sources) else f"Nothing is kept yet. {answer['next']}"


def paused(until: int) -> str:
    """Say that reading is paused; an end beyond the year 9000 means that none was said."""
    end = local_iso(until)
    when = "" if end >= "9" else f" until {end[:16].replace('T', ' ')}"
    return f"Reading is paused{when}; `quoth sync --resume` goes on."
