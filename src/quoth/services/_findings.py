"""What the doctor found, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import NewerFormat, QuothError, StoreFailed
from quoth.core.ids import SourceId
from quoth.core.model import Coverage, Json, Skipped
from quoth.core.names import printable_path

PASS, WARN, FAIL = "pass", "warn", "fail"

_SHOWN = 3  # names in a message


@dataclass(frozen=True, slots=True)
class Check:
    """What was found. `id` is stable; `remedy` says what to do, None when nothing is to be done."""

    id: str
    status: str
    message: str
    remedy: str | None = None

    def shape(self) -> dict[str, Json]:
        return {"id": self.id, "status": self.status, "message": self.message, "remedy": self.remedy}


def guarded(name: str, examine: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Examine one part; what it raises is a finding."""
    try:
        yield from examine()
    except NewerFormat as error:  # nothing is wrong with the part
        yield Check(name, FAIL, str(error), "Upgrade Quoth.")
    except StoreFailed as error:  # an older copy in the place of what is only unreadable now would lose what is newer
        yield Check(name, FAIL, str(error), REMEDIES.get(name) if error.is_damage else _DISK)
    except QuothError as error:
        remedy = REMEDIES.get(name, "")
        yield Check(name, FAIL, str(error).removesuffix(remedy).rstrip(), remedy or None)
    except Exception as error:  # A damaged store must not keep the doctor from the other parts.
        yield Check(name, FAIL, f"The part can't be examined ({type(error).__name__}).", REMEDIES.get(name))


_DISK = "See that the disk works and has space, then run `quoth doctor` again."
REMEDIES = {
    "home": "Set QUOTH_HOME to a folder on a local disk that you can write to.",
    "config": "Correct config.toml or the variable; `quoth config list` names what there is.",
    "journal": "Restore observations.jsonl from a backup.",
    "mirror": "Restore the file from a backup.",
    "state": "Restore state.db from a backup.",
    "index": "Run `quoth rebuild`.",
    "ledger": "Restore ledger.db from a backup.",
    "key": "Restore store.key from a backup.",
}


def damage(name: str, problems: Sequence[str], remedy: str) -> Check:
    if problems:
        return Check(name, FAIL, f"The {name} is damaged: {some(problems)}", remedy)
    return Check(name, PASS, f"The {name} is sound.")


def drift(coverage: Coverage) -> Iterator[Check]:
    """Say where the format of an agent's logs may have changed, or where logs are damaged."""
    source = coverage.source
    told = "The lines are kept; a newer Quoth may read them. Upgrade, or report the record's name."
    if coverage.unknown:
        named = some(f"{label} ({count:,})" for label, count in coverage.unknown.items())
        yield Check(f"unknown:{source}", WARN, f"{source} has records of unknown types: {named}.", told)
    if coverage.unparsable:
        count = counted(coverage.unparsable, "line", "lines")
        where = some(f"{path}:{line}" for path, line in coverage.unparsable_at)
        message = f"{count} of {source} can't be read, at {where}; the bytes are kept."
        yield Check(f"unparsable:{source}", WARN, message, None)
    if coverage.silent_files:
        count = counted(coverage.silent_files, "file", "files")
        yield Check(f"silent:{source}", WARN, f"{count} of {source} hold messages but gave no events.", told)
    if not (coverage.unknown or coverage.unparsable or coverage.silent_files):
        count = f"{counted(coverage.events, 'event', 'events')} from {counted(coverage.files, 'file', 'files')}"
        yield Check(f"formats:{source}", PASS, f"Everything of {source} was understood: {count}.")


def left_out(source: SourceId, things: Sequence[Skipped]) -> Check:
    """Say what was left out. A file that failed under our hands is worse than one that is nothing to read."""
    has_failed = any(thing.reason.startswith("adapter failed") or thing.reason in _SERIOUS for thing in things)
    named = some(f"{thing.path} ({thing.reason.replace('_', ' ')})" for thing in things)
    message = f"{counted(len(things), 'thing', 'things')} of {source} left out: {named}."
    remedy = "Make the files readable, then run `quoth sync`; `quoth status --json` lists all."
    return Check(f"skipped:{source}", FAIL if has_failed else WARN, message, remedy)


_SERIOUS = {"unreadable", "damaged", "torn", "mirrordamaged", "read_failed"}


def some(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - _SHOWN:,} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def shown(path: Path) -> str:
    return printable_path(str(path))
