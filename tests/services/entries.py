"""A home that remembers: writes entries as an agent or the person does, and compares two devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quoth.core.ids import EntryId
from quoth.core.ledger.operations import Body, Draft, Forget, Judge, Verdict
from quoth.core.memory import Quoted
from quoth.core.speaker import Speaker
from quoth.wiring import Kernel
from services.archive import Archive

CODEX = Speaker("codex")
PERSON = Speaker()
UNCITED = "a test says so"


class Clock:
    """A clock that shows what it is told."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


def at(archive: Archive, instant: int) -> Kernel:
    """Return a kernel of which the clock shows an instant."""
    kernel = archive.kernel()
    kernel.__dict__["clock"] = Clock(instant)
    return kernel


def remember(archive: Archive, text: str, *, by: Speaker = CODEX, **said: Any) -> dict[str, Any]:
    """Remember a statement of the archive's project; what cites nothing says so."""
    given = {"cwd": str(archive.project), **({} if said.get("sources") else {"uncited": UNCITED}), **said}
    found: dict[str, Any] = archive.ask(lambda kernel: kernel.remember.run(text, by=by, **given))
    return found


def entry(archive: Archive, text: str, **said: Any) -> str:
    """Remember a statement and return its id."""
    return str(remember(archive, text, **said)["entry"]["id"])


def correct(archive: Archive, entry: str, text: str | None = None, *, by: Speaker = CODEX, **said: Any) -> Any:
    return archive.ask(lambda kernel: kernel.correct.run(entry, text, by=by, **said))


def get(archive: Archive, given: str) -> Any:
    return archive.ask(lambda kernel: kernel.get.run(given))


def history(archive: Archive, given: str) -> Any:
    return archive.ask(lambda kernel: kernel.history.run(given))


def search(archive: Archive, query: str | None = None, **asked: Any) -> Any:
    return archive.ask(lambda kernel: kernel.search.run(query, **asked))


def found(archive: Archive, query: str | None = None, **asked: Any) -> list[str]:
    """Return the texts of the entries that a search finds, in order."""
    return [each["text"] for each in search(archive, query, **asked)["entries"]]


def append(archive: Archive, *bodies: Body, reason: str = "") -> None:
    """Write operations that no verb under test writes."""
    archive.ask(lambda kernel: kernel.memory.append([Draft(body, "user@desk", reason) for body in bodies]))


def judge(archive: Archive, entry: str, verdict: Verdict) -> None:
    append(archive, Judge(verdict, EntryId(entry), EntryId(root(archive, entry))))


def forget(archive: Archive, entry: str) -> None:
    append(archive, Forget((EntryId(root(archive, entry)),)), reason="not needed")


def root(archive: Archive, entry: str) -> str:
    return str(archive.ask(lambda kernel: kernel.memory.any_entry(entry).root))


def exchange(one: Archive, other: Archive) -> None:
    """Give each of two devices what the other wrote."""
    _send(one, other)
    _send(other, one)


def _send(sender: Archive, receiver: Archive) -> None:
    def records(kernel: Kernel) -> Sequence[Any]:
        return [each for device, _ in kernel.ledger.series() for each in kernel.ledger.records(device, after=0)]

    sent = sender.ask(records)
    receiver.ask(lambda kernel: kernel.ledger.receive(sent, now=kernel.clock.now()))


def quoted(event: str | None = None, quote: str | None = None) -> list[Quoted]:
    return [Quoted(event, quote)]
