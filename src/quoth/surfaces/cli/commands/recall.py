"""`quoth recall`: what a prompt should know about a question, as a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from quoth.core.errors import ConfigBroken, InvalidArgument
from quoth.surfaces.cli import options
from quoth.surfaces.cli.failures import DONE, NOTHING_FOUND
from quoth.surfaces.cli.fresh import read_new, say_empty
from quoth.surfaces.cli.verb import Call, verb

if TYPE_CHECKING:
    from quoth.services.recall_block import Told

_WAIT_MS = 3_000  # a person would rather wait for the model than miss what it finds


@verb(
    section="Find",
    examples=[
        'quoth recall "why did we move off Redis"',
        'quoth recall "какой порт у сервиса заказов" --budget 2000',
        'quoth recall "deploy steps" --type rule --type lesson --scope repository',
        'quoth recall "retry policy" --as-of 2026-03-01 --explain',
    ],
)
@click.argument("words", nargs=-1, type=options.text, required=True)
@options.combined(
    click.option("--budget", type=int, default=6_500, metavar="N", help="At most N characters, all counted. [6500]"),
    click.option("--unit", type=click.Choice(["chars", "tokens"]), default="chars", help="What is counted. [chars]"),
    click.option(
        "--quota", "quotas", multiple=True, type=options.text, metavar="TYPE=N", help="At most N of a type; may repeat."
    ),
    click.option(
        "--type", "types", multiple=True, type=options.text, metavar="TYPE",
        help="Only this type; `said` is what was said in sessions. May repeat.",
    ),
    click.option(
        "--scope", type=click.Choice(["all", "repository"]), default="all",
        help="Prefer this place, or leave out everything else. [all]",
    ),
    click.option(
        "--project", type=options.text, metavar="PROJECT",
        help="As if asked in that project: name, owner/name, or a path in it.",
    ),
    click.option("--as-of", type=options.text, metavar="TIME", help="As memory was then: 7d, 2026-03-01, ISO 8601."),
    click.option("--outdated", "include_outdated", is_flag=True, help="Also what was replaced."),
    click.option("--explain", is_flag=True, help="Say why each item stands where it does."),
    options.no_sync,
)  # fmt: skip
def recall(
    call: Call,
    *,
    words: tuple[str, ...],
    budget: int,
    unit: str,
    quotas: Sequence[str],
    types: Sequence[str],
    scope: str,
    project: str | None,
    as_of: str | None,
    include_outdated: bool,
    explain: bool,
    no_sync: bool,
) -> int:
    """Recall what matters for a question, as a block for a prompt.

    Ranked by the words and the meaning they share with WORDS, in any language, and packed into the budget. Where
    nothing is relevant it says so and ends with status 3. The model answers from the worker; without it words decide.
    """
    status = 0 if no_sync else read_new(call)
    told = call.kernel.recall_block.run(
        " ".join(words),
        budget=budget,
        unit=unit,
        quotas=dict(map(_quota, quotas)),
        types=types,
        scope=scope,
        project=project,
        as_of=as_of,
        include_outdated=include_outdated,
        explain=explain,
        is_aside=not call.terminal.as_json,
        wait_ms=_patience(call),
    )
    if call.terminal.as_json:
        call.terminal.answer(told.answer())
    else:
        _show(call, told, budget, is_explained=explain)
    return status or (DONE if told.ranking.items else NOTHING_FOUND)


def _show(call: Call, told: Told, budget: int, *, is_explained: bool) -> None:
    if told.block.items:
        _show_block(call, told, budget, is_explained=is_explained)
    elif told.ranking.items:
        call.terminal.note(_left_out(told, budget))
    else:
        is_new = not call.kernel.memory.entries.count()
        call.terminal.note(
            (say_empty(call) if is_new else None) or told.block.text or "Nothing relevant is remembered."
        )
    if told.ranking.model is None and _has_model(call):
        call.terminal.hint("Found by words alone: `quoth status` says why the model did not answer.")


def _show_block(call: Call, told: Told, budget: int, *, is_explained: bool) -> None:
    call.terminal.block(told.block.text)
    if is_explained:
        from quoth.surfaces.cli.shown import reasons

        call.terminal.show("", reasons.listed(told.block.items))
    if told.block.dropped:
        call.terminal.hint(f"{told.block.dropped} more had no room: try --budget {_larger(budget)}")


def _left_out(told: Told, budget: int) -> str:
    if not told.block.dropped:
        return "All that was found is left out by --quota."
    return f"Of {told.block.dropped} found, nothing has room: try --budget {_larger(budget)}"


def _larger(budget: int) -> int:
    return max(2 * budget, 1_000)


def _patience(call: Call) -> int | None:
    """Return how long the model is waited for; one that failed when it was last tried, no longer than by any door."""
    try:
        known = call.kernel.embedding_notes.read()
    except (ConfigBroken, OSError):
        return _WAIT_MS
    return None if known and known.failed else _WAIT_MS


def _has_model(call: Call) -> bool:
    """Tell whether a model should have answered; where the settings can't be read, status says so."""
    try:
        return call.kernel.embedder_name is not None
    except (ConfigBroken, OSError):
        return True


def _quota(given: str) -> tuple[str, int]:
    name, _, most = given.partition("=")
    if not name.strip() or not most.strip().isdecimal():
        raise InvalidArgument("--quota", "a type and a number, such as decision=5")
    return name.strip(), int(most)


COMMAND = recall
