"""Show what bare `quoth` shows: how things stand and the next step; at first, what was found on this disk."""

from __future__ import annotations

from quoth.surfaces.cli.failures import DONE
from quoth.surfaces.cli.verb import Call


def show_overview(call: Call) -> int:
    answer = call.kernel.status.run()
    if call.terminal.as_json:
        call.terminal.answer(answer)
        return DONE
    from quoth.surfaces.cli.shown.state import next_step, sources, sources_of

    kept = sources_of(answer)
    if answer["last_sync"] is None and not any(source["files"] for source in kept):
        _show_first(call)
    else:
        call.terminal.show(sources(kept), "")
    call.terminal.show(next_step(answer))
    call.terminal.hint("All commands: quoth --help")
    return DONE


def _show_first(call: Call) -> None:
    from rich.text import Text

    from quoth.surfaces.cli.shown.reports import first_look

    looks = [look for look in call.kernel.ingest.look() if look.files]
    call.terminal.show(Text("Quoth keeps what you and your coding agents said, and finds it again.", style="bold"), "")
    if looks:
        call.terminal.show(Text("Found on this machine:"), first_look(looks, call.kernel.user_home), "")
