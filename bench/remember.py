"""PER-6: how long remembering takes, durable, with and without reading new lines first; and eight processes at once.

Eight processes remember, correct and forget in one home while some of them are killed: whatever a process was answered
must be there in the end, and every chain must verify.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import cast

from bench.bars import Row
from bench.generate import generate
from bench.ingest import fresh, ingest
from bench.subject import Store
from quoth.core.errors import Forgotten, UnknownId
from quoth.core.ledger.operations import Draft, asserting
from quoth.core.memory import Quoted
from quoth.core.model import Json
from quoth.core.speaker import Speaker
from quoth.services._deciding import fresh_id

_FILES = 3_000
_HELD = 5_000
_EVENTS = 12_000
_TIMES = 200
_WITH_PASS = 60
_PROCESSES = 8
_EACH = 60
_AHEAD_MS = 2 * 3_600_000
_KILLED = 3  # of the eight
BY = Speaker("claude-code")
_ALONE, _WITH, _SLOWEST = 10.0, 60.0, 250.0  # milliseconds


def measure(work: Path, *, seed: int) -> Iterator[Row]:
    generate(work / "logs", events=_EVENTS, files=_FILES, seed=seed)
    store = Store(work / "logs", fresh(work / "home"), _EVENTS)
    ingest(store)
    yield _row("remember, durable, new lines read before", _alone(store), _ALONE)
    yield _row(f"remember beside {_HELD:,} entries that share words", _beside(store, Random(seed)), _ALONE)
    yield _row(f"remember with reading new lines, {_FILES:,} logs", _with_pass(store, Random(seed)), _WITH)
    yield from _together(store, seed)


def _alone(store: Store) -> Sequence[float]:
    with store.open() as kernel:
        service = replace(kernel.remember, read_recent=lambda: None)
        facts = (f"Fact number {n}." for n in range(_TIMES))
        return [_timed(partial(service.run, fact, by=BY, uncited="bench")) for fact in facts]


def _beside(store: Store, random: Random) -> Sequence[float]:
    """Remember where many entries say something of the same things."""
    with store.open() as kernel:
        service = replace(kernel.remember, read_recent=lambda: None)
        begun = service.run(_fact(random, 0), by=BY, uncited="bench")["entry"]
        first = kernel.memory.any_entry(str(cast("Mapping[str, Json]", begun)["id"])).version.statement
        assert first
        said = [replace(first, text=_fact(random, n), created_at=first.created_at + n) for n in range(1, _HELD)]
        with kernel.memory.deciding():
            drafts = (Draft(asserting(fresh_id(each.created_at), each, ()), each.author) for each in said)
            kernel.memory.append([*drafts])
        facts = [_fact(random, _HELD + n) for n in range(_TIMES)]
        return [_timed(partial(service.run, fact, by=BY, uncited="bench")) for fact in facts]


def _fact(random: Random, n: int) -> str:
    what, does, why = (random.choice(words.split()) for words in (_THINGS, _DOES, _REASONS))
    return f"The {what} of shop {n % 5} {does} port {n} because of {why} and {random.choice(_REASONS.split())}."


_THINGS = "gateway mailer ledger index frontend deployer cache queue reporter login"
_DOES = "uses opens serves logs watches tests closes leaves needs shares"
_REASONS = "speed cost safety history law habit taste tests"


class _Later:
    """A clock two hours ahead: the logs, just generated, are as old as most of a person's are."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + _AHEAD_MS


def _with_pass(store: Store, random: Random) -> Sequence[float]:
    """Remember after one log of many was appended to, each time another one."""
    taken = []
    logs = [path for path in store.files() if "claude" in path.parts and "subagents" not in path.parts]
    with store.open() as kernel:
        kernel.__dict__["clock"] = _Later()
        run = kernel.remember.run
        for n in range(_WITH_PASS):
            _append(random.choice(logs), n)
            quoted = [Quoted(quote=f"the new line of round {n} says so")]
            taken.append(_timed(partial(run, f"Late fact {n}.", by=BY, sources=quoted)))
    return taken


def _append(path: Path, n: int) -> None:
    last = json.loads(path.read_bytes().splitlines()[-1])
    record = {
        "type": "user",
        "uuid": f"00000000-0000-4000-8000-{n:012d}",
        "sessionId": last.get("sessionId") or path.stem,
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
        "message": {"role": "user", "content": f"the new line of round {n} says so"},
    }
    with path.open("ab") as file:
        file.write(json.dumps(record).encode() + b"\n")
    now = time.time() + _AHEAD_MS / 1000
    os.utime(path, (now, now))


def _timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1000


def _row(work: str, taken: Sequence[float], bar: float) -> Row:
    middle = median(taken)
    slowest = sorted(taken)[int(len(taken) * 0.99)]
    figure = f"p50 {middle:.1f} ms, p99 {slowest:.0f} ms"
    return Row("PER-6", work, figure, bar=f"p50 <= {bar:.0f} ms", ok=middle <= bar)


# --- eight processes at once ---


@dataclass(frozen=True)
class Said:
    """What the processes were answered before they ended or were killed."""

    remembered: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    taken: list[float] = field(default_factory=list)


@dataclass
class Child:
    """One of the processes, and what it printed before it was killed."""

    process: subprocess.Popen[bytes]
    heard: bytes = b""

    def kill_behind(self, answers: int) -> None:
        """Kill it as soon as it gave so many answers."""
        assert self.process.stdout is not None
        for _ in range(answers):
            self.heard += self.process.stdout.readline()
        self.process.kill()

    def answers(self) -> Sequence[tuple[str, Sequence[str], float]]:
        """Return every verb, its entries and its time that were printed; the last line may be cut."""
        out, _ = self.process.communicate()
        lines = (self.heard + out).splitlines(keepends=True)
        return [tuple(json.loads(line)) for line in lines if line.endswith(b"\n")]


def _together(store: Store, seed: int) -> Iterator[Row]:
    random = Random(seed)
    command = [sys.executable, "-m", "bench.remember", str(store.logs), str(store.home)]
    folder = Path(__file__).parents[1]
    children = [
        Child(subprocess.Popen([*command, str(number)], stdout=subprocess.PIPE, cwd=folder))
        for number in range(_PROCESSES)
    ]
    for child in random.sample(children, _KILLED):
        child.kill_behind(random.randrange(5, _EACH))
    said = Said()
    for child in children:
        answers = child.answers()
        for verb, entries, _ in answers:
            (said.forgotten if verb == "forget" else said.remembered).update(entries)
        said.taken.extend(taken for _, _, taken in answers[1:])  # the first one loads what writing takes
        # Where it was killed, the forgetting that nobody was told of any more may have been done.
        said.unsure.update(entry for _, entries, _ in answers[-2:] for entry in entries)
    lost, findings = _missing(store, said)
    slowest = sorted(said.taken)[int(len(said.taken) * 0.99)]
    figure = f"{len(said.remembered)} remembered, {len(said.forgotten)} forgotten, {lost} lost, {findings} findings"
    work = f"{_PROCESSES} processes at once, {_KILLED} killed"
    yield Row("PER-6", work, figure, bar="nothing lost", ok=not lost + findings)
    yield Row(
        "PER-6",
        "one of their writes, but the first of each",
        f"p99 {slowest:.0f} ms",
        bar="p99 <= 250 ms",
        ok=slowest <= _SLOWEST,
    )


def _missing(store: Store, said: Said) -> tuple[int, int]:
    """Count what was acknowledged and is not so, and what verifying the ledger finds."""
    lost = 0
    with store.open() as kernel:
        for entry in said.remembered | said.forgotten:
            try:
                kernel.get.run(entry)
                lost += entry in said.forgotten
            except Forgotten:
                lost += entry not in said.forgotten | said.unsure
            except UnknownId:
                lost += 1
        return lost, len(list(kernel.ledger.verify()))


def _child(logs: Path, home: Path, number: int) -> None:
    """Remember, correct and forget, and print what was answered as soon as it was."""
    with Store(logs, home).open() as kernel:
        remember = replace(kernel.remember, read_recent=lambda: None)
        correct = replace(kernel.correct, read_recent=lambda: None)
        forget = replace(kernel.forget, fresh=lambda: None)
        by = Speaker(f"agent-{number}")
        for n in range(_EACH):
            text = f"Process {number} saw the answer {n}."
            begun = time.perf_counter()
            entry = _id(remember.run(text, by=by, uncited="bench"))
            _say("remember", [entry], begun)
            if n % 3 == 0:
                begun = time.perf_counter()
                entry = _id(correct.run(entry, f"{text} Rightly.", by=by))
                _say("correct", [entry], begun)
            if n % 4 == 0:
                begun = time.perf_counter()
                hidden = cast("Sequence[str]", forget.run(entry, "bench", by=by)["forgotten_entries"])
                _say("forget", hidden, begun)


def _id(answer: Mapping[str, Json]) -> str:
    return str(cast("Mapping[str, Json]", answer["entry"])["id"])


def _say(verb: str, entries: Sequence[str], begun: float) -> None:
    print(json.dumps([verb, entries, (time.perf_counter() - begun) * 1000]), flush=True)


if __name__ == "__main__":
    _child(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
