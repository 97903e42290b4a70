"""Show the demo: each step as the command a person would type, and what it answers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quoth.core.model import Json
from quoth.surfaces.cli.demo import agent, messages
from quoth.surfaces.cli.demo.board import Board
from quoth.surfaces.cli.demo.recalling import Recalling
from quoth.surfaces.cli.demo.remembering import Remembering
from quoth.surfaces.cli.shapes import EventShape, events_of, session_of
from quoth.surfaces.cli.shown import events, reports, state, words

if TYPE_CHECKING:
    from quoth.wiring import Kernel

T = TypeVar("T")

_ABOUT = (
    "Ten invented sessions, one with a subagent, of a small bakery's ordering service, as Claude Code and Codex would "
    "have written them, in English, Chinese and Russian. They are read in a throw-away folder: your own files are not "
    "touched."
)
_NEXT = (
    ("quoth sync --dry-run", "see which logs of your agents are on this machine; nothing is read yet"),
    ("quoth sync", "read them; nothing leaves this machine, the agents' files stay as they are"),
    ("quoth search WORDS", "find what was said, in any language"),
    ("quoth recall WORDS", "what matters for a question, by words and by meaning, packed for a prompt"),
    ("quoth remember WORDS", "keep what was learned; `quoth correct`, `quoth forget` put it right"),
    ("quoth timeline", "see your sessions, each with the command that goes on with it"),
    ("quoth link", "let your agents ask by themselves; --dry-run shows what it would write"),
    ("quoth --help", "all commands"),
)


@dataclass(frozen=True)
class Question:
    """What the demo asks: what a person wants to know, the words to search for, and what that shows."""

    wish: str
    words: str
    shows: str


QUESTIONS = (
    Question("What did we decide about deposits?", "deposit refund", "every word has to be there, best match first"),
    Question("我们怎么处理时区？", "门店 时区", "Chinese, how time zones are treated: words inside a sentence"),
    Question("Когда не шлём уведомления?", "шлем уведомления", "Russian, when not to notify: е finds ё as well"),
)
_OF_AN_AGENT = "terminal secret"  # what one agent was told, asked by another


@dataclass
class Stage:
    """Plays the demo on a console. `person` is the throw-away folder; it is shown as `~`, which it is in there.

    `env` is what the server gets that the demo starts as an agent would.
    """

    kernel: Kernel
    console: Console
    person: Path
    env: Mapping[str, str]
    is_live: bool
    answers: dict[str, Json] = field(default_factory=dict)

    @cached_property
    def board(self) -> Board:
        return Board(self.console, self.is_live)

    def play(self) -> None:
        self._opening()
        self._read()
        found = [self._ask(question) for question in QUESTIONS]
        first = next(event for events_found in found for event in events_found)
        self._open(first)
        Remembering(self.kernel, self.board, self.env, self.person, self.answers).play()
        Recalling(self.kernel, self.board, self.answers).play()
        self._let_ask()
        self._stand()
        self._closing()

    def _opening(self) -> None:
        name = Text.assemble(("Quoth", "bold green"), ("  one memory shared by all your coding agents", "bold"))
        self.board.show(Text(), name, Text(), Text(_ABOUT))

    def _read(self) -> None:
        self.board.step("Read what the agents wrote", "quoth sync")
        begun = time.monotonic()
        with self.board.meter("Reading") as meter:
            report = self.kernel.ingest.run(meter)
        read = words.size(sum(source.read for source in report.sources))
        seconds = time.monotonic() - begun
        self.board.finished("Reading", f"{read}  {words.counted(report.events, 'event')}  {seconds:.1f} s")
        self.board.show(Text(), reports.report(report.sources))

    def _ask(self, question: Question) -> Sequence[EventShape]:
        typed = f'"{question.words}"' if " " in question.words else question.words
        self.board.step(question.wish, f"quoth search {typed} --limit 1", question.shows)
        answer = self.kernel.search.run(question.words, limit=1)
        self.answers[question.words] = answer
        self.board.show(events.places(events_of(answer), question.words, self.console))
        return events_of(answer)

    def _open(self, event: EventShape) -> None:
        self.board.step("Read on where it was said", f"quoth open {event['id']} --around 1")
        answer = self.kernel.timeline.session(event["session"], source=event["source"], limit=500)
        said = events_of(answer)
        at = [one["id"] for one in said].index(event["id"])
        session = session_of(answer)
        around = events.conversation(said[max(0, at - 1) : at + 2], focus=event["id"])
        resume = events.resume(session)
        self.board.show(events.heading(session), Text(), around, *([resume] if resume else []))

    def _let_ask(self) -> None:
        shows = "what an agent sends → and gets ←, shortened; `quoth link` tells yours of it"
        self.board.step("Let an agent ask, over MCP", "quoth mcp", shows)
        said = agent.ask(_OF_AN_AGENT, self.env, self.person)
        self.answers["quoth mcp"] = [{"method": e.method, "params": e.params, "result": e.result} for e in said]
        self.board.show(messages.exchanges(said))

    def _stand(self) -> None:
        self.board.step("See what is kept, and what could not be read", "quoth status")
        answer = self._at_home(self.kernel.status.run())
        self.board.show(state.status(answer))

    def _closing(self) -> None:
        table = Table.grid(padding=(0, 3, 0, 0))
        for command, what in _NEXT:
            table.add_row(Text(command, style="bold"), Text(what))
        self.board.show(Text(), self.board.rule("Now with your own sessions"), table, Text())

    def _at_home(self, answer: T) -> T:
        """Write the throw-away folder as the person's home, which it is for the kernel of the demo."""
        return _replaced(answer, str(self.person), "~")


def _replaced(value: T, old: str, new: str) -> T:
    match value:
        case str():
            return value.replace(old, new)  # type: ignore[return-value]  # the same kind of value comes back
        case Mapping():
            return {key: _replaced(item, old, new) for key, item in value.items()}  # type: ignore[return-value]
        case list() | tuple():
            return [_replaced(item, old, new) for item in value]  # type: ignore[return-value]
    return value
