"""The course of a session for the formats that have no peculiarities of their own here: questions, calls, answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bench.logs import Plan
from bench.prose import Prose


@dataclass(frozen=True)
class Call:
    """One use of a tool. `id` is unique."""

    id: str
    tool: str
    given: dict[str, str]
    output: str


class Scribe(Protocol):
    """Writes what happens in the format of one agent. A call counts as two events, its result included."""

    def ask(self, text: str) -> None: ...

    def call(self, call: Call) -> None: ...

    def answer(self, text: str) -> None: ...


def run(scribe: Scribe, plan: Plan, prose: Prose) -> None:
    """Let a session take its course until it has as many events as planned."""
    left = plan.size
    while left:
        scribe.ask(prose.prompt(plan.language))
        left -= 1
        for _ in range(int(prose.random.expovariate(1 / 4.5))):
            if left < 2:
                break
            scribe.call(_call(plan, prose))
            left -= 2
        if left:
            scribe.answer(prose.answer(plan.language))
            left -= 1


def _call(plan: Plan, prose: Prose) -> Call:
    path = f"{plan.cwd}/{prose.path()}"
    tool, given = prose.random.choice(
        (
            ("read", {"path": path}),
            ("grep", {"pattern": prose.identifiers.one(), "path": "src"}),
            ("run", {"command": f"rg -n {prose.identifiers.one()} {path}"}),
            ("write", {"path": path, "content": prose.code(9)}),
        )
    )
    return Call(f"call_{prose.hexadecimal(24)}", tool, given, prose.output(plan.language))
