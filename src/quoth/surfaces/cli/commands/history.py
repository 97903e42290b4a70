"""`quoth history`: every version of an entry."""

from __future__ import annotations

import click

from quoth.surfaces.cli import options
from quoth.surfaces.cli.entry_shapes import versions_of
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Remember", examples=["quoth history a1b2c3d4", "quoth history a1b2c3d4 --audit"])
@click.argument("id_", metavar="ID", type=options.text)
@click.option("--audit", "is_audit", is_flag=True, help="How the version of this ID was judged, step by step.")
def history(call: Call, *, id_: str, is_audit: bool) -> None:
    """Show every version of an entry, the oldest first.

    Who wrote each, when and why, and which of several that did not know each other counts.
    """
    if is_audit:
        _audit(call, id_)
        return
    answer = call.kernel.history.run(id_)
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.entries import versions

    call.terminal.show(versions(versions_of(answer)))


def _audit(call: Call, id_: str) -> None:
    answer = call.kernel.audit.run(id_)
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return
    from quoth.surfaces.cli.shown.judged import audited

    call.terminal.show(audited(answer))


COMMAND = history
