"""Everything that can go wrong on purpose. Each failure builds its own sentence and has a stable code.

    QuothError
    ├── Invalid                 the caller asked wrongly (exit 2)
    │   ├── InvalidArgument
    │   ├── Ambiguous
    │   ├── Uncitable
    │   ├── QuoteNotFound
    │   ├── NotCurrent
    │   ├── SaidBefore
    │   └── CannotJudge
    ├── Unknown                 nothing has that name (exit 3)
    │   ├── UnknownId
    │   ├── Forgotten
    │   ├── UnknownTombstone
    │   ├── UnknownSession
    │   ├── UnknownProject
    │   ├── UnknownSource
    │   ├── UnknownType
    │   └── UnknownHost
    └── Failed                  the store or the machine refused (exit 1)
        ├── NewerFormat
        ├── HomeRefused
        ├── MirrorDamaged
        ├── JournalDamaged
        ├── LedgerDamaged
        ├── StoreFailed
        ├── ReadFailed
        ├── AdapterBroken
        ├── Busy
        ├── ConfigBroken
        ├── TypeBroken
        ├── BackupRefused
        ├── ImportRefused
        ├── EmbedderFailed
        ├── LinkRefused
        ├── NotStored
        ├── PersonOnly
        └── TooMany

A message names the thing and the next step, and never holds a prompt, memory text or token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

_LONGEST: Final = 200  # characters of what was given instead of a name: it may be a whole text


def _cut(given: str) -> str:
    return given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…"


class QuothError(Exception):
    """Any failure that Quoth reports in a sentence. `code` is stable."""

    code: ClassVar[str] = "failed"


class Invalid(QuothError):
    """Raised when a request can't be understood."""

    code = "invalid"


class InvalidArgument(Invalid):
    """Raised for a value that an argument can't have."""

    code = "invalid_argument"

    def __init__(self, argument: str, expected: str) -> None:
        super().__init__(f"`{argument}` must be {expected}.")
        self.argument, self.expected = argument, expected


class Ambiguous(Invalid):
    """Raised when a name means several things."""

    code = "ambiguous"

    def __init__(self, what: str, given: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(candidates[:8])
        super().__init__(f"{what} {given} is ambiguous; pass one of: {shown}.")
        self.candidates = tuple(candidates)


class Uncitable(Invalid):
    """Raised for an event that no statement may cite."""

    code = "uncitable"

    def __init__(self, event: str, why: str = "has been forgotten and") -> None:
        super().__init__(f"Event {event} {why} cannot be cited.")


class QuoteNotFound(Invalid):
    """Raised for a quote that the named event, or any event, does not hold. `note` says why it may come later."""

    code = "quote_not_found"

    def __init__(self, quote: str, event: str | None = None, note: str | None = None) -> None:
        said = (
            f'Quote not found in event {event}: "{quote}"'
            if event
            else f'No event contains the quote "{quote}". Search for the event and cite its id instead.'
        )
        super().__init__(f"{said} ({note})" if note else said)


class NotCurrent(Invalid):
    """Raised for a correction of a version that is not the current one."""

    code = "not_current"

    def __init__(self, entry: str, current: str) -> None:
        super().__init__(
            f"Entry {entry} was already corrected; its current version is {current}. Correct that one instead."
        )
        self.current = current


class SaidBefore(Invalid):
    """Raised for words that were judged or taken away before: they don't come back by being said again.

    No answer names an entry that is gone, so `entry` is None then.
    """

    code = "said_before"

    def __init__(self, state: str, entry: str | None = None) -> None:
        entry = None if state in {"forgotten", "tombstoned"} else entry
        where = f" by entry {entry}" if entry else ""
        next_step = "; replace or correct that entry instead" if state in {"negated", "superseded"} else ""
        super().__init__(f"Exactly this was said before{where} and is {state}; it is not stored again{next_step}.")
        self.state = state
        self.entry = entry


class CannotJudge(Invalid):
    """Raised for a judgement that an entry can't get; `why` follows its id in the sentence."""

    code = "cannot_judge"

    def __init__(self, entry: str, why: str) -> None:
        super().__init__(f"Entry {entry} {why}.")
        self.entry = entry
        self.why = why


class Unknown(QuothError):
    """Raised when nothing has the given name or id."""

    code = "unknown"


class UnknownId(Unknown):
    """Raised for an id that is neither an entry nor an event."""

    code = "unknown_id"

    def __init__(self, given: str) -> None:
        super().__init__(f"Unknown entry or event {given}.")
        self.given = given


class Forgotten(Unknown):
    """Raised for an entry or event that was forgotten or destroyed."""

    code = "forgotten"

    def __init__(self, given: str) -> None:
        super().__init__(f"{given} has been forgotten.")


class UnknownTombstone(Unknown):
    """Raised for an id that no tombstone has."""

    code = "unknown_tombstone"

    def __init__(self, given: str) -> None:
        super().__init__(f"Unknown tombstone {given}. `quoth forget --list` lists the tombstones.")


class UnknownType(Unknown):
    """Raised for a type that no template describes."""

    code = "unknown_type"

    def __init__(self, given: str, known: Sequence[str]) -> None:
        super().__init__(f"Unknown type {_cut(given)}. Known types: {', '.join(known)}.")


class UnknownSession(Unknown):
    """Raised for a session that no log holds."""

    code = "unknown_session"

    def __init__(self, given: str) -> None:
        super().__init__(f"Unknown session {given}. `quoth timeline` lists the sessions.")


class UnknownProject(Unknown):
    """Raised for a project that no session belongs to."""

    code = "unknown_project"

    def __init__(self, given: str) -> None:
        super().__init__(f"Unknown project {_cut(given)}. `quoth project list` lists the projects.")


class UnknownSource(Unknown):
    """Raised for a source that no adapter reads."""

    code = "unknown_source"

    def __init__(self, given: str, known: Sequence[str]) -> None:
        super().__init__(f"Unknown source {given}. Known sources: {', '.join(known)}.")


class UnknownHost(Unknown):
    """Raised for an agent that can't be linked, or when none is on this machine."""

    code = "unknown_host"

    def __init__(self, given: str | None, known: Sequence[str]) -> None:
        what = "No agent that can be linked was found here" if given is None else f"Unknown agent {given}"
        super().__init__(f"{what}. Agents that can be linked: {', '.join(known)}.")


class Failed(QuothError):
    """Raised when the store or the machine refused."""


class NewerFormat(Failed):
    """Raised when a file of the home was written by a newer program; nothing was changed."""

    code = "newer_format"

    def __init__(self, what: str, found: int, known: int) -> None:
        super().__init__(
            f"The {what} has format {found}, but this program knows only up to {known}. "
            "Upgrade Quoth; nothing was changed."
        )


class HomeRefused(Failed):
    """Raised when a folder can't safely hold a store."""

    code = "home_refused"

    def __init__(self, home: str, why: str, remedy: str) -> None:
        super().__init__(f"{home} can't hold the store: {why}. {remedy}")


class MirrorDamaged(Failed):
    """Raised when the mirror does not hold what it must."""

    code = "mirror_damaged"

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"The mirror file {name} is damaged: {what}. Run `quoth doctor`.")


class JournalDamaged(Failed):
    """Raised when the journal of observations has a line that can't be read."""

    code = "journal_damaged"

    def __init__(self, line: int) -> None:
        super().__init__(f"Line {line} of observations.jsonl can't be read. Restore it from a backup.")


class LedgerDamaged(Failed):
    """Raised when an operation of the ledger can't be read."""

    code = "ledger_damaged"

    def __init__(self, operation: str, why: str) -> None:
        super().__init__(f"Operation {operation} of the ledger can't be read: {why}. Run `quoth verify`.")


class StoreFailed(Failed):
    """Raised when writing or reading the store fails: a full disk, no permission, a damaged database.

    `is_damage` tells the last from the others: only that is mended from a backup.
    """

    code = "store_failed"

    def __init__(self, what: str, why: str, *, is_damage: bool = False) -> None:
        self.is_damage = is_damage
        super().__init__(f"{what} failed: {why}. What was acknowledged before is kept.")


class ReadFailed(Failed):
    """Raised when a file of an agent can't be read now; the pass goes on without it. `reason` is a short code."""

    code = "read_failed"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} can't be read ({reason.replace('_', ' ')}). The next `quoth sync` tries again.")
        self.path = path
        self.reason = reason


class AdapterBroken(Failed):
    """Raised when the module that reads a source can't be loaded; the other sources go on."""

    code = "adapter_broken"

    def __init__(self, source: str, why: str) -> None:
        super().__init__(f"The adapter of {source} can't be loaded ({why}). Mend or remove its module.")


class Busy(Failed):
    """Raised when another process holds a lock for longer than the caller waits."""

    code = "busy"

    def __init__(self, what: str) -> None:
        super().__init__(f"Another process is busy with {what}. Try again in a moment.")


class ConfigBroken(Failed):
    """Raised when `config.toml` or a `QUOTH_*` variable can't be used."""

    code = "config_broken"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where} can't be used: {why}.")


class TypeBroken(Failed):
    """Raised when the template of a type can't be used; a type is never silently missing."""

    code = "type_broken"

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}. Mend or remove the file.")


class ImportRefused(Failed):
    """Raised when a file can't be imported; nothing of it was."""

    code = "import_refused"

    def __init__(self, file: str, why: str, line: int | None = None) -> None:
        where = file if line is None else f"{file}, line {line}"
        super().__init__(f"{where} can't be imported: {why}. Nothing was imported.")


class EmbedderFailed(Failed):
    """Raised when texts can't be turned into vectors."""

    code = "embedder_failed"

    def __init__(self, embedder: str, why: str, remedy: str) -> None:
        super().__init__(
            f"The embedder {embedder} can't be used: {why}. {remedy} Until then, words alone are searched."
        )
        self.embedder = embedder


class NotStored(Failed):
    """Raised when what was written does not read back as it was written."""

    code = "not_stored"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was written and does not read back. Run `quoth doctor`.")


class PersonOnly(Failed):
    """Raised when something that only the person may do is asked without a terminal or from an agent's shell."""

    code = "person_only"

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"Only you can {what}, and {why}. Run the command yourself in a terminal.")


class TooMany(Failed):
    """Raised when one agent forgets or destroys more in an hour than a person would let it."""

    code = "too_many"

    def __init__(self, agent: str, what: str, limit: int) -> None:
        super().__init__(f"{agent} may do at most {limit} {what} within an hour. Do the rest in a terminal yourself.")


class BackupRefused(Failed):
    """Raised when a backup can't be made or restored there."""

    code = "backup_refused"

    def __init__(self, folder: str, why: str) -> None:
        super().__init__(f"{folder} can't be used: {why}.")


class LinkRefused(Failed):
    """Raised when a file of an agent can't safely be changed; its bytes are as they were."""

    code = "link_refused"

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} was left as it is: {why}.")
