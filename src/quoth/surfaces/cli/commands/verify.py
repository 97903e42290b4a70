"""`quoth verify`: prove that nothing of memory was changed behind your back."""

from __future__ import annotations

from typing import cast

from quoth.core.model import Json
from quoth.surfaces.cli.failures import DONE, FAILED
from quoth.surfaces.cli.meters import meter
from quoth.surfaces.cli.verb import Call, verb


@verb(section="Look after", examples=["quoth verify", "quoth verify --json"])
def verify(call: Call) -> int:
    """Prove the ledger, and every citation down to the line it comes from.

    Nothing is written. What only another of your devices has is counted as elsewhere. The exit code is 1 when something
    was found.
    """
    with meter(call.terminal, "Verifying", always=True, counts=True) as shown:
        answer = call.kernel.verify.run(shown)
    if call.terminal.as_json:
        call.terminal.answer(answer)
    else:
        _show(call, answer)
    return DONE if answer["ok"] else FAILED


def _show(call: Call, answer: dict[str, Json]) -> None:
    from quoth.surfaces.cli.shown.proofs import findings, proved

    if answer["findings"]:
        call.terminal.show(findings(cast("list[dict[str, str]]", answer["findings"])))
    call.terminal.show(proved(answer))


COMMAND = verify
