"""`quoth judge`: say that an entry is wrong, surer, unsafe or over, and list what was judged."""

from __future__ import annotations

import click

from quoth.core.judging import Action
from quoth.surfaces.cli import options
from quoth.surfaces.cli.entry_shapes import shapes_of
from quoth.surfaces.cli.person import TERMINAL, demand_person, speaker
from quoth.surfaces.cli.verb import Call, verb

_VERDICTS = ("negate", "confirm", "demote", "replace", "quarantine", "release", "seal", "tombstone", "lesson")
_STATES = ("negated", "quarantined", "sealed", "destroyed")
_ACTIONS = {"lesson": Action.DERIVE_LESSON}
_CONFIRMS = {"actual": Action.CONFIRM_ACTUAL, "necessary": Action.CONFIRM_NECESSARY}
_WITH_WORDS = {"replace", "lesson"}


@verb(
    section="Remember",
    examples=[
        'quoth judge negate a1b2c3d4 --reason "we never did that"',
        'quoth judge confirm a1b2c3d4 --to necessary --reason "the contract says so"',
        'quoth judge lesson a1b2c3d4 "Keys do not belong into chats." --reason "a key was in it"',
        "quoth judge --list --state quarantined",
    ],
)
@click.argument("verdict", required=False, type=click.Choice(_VERDICTS))
@click.argument("id_", metavar="[ID]", required=False, type=options.text)
@click.argument("words", metavar="[WORDS]...", nargs=-1, type=options.text)
@options.combined(
    click.option("--reason", type=options.text, metavar="WHY", help="Why; it is kept for good."),
    click.option(
        "--to", "strength", type=click.Choice(list(_CONFIRMS)), help="How sure it is confirmed to be. [actual]"
    ),
    click.option("--list", "is_list", is_flag=True, help="List the entries that were judged."),
    click.option("--state", type=click.Choice(_STATES), help="Only those in one state."),
)
def judge(
    call: Call,
    *,
    verdict: str | None,
    id_: str | None,
    words: tuple[str, ...],
    reason: str | None,
    strength: str | None,
    is_list: bool,
    state: str | None,
) -> None:
    """Judge an entry: how far it is believed, and who may see it.

    negate: it is wrong. confirm, demote: it is a fact, a must, or only a guess. replace: WORDS take its place, also
    when it was negated or replaced before. quarantine: nobody is shown it until you release it. seal: nobody is shown
    it again. lesson: it is sealed, and WORDS say what was learned. tombstone: its words are destroyed for ever.
    """
    _demand_sense(verdict, id_, words, reason, strength, is_list=is_list, state=state)
    if verdict is None or id_ is None:
        _list(call, state)
        return
    if verdict == "release":
        demand_person(call, "release a quarantined entry")
    action = _CONFIRMS[strength or "actual"] if verdict == "confirm" else _ACTIONS.get(verdict) or Action(verdict)
    answer = call.kernel.judge.run(
        id_,
        action,
        reason or "",
        by=speaker(call),
        content=" ".join(words) if words else None,
        how=TERMINAL if verdict == "release" else "",
    )
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.judged import judged

    call.terminal.show(judged(answer))


def _demand_sense(
    verdict: str | None,
    id_: str | None,
    words: tuple[str, ...],
    reason: str | None,
    strength: str | None,
    *,
    is_list: bool,
    state: str | None,
) -> None:
    if is_list == bool(verdict) or bool(verdict) != bool(id_):
        raise click.UsageError("Say what to judge: a verdict and an ID, or --list alone.")
    if state and not is_list:
        raise click.UsageError("--state goes with --list.")
    if verdict and not (reason or "").strip():
        raise click.UsageError("Say why: --reason.")
    if verdict and bool(words) != (verdict in _WITH_WORDS):
        raise click.UsageError("WORDS go with `replace` and `lesson`, and with nothing else.")
    if strength and verdict != "confirm":
        raise click.UsageError("--to goes with `confirm`.")


def _list(call: Call, state: str | None) -> None:
    listed = call.kernel.judge.listed(state)
    if call.terminal.as_json:
        call.terminal.answer({"entries": listed})
    elif not listed:
        call.terminal.note("Nothing was judged." if state is None else f"Nothing is {state}.")
    else:
        from quoth.surfaces.cli.shown.judged import judged_entries

        call.terminal.page(judged_entries(shapes_of(listed)))
        call.terminal.hint("See how that came: quoth history ID --audit")


COMMAND = judge
