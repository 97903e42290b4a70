"""Show memory: a statement with its quote, put right, traced, forgotten, restored, proved."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from quoth.core.memory import Quoted
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.surfaces.cli.demo.board import Board
from quoth.surfaces.cli.entry_shapes import entries_of, entry_of, versions_of
from quoth.surfaces.cli.shapes import sources_of
from quoth.surfaces.cli.shown import entries, forgotten, layout, lines, proofs

if TYPE_CHECKING:
    from quoth.wiring import Kernel

_SAID = "Deposits for wedding cakes: 30 % of orders over 150, refunded in full until 7 days before pickup."
_RIGHT = "Deposits for wedding cakes: 30 % of orders over 150, refunded in full until 14 days before pickup."
_QUOTE = "Full refund until 7 days before"
_WHY = "the flour is ordered two weeks ahead"
_WORDS = "deposits wedding pickup"
_REASON = "the shop gave up wedding cakes"
_AGENT = Speaker("claude-code")
_SECONDS = 15


@dataclass
class Remembering:
    """Plays the steps in the throw-away home. `env` is what a command gets that the demo starts as an agent would."""

    kernel: Kernel
    board: Board
    env: Mapping[str, str]
    folder: Path
    answers: dict[str, Json] = field(default_factory=dict)

    def play(self) -> None:
        entry = self._remember()
        entry = self._correct(entry)
        self._trace(entry)
        self._forget(entry)
        self._prove()

    def _remember(self) -> str:
        typed = f'quoth remember "{_SAID}" --type decision --quote "{_QUOTE}"'
        self.board.step("Keep what was learned, with the words it comes from", typed)
        run = self.kernel.remember.run
        answer = run(_SAID, by=_AGENT, type="decision", sources=[Quoted(quote=_QUOTE)], project="crumb")
        self.answers["quoth remember"] = answer
        self.board.show(entries.remembered(answer))
        return entry_of(answer)["id"]

    def _correct(self, entry: str) -> str:
        typed = f'quoth correct {entry[-8:]} "… until 14 days before pickup." --reason "{_WHY}"'
        self.board.step("Put it right: a correction never erases", typed)
        corrected = self.kernel.correct.run(entry, _RIGHT, by=_AGENT, reason=_WHY)
        current = entry_of(corrected)["id"]
        self.board.show(entries.corrected(corrected), Text())
        self.board.typed(f"quoth history {current[-8:]}")
        told = self.kernel.history.run(current)
        self.answers["quoth history"] = told
        self.board.show(entries.versions(versions_of(told)))
        return current

    def _trace(self, entry: str) -> None:
        self.board.step("See the line that a statement comes from", f"quoth sources {entry[-8:]}")
        (source,) = sources_of(self.kernel.sources.run(entry, limit=None))
        shown = lines.place({**source, "original_file": source["original_file"].replace(str(self.folder), "~")})
        self.board.show(*lines.quoted(source), shown, layout.indented(lines.content(source["raw"], laid_out=False)))

    def _forget(self, entry: str) -> None:
        typed = f'quoth forget {entry[-8:]} --reason "{_REASON}"'
        self.board.step("Forget it, and have it back", typed, "only you can restore: an agent's shell is refused")
        answer = self.kernel.forget.run(entry, _REASON, by=_AGENT)
        tombstone = str(answer["tombstone"])
        self.answers["quoth forget"] = answer
        hidden = forgotten.hidden(answer, self.kernel.forget.entries, is_dry=False)
        self.board.show(hidden, self._found(), Text())
        self.board.typed(f"quoth restore {tombstone}", "as an agent would call it, without a terminal")
        self.answers["refused"] = refused = self._refused(tombstone)
        self.board.show(Text(refused, style="yellow", overflow="fold"), Text())
        restored = self.kernel.undo.run(tombstone, by=Speaker(), how="demo")
        self.answers["quoth restore"] = restored
        self.board.typed(f"quoth restore {tombstone}", "by you, in a terminal")
        self.board.show(forgotten.restored(restored, self.kernel.forget.entries), self._found())

    def _found(self) -> Text:
        found = len(entries_of(self.kernel.search.run(_WORDS, target="entries")))
        return Text(f'(`quoth search "{_WORDS}" --in entries` finds {found} now)', style="dim")

    def _refused(self, tombstone: str) -> str:
        command = (sys.executable, "-P", "-m", "quoth", "restore", tombstone)
        done = subprocess.run(
            command, env=dict(self.env), cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
        return done.stderr.decode("utf-8", "replace").strip()

    def _prove(self) -> None:
        self.board.step("Prove all of it: chains, payloads, quotes", "quoth verify")
        answer = self.kernel.verify.run()
        self.answers["quoth verify"] = answer
        self.board.show(proofs.proved(answer))
