"""`quoth sync`: read what the agents wrote since the last time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from quoth.core.errors import UnknownSource
from quoth.core.ids import SourceId
from quoth.core.model import Json
from quoth.core.times import local_iso
from quoth.services.ingest import Look, Report
from quoth.surfaces.cli.failures import DONE, FAILED
from quoth.surfaces.cli.fresh import paused
from quoth.surfaces.cli.meters import meter
from quoth.surfaces.cli.verb import Call, verb

_UNTIL_RESUMED = ""
_NO_LOGS = "No agent keeps logs here that could be read; `quoth doctor` says where they were looked for."


@verb(
    section="Begin",
    examples=[
        "quoth sync --dry-run",
        "quoth sync",
        "quoth sync --source codex",
        "quoth sync --watch",
        "quoth sync --pause 2h",
    ],
)
@click.option("--dry-run", is_flag=True, help="Only say what would be read, how much, and about how long it takes.")
@click.option("--watch", is_flag=True, help="Keep reading until Ctrl-C.")
@click.option("--every", type=click.FloatRange(0.1), metavar="SECONDS", help="With --watch: seconds between two looks.")
@click.option("--source", "sources", multiple=True, metavar="SOURCE", help="Only this agent; may be repeated.")
@click.option(
    "--pause",
    is_flag=False,
    flag_value=_UNTIL_RESUMED,
    metavar="[DURATION]",
    help="Read nothing for a while (30m, 2h, 7d), or until --resume.",
)
@click.option("--resume", is_flag=True, help="Read again after --pause.")
def sync(
    call: Call,
    *,
    dry_run: bool,
    watch: bool,
    every: float | None,
    sources: tuple[str, ...],
    pause: str | None,
    resume: bool,
) -> int:
    """Read what your agents wrote since the last time.

    Everything is kept exactly and made findable. Nothing is changed in the agents' folders, and nothing leaves this
    machine.
    """
    _demand_one({"--pause": pause is not None, "--resume": resume, "--dry-run": dry_run, "--watch": watch})
    if every is not None and not watch:
        raise click.UsageError("--every goes with --watch.")
    if pause is not None:
        return _pause(call, pause)
    if resume:
        return _resume(call)
    only = _known(call, sources)
    if dry_run:
        return _look(call, only)
    if watch:
        return _watch(call, every, only)
    if call.kernel.status.run()["last_sync"] is None and call.terminal.is_interactive:
        _look(call, only)
    with meter(call.terminal, "Reading", always=True) as shown:
        report = call.kernel.ingest.run(shown, only=only)
    return _tell(call, report)


def _demand_one(chosen: Mapping[str, bool]) -> None:
    given = [option for option, is_given in chosen.items() if is_given]
    if len(given) > 1:
        raise click.UsageError(f"Say either {' or '.join(given)}.")


def _known(call: Call, sources: Sequence[str]) -> Sequence[SourceId]:
    known = [*call.kernel.adapters]
    for source in sources:
        if source not in known:
            raise UnknownSource(source, known)
    return [SourceId(source) for source in sources]


def _pause(call: Call, length: str) -> int:
    until = call.kernel.pause.pause(None if length == _UNTIL_RESUMED else length)
    return _answer(call, {"paused_until": local_iso(until)}, paused(until))


def _resume(call: Call) -> int:
    was_paused = call.kernel.pause.resume()
    return _answer(call, {"paused_until": None}, "Reading goes on." if was_paused else "Reading was not paused.")


def _answer(call: Call, answer: Json, sentence: str) -> int:
    if call.terminal.as_json:
        call.terminal.answer(answer)
    call.terminal.say(sentence)
    return DONE


def _look(call: Call, only: Sequence[SourceId]) -> int:
    looks = call.kernel.ingest.look(only)
    if call.terminal.as_json:
        call.terminal.answer({"roots": [_look_shape(look) for look in looks]})
        return DONE
    from quoth.surfaces.cli.shown.reports import first_look

    call.terminal.show(first_look(looks, call.kernel.user_home))
    if not any(look.files for look in looks):
        call.terminal.note(_NO_LOGS)
    return DONE


def _watch(call: Call, every: float | None, only: Sequence[SourceId]) -> int:
    interval = call.kernel.settings.watch_interval_ms if every is None else int(every * 1000)
    call.terminal.note("Watching the logs; Ctrl-C ends it.")
    with meter(call.terminal, "Reading") as shown:
        call.kernel.watch.run(shown, lambda report: _tell_change(call, report), interval_ms=interval, only=only)
    return DONE


def _tell_change(call: Call, report: Report) -> None:
    if report.events or report.failed:
        _tell(call, report)


def _tell(call: Call, report: Report) -> int:
    if call.terminal.as_json:
        call.terminal.answer(_shape(report))
    elif report.paused_until is None:
        from quoth.surfaces.cli.shown.reports import report as shown

        call.terminal.show(shown(report.sources))
    _tell_problems(call, report)
    return FAILED if report.failed else DONE


def _tell_problems(call: Call, report: Report) -> None:
    from quoth.surfaces.cli.shown.reports import reasons

    if report.paused_until is not None:
        call.terminal.note(paused(report.paused_until))
    skipped = [thing for source in report.sources for thing in source.skipped]
    if skipped:
        call.terminal.note("\n".join(["Not read:", *reasons(skipped)]))
    elif report.paused_until is None and not any(source.files for source in report.sources):
        call.terminal.note(_NO_LOGS)
    elif report.events:
        call.terminal.hint("Find something: quoth search WORDS    See the sessions: quoth timeline")


def _look_shape(look: Look) -> Json:
    return {
        "source": look.source,
        "root": look.root,
        "files": look.files,
        "changed": look.changed,
        "bytes": look.bytes,
        "excluded": look.excluded,
    }


def _shape(report: Report) -> Json:
    return {
        "sources": [
            {
                "source": source.source,
                "files": source.files,
                "changed": source.changed,
                "bytes": source.read,
                "events": source.events,
                "excluded": source.excluded,
                "failed": source.failed,
                "skipped": [{"path": thing.path, "reason": thing.reason} for thing in source.skipped],
            }
            for source in report.sources
        ],
        "paused_until": None if report.paused_until is None else local_iso(report.paused_until),
    }


COMMAND = sync
