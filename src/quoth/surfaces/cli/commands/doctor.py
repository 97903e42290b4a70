"""`quoth doctor`: check that everything is there and readable."""

from __future__ import annotations

import click

from quoth.surfaces.cli.failures import DONE, FAILED
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth doctor", "quoth doctor --fix", "quoth doctor --json"])
@click.option("--fix", is_flag=True, help="Mend what can be mended without losing anything.")
@click.option("--deep", is_flag=True, help="Read every kept byte; that takes a while.")
def doctor(call: Call, *, fix: bool, deep: bool) -> int:
    """Check that all is there, and say what to do.

    Without --fix nothing is written. The exit code is 1 when a check failed; a warning is no failure.
    """
    found = call.kernel.doctor.run(deep=deep, fix=fix)
    if call.terminal.as_json:
        call.terminal.answer({"checks": [check.shape() for check in found]})
    else:
        from quoth.surfaces.cli.shown.state import checks

        call.terminal.show(checks(found))
    return FAILED if any(check.status == "fail" for check in found) else DONE


COMMAND = doctor
