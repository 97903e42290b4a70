"""Watch: read new lines again and again, until asked to stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from quoth.core.errors import Busy
from quoth.core.ids import SourceId
from quoth.core.ports import Meter
from quoth.services.ingest import Ingest, Report


@dataclass(frozen=True, slots=True)
class Watch:
    """`wait(seconds)` returns True when the person wants it to end. `ingest` is asked for each time: another process
    may have put a new index in place meanwhile."""

    ingest: Callable[[], Ingest]
    wait: Callable[[float], bool]

    def run(
        self, meter: Meter, tell: Callable[[Report], None], *, interval_ms: int, only: Sequence[SourceId] = ()
    ) -> None:
        """Ingest at once and then every `interval_ms` (0: once), telling each report; another process's turn is waited
        out."""
        while True:
            with suppress(Busy):
                tell(self.ingest().run(meter, only=only))
            if not interval_ms or self.wait(interval_ms / 1000):
                return
