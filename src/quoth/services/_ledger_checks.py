"""What the doctor looks at of memory: the ledger, how far the index shows it, the key of the store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from quoth.core.ledger.operations import Assert, Body, Cite, Destroy, Forget
from quoth.core.ports import LedgerStore
from quoth.services._findings import FAIL, PASS, REMEDIES, WARN, Check, counted, damage, some
from quoth.services._memory import Memory
from quoth.services._rescan import Rescan

_KEY_SIZE = 32
_WIPE = "Run `quoth sync`."
_MARKING = ("assert", "cite", "forget", "destroy")  # kinds of operations that may hold something made with the key


@dataclass(frozen=True, slots=True)
class LedgerChecks:
    """`ledger` and `memory` open the parts; they are not asked while there is no file."""

    file: Path
    key_file: Path
    ledger: Callable[[], LedgerStore]
    memory: Callable[[], Memory]
    is_purging: Callable[[], bool] = lambda: False
    rescan: Callable[[], Rescan] | None = None

    def sound(self, *, deep: bool) -> Iterator[Check]:
        """Look at the file; `deep` proves every chain and payload."""
        if not self.file.exists():
            return
        store = self.ledger()
        problems, is_unscrubbed = store.check(), store.is_unscrubbed()
        if is_unscrubbed and len(problems) == 1:
            message = "Bytes of destroyed memory may still be in ledger.db."
            yield Check("ledger:unscrubbed", WARN, message, "End other uses of Quoth, then run `quoth doctor --fix`.")
        else:
            yield damage("ledger", problems, REMEDIES["ledger"])
        if self.is_purging():
            message = "A purge was cut short; the index still holds what was purged."
            yield Check("ledger:purge", WARN, message, "Run `quoth rebuild`.")
        if deep and (found := [finding.message for finding in store.verify()]):
            yield Check("ledger:chain", FAIL, f"The ledger was changed: {some(found)}", REMEDIES["ledger"])

    def shown(self) -> Iterator[Check]:
        """Hold the index against the ledger."""
        read = self.memory().entries.cursor()
        written = self.ledger().cursor() if self.file.exists() else 0
        if not self.file.exists() and read:
            yield Check("ledger:lost", FAIL, "ledger.db is missing, though memory was written.", REMEDIES["ledger"])
        elif read > written:
            message = f"The ledger lost operations that were read before ({written:,} of {read:,} are left)."
            yield Check("ledger:short", FAIL, message, "Restore ledger.db from a backup, then run `quoth rebuild`.")
        elif read < written:
            message = f"The index does not show the newest of what was remembered ({written - read:,} operations)."
            yield Check("ledger:behind", WARN, message, "Run `quoth doctor --fix`.")
        elif written:
            count = counted(sum(newest for _, newest in self.ledger().series()), "operation", "operations")
            yield Check("ledger:shown", PASS, f"The index shows all of the ledger: {count}.")

    def wiped(self) -> Iterator[Check]:
        """Look for destroyed events that the mirror still holds."""
        if found := self.memory().entries.destroyed_anchors():
            lines = counted(len(found), "line", "lines")
            yield Check("ledger:wiped", WARN, f"The mirror still holds {lines} of what was destroyed.", _WIPE)

    def redacted(self) -> Iterator[Check]:
        """Tell whether memory holds only what the present rules of redaction let pass."""
        if self.rescan and self.file.exists() and self.rescan().is_behind():
            message = "Memory was last looked through for secrets by fewer rules than there are."
            yield Check("ledger:redaction", WARN, message, "Run `quoth doctor --fix`.")

    def key(self) -> Iterator[Check]:
        """Look for the key of the store, without making one."""
        if self.key_file.exists():
            is_key = self.key_file.stat().st_size == _KEY_SIZE
            message = "The key of the store is there." if is_key else f"store.key does not hold {_KEY_SIZE} bytes."
            yield Check("key", PASS if is_key else FAIL, message, None if is_key else REMEDIES["key"])
        elif self.file.exists() and any(map(_is_marked, self._bodies())):
            message = "store.key is missing: quotes can't be proved, and what was forgotten would not be recognised."
            yield Check("key", FAIL, message, REMEDIES["key"])

    def _bodies(self) -> Iterator[Body]:
        return (operation.body for operation in self.ledger().of_kinds(*_MARKING))

    def mend(self, wrong: Collection[str]) -> bool:
        """Do what loses nothing; tell whether anything was done."""
        if is_unscrubbed := "ledger:unscrubbed" in wrong:
            self.ledger().scrub()
        if is_behind := "ledger:behind" in wrong:
            self.memory().catch_up()
        is_old = "ledger:redaction" in wrong
        if self.rescan and is_old:
            self.rescan().run()
        return is_unscrubbed or is_behind or is_old


def _is_marked(body: Body) -> bool:
    match body:
        case Assert() | Cite():
            return any(cited.mark for cited in body.citations)
        case Forget() | Destroy():
            return bool(body.fingerprints)
        case _:
            return False
