"""Make and read the ids that leave the program; nothing else builds one.

An event id is `<source>:<id in the source>` and the part after the colon is opaque. It comes from the native id of the
record, else from what was said (session, role, kind, content, n-th equal occurrence), never from a path or a line
number, so that moving, compressing or rewriting a log keeps every id. The rule of a source is frozen once released:
ids are stored in citations for ten years.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Sequence
from typing import NewType

from quoth.core.errors import Ambiguous, UnknownId

SourceId = NewType("SourceId", str)
EventId = NewType("EventId", str)
SessionId = NewType("SessionId", str)
ProjectId = NewType("ProjectId", str)
DeviceId = NewType("DeviceId", str)


def event_id(source: SourceId, *parts: str) -> EventId:
    """Join the parts that identify an event inside its source: `codex:<thread>:<call id>:out`."""
    return EventId(f"{source}:{':'.join(parts)}")


def source_of(event: str) -> SourceId:
    """Return the source an event id names; the whole text when it has no colon."""
    return SourceId(event.partition(":")[0])


def digest16(*parts: bytes) -> str:
    """Hash what was said: the first 16 hex digits of SHA-256 over the parts, each preceded by its length."""
    return _digest(*parts).hex()[:16]


def line_digest(line: bytes) -> str:
    """Hash one raw line without its line end: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(line).hexdigest()[:16]


def _digest(*parts: bytes) -> bytes:
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.digest()


# --- entries and operations -----------------------------------------------------------------------------------------
#
# 128 bits each: 48 of the instant in milliseconds and 80 random ones, so that ids sort by time. What is imported has a
# hash instead, so that importing again makes the same id. `ent_<32 hex>` and the ULID are two spellings of the same
# bits; inside, the first is used.

EntryId = NewType("EntryId", str)
OperationId = NewType("OperationId", str)
TombstoneId = NewType("TombstoneId", str)

SHORTEST_TAIL = 8
ENTROPY = 10  # random bytes of a time-ordered id

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CROCKFORD_VALUES = {letter: value for value, letter in enumerate(_CROCKFORD)} | {"I": 1, "L": 1, "O": 0}
_HEX = re.compile(r"[0-9a-f]{1,32}", re.ASCII)


def time_ordered(now: int, entropy: bytes) -> bytes:
    """Return 16 bytes that sort by the instant; `entropy` is ten random bytes."""
    if len(entropy) != ENTROPY:
        raise ValueError(f"an id takes {ENTROPY} random bytes")
    return min(max(now, 0), (1 << 48) - 1).to_bytes(6, "big") + entropy


def entry_id(bits: bytes) -> EntryId:
    return EntryId(f"ent_{_hex32(bits)}")


def operation_id(bits: bytes) -> OperationId:
    return OperationId(f"op_{_hex32(bits)}")


def id_bits(given: EntryId | OperationId | TombstoneId) -> bytes:
    """Return the 16 bytes of an id."""
    bits = bytes.fromhex(given.partition("_")[2])
    if len(bits) != 16:
        raise ValueError("an id has 32 hexadecimal digits")
    return bits


def tombstone_id(operation: OperationId) -> TombstoneId:
    """Name the tombstone that a forget operation sets: the same bits."""
    return TombstoneId(f"tmb_{_hex32(id_bits(operation))}")


def forget_of(tombstone: str) -> OperationId | None:
    """Return the forget operation that set a tombstone; None when the text is no tombstone's id."""
    prefix, _, digits = tombstone.strip().lower().partition("_")
    return OperationId(f"op_{digits}") if prefix == "tmb" and len(digits) == 32 and _HEX.fullmatch(digits) else None


def imported_entry_id(
    key: bytes, *, device: DeviceId, source: SourceId, path: str, previous: EntryId | None, content: bytes
) -> EntryId:
    """Return the id of a version that an agent's own memory file holds: the same however often it is read.

    It stays when the content is destroyed, so it is an HMAC under the key of the person's devices: nobody else can try
    whether the content was a certain text. Never change this, not even the order: the ids are stored.
    """
    said = (b"quoth imported entry 1", device.encode(), source.encode(), path.encode(), (previous or "").encode())
    return entry_id(hmac.new(key, _digest(*said, content), hashlib.sha256).digest()[:16])


def ulid(entry: EntryId) -> str:
    """Spell an entry's id in 26 characters of Crockford's base 32."""
    value = int.from_bytes(id_bits(entry), "big")
    return "".join(_CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))


def tail(entry: EntryId, others: Iterable[EntryId]) -> str:
    """Return the shortest ending of at least 8 digits that no other entry has."""
    digits = _digits(entry)
    shared = max((_shared_end(digits, _digits(other)) for other in others if other != entry), default=0)
    return digits[-max(SHORTEST_TAIL, shared + 1) :]


def find_entry(given: str, known: Collection[EntryId]) -> EntryId:
    """Return the entry that a text names in any spelling: `ent_…`, a ULID, an ending of at least 8 digits.

    Raises:
        UnknownId: it names none.
        Ambiguous: several end like that.
    """
    for spelled in full_spellings(given):
        if spelled in known:
            return spelled
    if not (ending := tail_of(given)):
        raise UnknownId(given)
    found = sorted(entry for entry in known if entry.endswith(ending))
    if len(found) > 1:
        raise Ambiguous("Entry", given, found)
    if not found:
        raise UnknownId(given)
    return found[0]


def full_spellings(given: str) -> Sequence[EntryId]:
    """Return the ids that a text may spell in full."""
    text = given.strip()
    if digits := _long_hex(text):
        return [EntryId(f"ent_{digits}")]
    value = 0
    for letter in text.upper():
        if letter not in _CROCKFORD_VALUES:
            return []
        value = value << 5 | _CROCKFORD_VALUES[letter]
    return [entry_id(value.to_bytes(16, "big"))] if len(text) == 26 and value < 1 << 128 else []


def tail_of(given: str) -> str | None:
    """Return the digits that a text gives of the end of an id; None when they are no digits or too few."""
    digits = given.strip().lower().removeprefix("ent_")
    return digits if len(digits) >= SHORTEST_TAIL and _HEX.fullmatch(digits) else None


def advice(given: str) -> str:
    """Say which part of an id to give, where a text is another part of one; nothing where it is none."""
    text = given.strip().rstrip(".\u2026")
    if ":" in text:
        return "The id of an event is given whole."
    if _long_hex(text) or not (_HEX.fullmatch(text.lower().removeprefix("ent_")) or text.lower() == "ent_"):
        return ""
    return f"A short id is the last {SHORTEST_TAIL} or more characters of a whole one, not the first."


def _long_hex(text: str) -> str | None:
    digits = text.lower().removeprefix("ent_")
    return digits if len(digits) == 32 and _HEX.fullmatch(digits) else None


def _hex32(bits: bytes) -> str:
    if len(bits) != 16:
        raise ValueError("an id has 128 bits")
    return bits.hex()


def _digits(entry: EntryId) -> str:
    return entry.partition("_")[2]


def _shared_end(one: str, other: str) -> int:
    same = 0
    while same < min(len(one), len(other)) and one[-1 - same] == other[-1 - same]:
        same += 1
    return same
